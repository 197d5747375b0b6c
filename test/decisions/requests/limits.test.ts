// Request limits: pages, page sizes, lists, the number of parameters, the length of the URL.
import assert from "node:assert/strict";
import { recordsOf } from "../../support/clients/api.ts";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const calendars = [
  ["ratings", "/api/v2.1/calendar/ratings"],
  ["dividends", "/api/v2.2/calendar/dividends"],
  ["guidance", "/api/v2.1/calendar/guidance"],
  ["earnings", "/api/v2.1/calendar/earnings"],
  ["economics", "/api/v2.1/calendar/economics"],
  ["conference-calls", "/api/v2.1/calendar/conference-calls"],
] as const;

const numbered = (count: number, stem = "T"): string[] =>
  Array.from({ length: count }, (_, index) => `${stem}${index}`);

readingEveryStore("pages", (test) => {
  test("accept page from 0 to 100000 on every endpoint", async (api) => {
    for (const path of ["/api/v2/news", ...calendars.map(([, path]) => path)]) {
      assert.deepEqual(recordsOf(await api.get(`${path}?page=0`)), []);
      assert.deepEqual(recordsOf(await api.get(`${path}?page=100000`)), []);
      for (const value of ["100001", "-1", "1.5", "first", "99999999999999999999999"]) {
        const errors = await api.errors(`${path}?page=${value}`);
        assert.deepEqual(
          errors.map(({ parameter, given }) => [parameter, given]),
          [["page", value]],
        );
      }
    }
  });

  test("are counted from 0, in units of the requested size", async (api) => {
    await api.has(
      "news",
      [1, 2, 3, 4, 5].map((id) => ({ id })),
    );
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=2"), [5, 4]);
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=2&page=0"), [5, 4]);
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=2&page=1"), [3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=2&page=2"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=2&page=3"), []);
  });

  test("of news have 15 items by default, and at most 100", async (api) => {
    await api.has(
      "news",
      Array.from({ length: 102 }, (_, index) => ({ id: index + 1 })),
    );
    assert.equal((await api.ids("/api/v2/news")).length, 15);
    assert.equal((await api.ids("/api/v2/news?pageSize=1")).length, 1);
    assert.equal((await api.ids("/api/v2/news?pageSize=100")).length, 100);
    for (const value of ["0", "101", "1000"]) {
      const [error] = await api.errors(`/api/v2/news?pageSize=${value}`);
      assert.deepEqual([error?.parameter, error?.given], ["pageSize", value]);
    }
  });

  test("of calendars have 50 records by default, and at most 1000", async (api) => {
    for (const [name, path] of calendars) {
      const input = name === "guidance" ? { is_primary: "true" } : {};
      await api.has(
        name,
        numbered(1002).map((id) => ({ id, ...input })),
      );
      assert.equal((await api.ids(path)).length, 50, name);
      assert.equal((await api.ids(`${path}?pagesize=1`)).length, 1, name);
      assert.equal((await api.ids(`${path}?pagesize=1000`)).length, 1000, name);
      for (const value of ["0", "1001", "5000"]) {
        const [error] = await api.errors(`${path}?pagesize=${value}`);
        assert.deepEqual([error?.parameter, error?.given], ["pagesize", value]);
      }
    }
  });
});

readingEveryStore("lists", (test) => {
  const limited = [
    ["/api/v2/news", "tickers"],
    ["/api/v2/news", "primaryTickers"],
    ["/api/v2/news", "isin"],
    ["/api/v2/news", "cusips"],
    ["/api/v2.1/calendar/ratings", "parameters[tickers]"],
    ["/api/v2.2/calendar/dividends", "parameters[tickers]"],
    ["/api/v2.1/calendar/guidance", "parameters[tickers]"],
    ["/api/v2.1/calendar/earnings", "parameters[tickers]"],
    ["/api/v2.1/calendar/conference-calls", "parameters[tickers]"],
  ] as const;

  test("of symbols may have 50 items; 51 are rejected", async (api) => {
    for (const [path, name] of limited) {
      await api.get(`${path}?${name}=${numbered(50).join(",")}`);
      const input = numbered(51).join(",");
      const errors = await api.errors(`${path}?${name}=${input}`);
      assert.deepEqual(
        errors.map((error) => [error.parameter, error.given]),
        [[name, input]],
      );
      assert.match(errors[0]?.expected ?? "", /\b50\b/);
    }
  });

  test("are counted after trimming and removing duplicates and empty items", async (api) => {
    for (const [path, name] of limited) {
      const repeated = [...numbered(50), ...numbered(10)];
      await api.get(`${path}?${name}=${repeated.join(",")}`);
      const spaced = [...numbered(50), ...numbered(10).map((symbol) => `+${symbol}+`)];
      await api.get(`${path}?${name}=${spaced.join(",")}`);
      const anyCase = [...numbered(50), ...numbered(10, "t")];
      await api.get(`${path}?${name}=${anyCase.join(",")}`);
      await api.get(`${path}?${name}=,,${numbered(50).join(",,")},,`);
      await api.errors(`${path}?${name}=${[...numbered(51), ...numbered(10)].join(",")}`);
    }
  });

  test("match any of 50 items", async (api) => {
    await api.has(
      "earnings",
      numbered(60).map((ticker) => ({ id: ticker, ticker })),
    );
    const found = await api.ids(
      `/api/v2.1/calendar/earnings?pagesize=100&parameters[tickers]=${numbered(50).join(",")}`,
    );
    assert.deepEqual(found.sort(), numbered(50).sort());
    await api.has(
      "news",
      numbered(60).map((name, index) => ({ id: index + 1, stocks: [{ name, primary: true }] })),
    );
    for (const filter of ["tickers", "primaryTickers"]) {
      assert.equal((await api.ids(`/api/v2/news?pageSize=100&${filter}=${numbered(50).join(",")}`)).length, 50);
    }
  });

  test("without a stated limit are limited only by the length of the URL", async (api) => {
    await api.has("news", [
      { id: 1, author: "A1999", content_type: "A1999", channels: [{ name: "A1999" }], title: "a1999" },
    ]);
    const many = numbered(2000, "A").join(",");
    for (const name of ["authors", "content_types", "channels"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${name}=${many}`), [1], name);
    }
    await api.has("ratings", [{ id: "a", analyst_id: "A1999", firm_id: "A1999" }]);
    for (const name of ["parameters[analyst_id]", "parameters[firm_id]", "analyst", "firm"]) {
      assert.deepEqual(await api.ids(`/api/v2.1/calendar/ratings?${name}=${many}`), ["a"], name);
    }
    await api.has("economics", [{ id: "a", event_category: "A1999" }]);
    assert.deepEqual(await api.ids(`/api/v2.1/calendar/economics?event_category=${many}`), ["a"]);
  });
});

readingEveryStore("topics", (test) => {
  const phrase = (words: number): string => Array(words).fill("the").join("+");

  test("have at most 16 words each and 64 in total, counting repeated words", async (api) => {
    await api.has("news", [{ id: 1, title: "The the" }]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=the+the"), [1]);
    assert.deepEqual(await api.ids(`/api/v2/news?topics=the,${phrase(16)}`), [1]);
    for (const topics of [
      phrase(17),
      `the,${phrase(17)}`,
      Array(65).fill("the").join(","),
      `the${`,${phrase(16)}`.repeat(4)}`,
    ]) {
      const [error] = await api.errors(`/api/v2/news?topics=${topics}`);
      assert.equal(error?.parameter, "topics");
      assert.match(
        error?.expected ?? "",
        /each of at most 256 characters and 16 words, with at most 64 words in total$/,
      );
    }
    assert.deepEqual(await api.ids(`/api/v2/news?topics=${Array(64).fill("the").join(",")}`), [1]);
    assert.deepEqual(await api.ids(`/api/v2/news?topics=${Array(4).fill(phrase(16)).join(",")}`), []);
  });
});

readingEveryStore("the URL", (test) => {
  test("may have 16 kB and no more", async (api) => {
    const path = "/api/v2/news?oops=";
    const longest = await api.fetch(path + "x".repeat(16_384 - path.length));
    assert.equal(longest.status, 200);
    const over = await api.fetch(path + "x".repeat(16_385 - path.length));
    assert.equal(over.status, 414);
    assert.equal(over.json.code, "request.url");
  });

  test("may contain 256 parameters and no more", async (api) => {
    const names = (count: number) => numbered(count, "n").map((name) => `${name}=1`);
    assert.equal((await api.fetch(`/api/v2/news?${names(256).join("&")}`)).status, 200);
    const [error, ...noMore] = await api.errors(`/api/v2/news?${names(257).join("&")}`);
    assert.match(error?.expected ?? "", /\b256\b/);
    assert.deepEqual(noMore, []);
  });

  test("with too many parameters is a parameter error, wherever a valid token is sent", async (api) => {
    const token = `token=${api.token}`;
    const names = numbered(300, "n").join("&");
    for (const query of [`${token}&${names}`, `${names}&${token}`]) {
      const found = await api.request(`/api/v2/news?${query}`);
      assert.deepEqual([found.status, found.json.code], [400, "request.parameters"]);
    }
    assert.equal((await api.request(`/api/v2/news?${names}`)).status, 401);
    assert.equal((await api.request(`/api/v2/news?${names}&token=wrong`)).status, 401);
  });
});
