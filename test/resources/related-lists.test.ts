// Related lists: one news item, the channels of news, the analysts and firms behind ratings.
import assert from "node:assert/strict";
import { catalog } from "../../src/resources/catalog.ts";
import { news } from "../../src/resources/news.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { recordsOf } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

sharingEveryStore("one news item", (test) => {
  const item = { title: "One & only", teaser: "<b>t</b>", body: "<p>a</p><p>b</p>", stocks: [{ name: "A" }] };

  test("is found by its ID, as in the list", async (api) => {
    await api.has("news", [
      { id: 4_294_967_295, ...item },
      { id: 2, title: "Two" },
    ]);
    for (const query of ["", "displayOutput=abstract", "displayOutput=full", "displayOutput=full&format=text"]) {
      const alone = await api.fetch(`/api/v2/news/4294967295?${query}`);
      const listed = await api.fetch(`/api/v2/news?tickers=A&${query}`);
      assert.equal(alone.status, 200);
      assert.equal(alone.text, listed.text, query);
      const headers = { accept: "application/xml" };
      assert.equal(
        (await api.fetch(`/api/v2/news/4294967295?${query}`, headers)).text,
        (await api.fetch(`/api/v2/news?tickers=A&${query}`, headers)).text,
      );
    }
    assert.equal((await api.get("/api/v2/news/4294967295?displayOutput=full&format=text"))[0].body, "a\nb");
    assert.deepEqual(await api.ids("/api/v2/news/2"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news/002/"), [2]);
  });

  test("is an empty list if it doesn't exist or was removed", async (api) => {
    await api.has("news", [{ id: 1 }]);
    assert.equal((await api.fetch("/api/v2/news/7")).text, "[]");
    await api.store.remove(news, ["1"]);
    assert.equal((await api.fetch("/api/v2/news/1")).text, "[]");
  });

  test("is rejected with every other error if the ID isn't a number", async (api) => {
    for (const id of ["abc", "0", "4294967296", "-1", "1.5", "1e3", "%20", "99999999999999999999", "é"]) {
      const [error, ...others] = await api.errors(`/api/v2/news/${encodeURI(decodeURI(id))}`);
      assert.deepEqual([error?.parameter, error?.expected], ["id", "an integer from 1 to 4294967295"], id);
      assert.equal(error?.given, decodeURIComponent(id));
      assert.deepEqual(others, []);
    }
    const errors = await api.errors("/api/v2/news/x?displayOutput=all&format=html");
    assert.deepEqual(
      errors.map(({ parameter }) => parameter),
      ["id", "displayOutput", "format"],
    );
  });

  test("ignores parameters that filter items, and an ID in the query", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2 }]);
    const response = await api.fetch("/api/v2/news/1?tickers=ZZZ&page=5&id=2&pageSize=x");
    assert.deepEqual(
      response.json.map(({ id }: { id: number }) => id),
      [1],
    );
    assert.equal(response.headers["x-ignored-parameters"], "tickers,page,pageSize,id");
  });

  test("has an ETag that is valid until news changes", async (api) => {
    await api.has("news", [{ id: 1 }]);
    const { etag = "" } = (await api.fetch("/api/v2/news/1")).headers;
    assert.notEqual((await api.fetch("/api/v2/news/2")).headers.etag, etag);
    await api.has("ratings", [{ id: "a" }]);
    assert.equal((await api.fetch("/api/v2/news/1", { "if-none-match": etag })).status, 304);
    await api.has("news", [{ id: 1, title: "Changed" }]);
    assert.equal((await api.fetch("/api/v2/news/1", { "if-none-match": etag })).status, 200);
  });

  test("treats other versions, methods, and keys like the list", async (api) => {
    const { status, json } = await api.fetch("/api/v2.1/news/5");
    assert.equal(status, 404);
    assert.match(json.detail, /News item is served at \/api\/v2\/news\/\{id\}\.$/);
    assert.equal((await api.fetch("/api/v2/news/5/6")).status, 404);
    const posted = await api.request("/api/v2/news/5", { method: "POST" });
    assert.deepEqual([posted.status, posted.headers.allow], [405, "GET, HEAD"]);
    assert.equal((await api.request("/api/v2/news/5")).json.code, "key.missing");
    const head = await api.request("/api/v2/news/5", {
      method: "HEAD",
      headers: { authorization: `token ${api.token}` },
    });
    assert.deepEqual([head.status, head.text, head.headers["content-length"]], [200, "", "2"]);
  });
});

sharingEveryStore("one calendar record", (test) => {
  const calendars = catalog.filter((each) => each !== news);

  test("is found by its identifier, as in the list, and is an empty list if it is missing or removed", async (api) => {
    for (const { name, path } of calendars) {
      await api.has(name, [
        { id: "a/b é", date: "2026-01-05" },
        { id: "c", date: "2026-01-06" },
      ]);
      const [, listed] = recordsOf(await api.get(`${path}?parameters[is_primary]=All`));
      assert.deepEqual(recordsOf(await api.get(`${path}/a%2Fb%20%C3%A9`)), [listed], path);
      assert.deepEqual(recordsOf(await api.get(`${path}/none`)), []);
    }
    await api.store.remove(ratings, ["c"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings/c"), []);
  });

  test("is not found before the key's history", async (api) => {
    await api.has("ratings", [{ id: "old", date: "2020-01-05" }]);
    const authorization = `Bearer ${await api.key({ history: "2026-01-01" })}`;
    assert.deepEqual(recordsOf(await api.get("/api/v2.1/calendar/ratings/old", { authorization })), []);
  });
});

sharingEveryStore("news channels", (test) => {
  const channels = (api: { get(url: string): Promise<unknown> }) => api.get("/api/v2.1/news/channels");

  test("lists each channel once, by name, with its ID if an item has it", async (api) => {
    assert.equal((await api.fetch("/api/v2.1/news/channels")).text, "[]");
    await api.has("news", [
      { id: 1, created: 100, channels: [{ id: 17, name: "earnings" }, { name: "M&A" }] },
      { id: 2, created: 200, channels: [{ name: "Earnings" }, { name: "Econ #s" }] },
      {
        id: 3,
        created: 300,
        channels: [
          { id: 4, name: "Zeta" },
          { id: 5, name: "beta" },
        ],
      },
      { id: 4, created: 50, channels: [{ name: "EARNINGS" }, { id: 9, name: "m&a" }] },
      { id: 5, created: 400, channels: [] },
    ]);
    assert.deepEqual(await channels(api), [
      { id: 5, name: "beta" },
      { id: 17, name: "Earnings" },
      { name: "Econ #s" },
      { id: 9, name: "M&A" },
      { id: 4, name: "Zeta" },
    ]);
  });

  test("drops a channel with its last item", async (api) => {
    await api.has("news", [
      { id: 1, channels: [{ id: 1, name: "Stays" }] },
      { id: 2, channels: [{ id: 2, name: "Goes" }] },
    ]);
    await api.store.remove(news, ["2"]);
    assert.deepEqual(await channels(api), [{ id: 1, name: "Stays" }]);
    await api.has("news", [{ id: 1, channels: [{ name: "Other" }] }]);
    assert.deepEqual(await channels(api), [{ name: "Other" }]);
  });

  test("ignores every parameter, and names the correct path for other versions", async (api) => {
    const response = await api.fetch("/api/v2.1/news/channels?page=1&pageSize=0");
    assert.deepEqual([response.status, response.headers["x-ignored-parameters"]], [200, "page,pageSize"]);
    for (const url of ["/api/v2/news/channels", "/api/v2.2/news/channels", "/api/v2/news/channels/?token=x"]) {
      const { status, json } = await api.request(url);
      assert.equal(status, 404, url);
      assert.match(json.detail, /News channels is served at \/api\/v2\.1\/news\/channels\.$/);
    }
    assert.equal((await api.fetch("/api/v2.1/news/channels", { accept: "application/xml" })).status, 406);
    const { etag = "" } = (await api.fetch("/api/v2.1/news/channels")).headers;
    assert.equal((await api.fetch("/api/v2.1/news/channels", { "if-none-match": etag })).status, 304);
  });
});

sharingEveryStore("analysts and firms", (test) => {
  const input = (id: string, date: string, more: object) => ({ id, date, time: "09:30:00", ...more });
  const harbor = { firm_id: "f1", analyst: "Harbor & Finch" };
  const north = { firm_id: "f2", analyst: "North" };

  test("lists each once, by identifier, with the data of the newest rating", async (api) => {
    await api.has("ratings", [
      input("1", "2024-01-02", { analyst_id: "b", analyst_name: "Dana", ...harbor }),
      input("2", "2024-03-02", { analyst_id: "b", analyst_name: "Dana Whitlock", ...north }),
      input("3", "2024-02-02", { analyst_id: "b", analyst_name: "D. Whitlock", ...harbor }),
      input("4", "2024-01-01", { analyst_id: "a", analyst_name: "Ann" }),
      input("5", "2024-01-01", { analyst_id: "", analyst_name: "Nobody", ...harbor }),
      input("6", "2024-01-01", {}),
      input("7", "2023-01-01", { analyst_id: "é", analyst_name: "É", firm_id: "f0", analyst: "Zero" }),
    ]);
    assert.equal(
      (await api.fetch("/api/v2.1/calendar/ratings/analysts")).text,
      JSON.stringify({
        analysts: [
          { firm_id: "", firm_name: "", id: "a", name_full: "Ann" },
          { firm_id: "f2", firm_name: "North", id: "b", name_full: "Dana Whitlock" },
          { firm_id: "f0", firm_name: "Zero", id: "é", name_full: "É" },
        ],
      }),
    );
    assert.deepEqual(await api.get("/api/v2.1/calendar/ratings/firms"), {
      firms: [
        { id: "f0", name: "Zero" },
        { id: "f1", name: "Harbor & Finch" },
        { id: "f2", name: "North" },
      ],
    });
    await api.store.remove(ratings, ["2"]);
    const { analysts } = await api.get("/api/v2.1/calendar/ratings/analysts");
    assert.deepEqual(analysts[1], { firm_id: "f1", firm_name: "Harbor & Finch", id: "b", name_full: "D. Whitlock" });
    assert.equal((await api.get("/api/v2.1/calendar/ratings/firms")).firms.length, 2);
  });

  test("considers the greater ID of the same day and time the newest, as in the list", async (api) => {
    await api.has("ratings", [
      input("9", "2024-01-02", { ...north, firm_id: "f" }),
      input("10", "2024-01-02", { ...harbor, firm_id: "f" }),
    ]);
    const [newest] = (await api.get("/api/v2.1/calendar/ratings")).ratings;
    assert.deepEqual((await api.get("/api/v2.1/calendar/ratings/firms")).firms, [{ id: "f", name: newest.analyst }]);
  });

  test("returns pages that add up to the whole list", async (api) => {
    const ids = Array.from({ length: 125 }, (_, index) => `f${String(index).padStart(3, "0")}`);
    await api.has(
      "ratings",
      ids.flatMap((id) => [0, 1].map((n) => input(`${id}-${n}`, "2024-01-02", { firm_id: id, analyst: `Firm ${id}` }))),
    );
    const all = async (query: string) => (await api.get(`/api/v2.1/calendar/ratings/firms?${query}`)).firms;
    assert.equal((await all("")).length, 50);
    const pages = await Promise.all([0, 1, 2, 3].map((page) => all(`page=${page}&pageSize=40`)));
    assert.deepEqual(
      pages.flat().map(({ id }: { id: string }) => id),
      ids,
    );
    assert.deepEqual(await all("pagesize=1000"), pages.flat());
    assert.deepEqual(await all("page=100000&pagesize=1000"), []);
    assert.equal((await api.errors("/api/v2.1/calendar/ratings/firms?page=-1&pagesize=1001")).length, 2);
  });

  test("returns an empty list if there are none, and names the correct path for other versions", async (api) => {
    await api.has("ratings", [{ id: "1" }]);
    assert.equal((await api.fetch("/api/v2.1/calendar/ratings/analysts")).text, '{"analysts":[]}');
    assert.equal((await api.fetch("/api/v2.1/calendar/ratings/firms")).text, '{"firms":[]}');
    const { status, json } = await api.fetch("/api/v2/calendar/ratings/analysts");
    assert.equal(status, 404);
    assert.match(json.detail, /Analysts is served at \/api\/v2\.1\/calendar\/ratings\/analysts\.$/);
  });
});
