// Known client behavior: what clients send and what they rely on, one test each.
import assert from "node:assert/strict";
import inject from "light-my-request";
import { openapi } from "../../src/docs/openapi/openapi.ts";
import { createLog } from "../../src/http/observe/log.ts";
import { buildServer } from "../../src/http/server.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { onEveryStore, readingEveryStore } from "../support/stores/every-store.ts";

readingEveryStore("requests as clients send them", (test) => {
  test("accepts raw or encoded brackets, parameters in any order, and the token in any position", async (api) => {
    await api.has("ratings", [
      { id: "a", ticker: "AAPL", date: "2024-01-02", importance: 3 },
      { id: "b", ticker: "AAPL", date: "2024-01-03", importance: 3 },
      { id: "c", ticker: "MSFT", date: "2024-01-02", importance: 3 },
      { id: "d", ticker: "AAPL", date: "2024-01-02", importance: 1 },
    ]);
    const token = `token=${api.token}`;
    const bodies = new Set<string>();
    for (const query of [
      `${token}&parameters[tickers]=AAPL&parameters[date]=2024-01-02&parameters[importance]=2`,
      `parameters[date]=2024-01-02&parameters[importance]=2&parameters[tickers]=AAPL&${token}`,
      `parameters%5Bimportance%5D=2&${token}&parameters%5Btickers%5D=AAPL&parameters[date]=2024-01-02`,
      `parameters%5bdate%5d=2024-01-02&parameters[tickers%5D=AAPL&${token}&parameters%5Bimportance]=2`,
    ]) {
      const found = await api.request(`/api/v2.1/calendar/ratings?${query}`);
      assert.equal(found.status, 200);
      assert.equal(found.headers["x-ignored-parameters"], undefined);
      bodies.add(found.text);
    }
    assert.equal(bodies.size, 1);
    const [body = ""] = bodies;
    assert.deepEqual(
      JSON.parse(body).ratings.map((each: { id: string }) => each.id),
      ["a"],
    );
  });

  test("accepts a trailing slash", async (api) => {
    await api.has("news", [{ id: 1 }]);
    const found = await api.request(`/api/v2/news/?token=${api.token}&pageSize=10`);
    assert.deepEqual([found.status, found.json.length], [200, 1]);
  });

  test("accepts every known parameter with an empty value", async (api) => {
    await api.has("news", [{ id: 1, stocks: [{ name: "AAPL" }] }, { id: 2 }]);
    const names =
      "page pageSize displayOutput date dateFrom dateTo updatedSince publishedSince sort isin cusips primaryTickers " +
      "channels topics topic_group_by authors content_types format importance region";
    const empty = names.split(" ").map((name) => `${name}=`);
    const found = await api.fetch(`/api/v2/news?${empty.join("&")}&tickers=AAPL`);
    assert.equal(found.status, 200);
    assert.equal(found.text, (await api.fetch("/api/v2/news?tickers=AAPL")).text);
    assert.equal(found.headers["x-ignored-parameters"], undefined);
  });

  test("ignores and reports duplicate, misspelled, and foreign parameter names", async (api) => {
    await api.has("earnings", [
      { id: "a", date: "2024-01-01" },
      { id: "b", date: "2024-01-02" },
    ]);
    const found = await api.fetch(
      "/api/v2.1/calendar/earnings?parameters[dateSort]=date:desc&parameters[date_sort]=date:asc" +
        "&paramaters[date]=2024-01-02&symbols=AAPL&limit=1&from=2024-01-02",
    );
    assert.deepEqual(
      found.json.earnings.map((each: { id: string }) => each.id),
      ["a", "b"],
    );
    assert.equal(found.headers["x-ignored-parameters"], "parameters[dateSort],paramaters[date],symbols,limit,from");
  });

  test("accepts pageSize on calendars and pagesize on news", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2 }]);
    await api.has("ratings", [{ id: "a" }, { id: "b" }]);
    assert.deepEqual(await api.ids("/api/v2/news?pagesize=1"), [2]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?pageSize=1"), ["b"]);
  });

  test("honors an Accept header that excludes XML with q=0", async (api) => {
    const found = await api.fetch("/api/v2/news", { accept: "application/json;q=1, text/xml;q=0" });
    assert.deepEqual([found.status, found.text], [200, "[]"]);
    assert.match(found.headers["content-type"] ?? "", /^application\/json\b/);
    assert.equal((await api.fetch("/api/v2/news", { accept: "text/xml;q=0" })).status, 406);
    assert.equal(
      (await api.fetch("/api/v2/news", { accept: "application/json;q=0, */*" })).headers["content-type"],
      "application/xml; charset=utf-8",
    );
  });

  test("returns JSON for a missing or empty Accept header, or */*", async (api) => {
    for (const headers of [{}, { accept: "" }, { accept: "*/*" }]) {
      for (const path of ["/api/v2/news", "/api/v2.1/calendar/economics"]) {
        const found = await api.fetch(path, headers);
        assert.equal(found.status, 200);
        assert.match(found.headers["content-type"] ?? "", /^application\/json\b/);
      }
    }
  });

  test("accepts sort with an encoded colon", async (api) => {
    await api.has(
      "news",
      [1, 2, 3].map((id) => ({ id })),
    );
    assert.deepEqual(await api.ids("/api/v2/news?sort=created%3Adesc"), [3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?sort=created%3aasc"), [1, 2, 3]);
  });

  test("accepts lowercase tickers, and lists with spaces", async (api) => {
    await api.has("news", [{ id: 1, stocks: [{ name: "AAPL" }] }, { id: 2, stocks: [{ name: "MSFT" }] }, { id: 3 }]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=aapl,%20msft"), [2, 1]);
    await api.has("earnings", [{ id: "a", ticker: "AAPL" }, { id: "b", ticker: "MSFT" }, { id: "c" }]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings?parameters[tickers]=aapl,+msft+"), ["b", "a"]);
  });
});

onEveryStore("guarantees that clients rely on", (test) => {
  test("pages through news day by day until the body is exactly []", async (api) => {
    const created = (day: number) => `2024-01-0${day}T${String(day).padStart(2, "0")}:00:00-05:00`;
    const items = Array.from({ length: 230 }, (_, index) => ({
      id: index + 1,
      created: created(1 + (index % 2)),
      body: `<p>${index}</p>`,
    }));
    await api.has("news", items);
    const seen: number[] = [];
    for (const day of ["2024-01-01", "2024-01-02", "2024-01-03"]) {
      for (let page = 0; ; page++) {
        const found = await api.fetch(`/api/v2/news?pageSize=100&displayOutput=full&date=${day}&page=${page}`);
        if (found.text === "[]") break;
        assert.ok(page < 10, "the list ends");
        for (const { id, body } of found.json) {
          assert.equal(body, `<p>${id - 1}</p>`);
          seen.push(id);
        }
      }
    }
    assert.equal(seen.length, 230);
    assert.equal(new Set(seen).size, 230);
  });

  test("ends no body with a newline", async (api) => {
    await api.has("news", [{ id: 1 }]);
    await api.has("ratings", [{ id: "a" }]);
    for (const url of [
      "/api/v2/news",
      "/api/v2/news?page=1",
      "/api/v2.1/calendar/ratings",
      "/api/v2.1/calendar/ratings?page=1",
    ]) {
      assert.ok(/[\]}]$/.test((await api.fetch(url)).text), url);
    }
  });

  test("loses no record of the same second when polling from five seconds before the largest updated", async (api) => {
    const known = new Map<string, number>();
    const poll = async () => {
      const largest = Math.max(5, ...known.values());
      const found = await api.get(`/api/v2.1/calendar/ratings?pagesize=1000&parameters[updated]=${largest - 5}`);
      for (const { id, updated } of found.ratings) known.set(id, updated);
    };
    await api.has("ratings", [
      { id: "a", updated: 1000 },
      { id: "b", updated: 1002 },
    ]);
    await poll();
    await api.has("ratings", [
      { id: "c", updated: 1002 },
      { id: "d", updated: 997 },
    ]);
    await poll();
    await api.has("ratings", [{ id: "a", updated: 1003, notes: "revised" }]);
    await poll();
    assert.deepEqual(Object.fromEntries(known), { a: 1003, b: 1002, c: 1002, d: 997 });
  });

  test("returns the whole list without duplicates in 25 pages fetched concurrently", async (api) => {
    await api.has(
      "news",
      Array.from({ length: 245 }, (_, index) => ({ id: index + 1, created: 1000 + (index % 7) })),
    );
    const pages = Array.from({ length: 25 }, (_, page) => api.ids(`/api/v2/news?pageSize=10&page=${page}`));
    const ids = (await Promise.all(pages)).flat();
    assert.equal(ids.length, 245);
    assert.equal(new Set(ids).size, 245);
  });

  test("sends Retry-After when it can't serve a request", async (api) => {
    const log = createLog("fatal", { write: () => {} });
    const server = await buildServer({
      catalog,
      store: api.store,
      log,
      openapi: openapi(catalog, { version: "0.0.0" }),
    });
    await server.app.ready();
    try {
      server.drain();
      const found = await inject(server.handle, { url: `/api/v2/news?token=${api.token}` });
      assert.equal(found.statusCode, 503);
      assert.match(String(found.headers["retry-after"]), /^[1-9]\d*$/);
    } finally {
      await server.app.close();
    }
  });

  test("returns importance, updated, and years of calendars as JSON integers", async (api) => {
    await api.has("earnings", [{ id: "a", importance: 5, period_year: 2024, updated: 1_730_817_000 }, { id: "b" }]);
    const { text } = await api.fetch("/api/v2.1/calendar/earnings");
    assert.match(text, /"importance":5[,}]/);
    assert.match(text, /"importance":0[,}]/);
    assert.match(text, /"period_year":2024[,}]/);
    assert.match(text, /"updated":1730817000[,}]/);
  });

  test("always returns body and teaser as strings", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2, body: null, teaser: null }, { id: 3, body: "<p>b</p>", teaser: "t" }]);
    for (const output of ["headline", "abstract", "full"]) {
      for (const format of ["", "text"]) {
        for (const item of await api.get(`/api/v2/news?displayOutput=${output}&format=${format}`)) {
          assert.deepEqual([typeof item.body, typeof item.teaser], ["string", "string"]);
        }
      }
    }
  });

  test("prints created with English names, a two-digit day, and a numeric offset all year round", async (api) => {
    const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 1 + month, 20) / 1000);
    await api.has(
      "news",
      months.map((created, index) => ({ id: index + 1, created })),
    );
    const printed =
      /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d -0[45]00$/;
    const found = await api.get("/api/v2/news?sort=id:asc&pageSize=100");
    for (const [index, { created, updated }] of found.entries()) {
      assert.match(created, printed);
      assert.match(updated, printed);
      assert.equal(Date.parse(created) / 1000, months[index]);
    }
    assert.equal(found[0].created, "Sun, 01 Jan 2023 15:00:00 -0500");
  });
});

onEveryStore("browser clients", (test) => {
  const origin = "https://app.example";

  test("allows every origin without credentials by default", async (api) => {
    const found = await api.fetch("/api/v2/news", { origin });
    assert.equal(found.headers["access-control-allow-origin"], "*");
    assert.equal(found.headers["access-control-allow-credentials"], undefined);
    assert.match(found.headers["access-control-expose-headers"] ?? "", /X-Ignored-Parameters/i);
  });

  test(
    "allows only listed origins, with credentials",
    async (api) => {
      const listed = await api.fetch("/api/v2/news", { origin });
      assert.equal(listed.headers["access-control-allow-origin"], origin);
      assert.equal(listed.headers["access-control-allow-credentials"], "true");
      assert.match(listed.headers.vary ?? "", /\bOrigin\b/);
      const other = await api.fetch("/api/v2/news", { origin: "https://other.example" });
      assert.equal(other.headers["access-control-allow-origin"], undefined);
      assert.match(other.headers.vary ?? "", /\bOrigin\b/);
    },
    { corsOrigins: [origin] },
  );

  test(
    "serves the preflight of a listed origin without a token",
    async (api) => {
      const headers = {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      };
      const found = await api.request("/api/v2/news", { method: "OPTIONS", headers });
      assert.equal(found.status, 204);
      assert.match(found.headers["access-control-allow-methods"] ?? "", /\bGET\b/);
      assert.match(found.headers["access-control-allow-headers"] ?? "", /\bauthorization\b/i);
    },
    { corsOrigins: [origin] },
  );

  test(
    "allows no origin if none is listed",
    async (api) => {
      const found = await api.fetch("/api/v2/news", { origin });
      assert.equal(found.headers["access-control-allow-origin"], undefined);
    },
    { corsOrigins: [] },
  );
});
