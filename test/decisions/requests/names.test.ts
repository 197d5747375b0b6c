// Parameter names: brackets, the two spellings of the page size, repeated names, empty values.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const three = [
  { id: "a", ticker: "AAPL" },
  { id: "b", ticker: "MSFT" },
  { id: "c", ticker: "BRK.B" },
];

readingEveryStore("parameter names", (test) => {
  test("accept brackets raw, percent-encoded in either case, or half encoded", async (api) => {
    await api.has("earnings", three);
    for (const name of [
      "parameters[tickers]",
      "parameters%5Btickers%5D",
      "parameters%5btickers%5d",
      "parameters[tickers%5D",
      "%70arameters[tickers]",
    ]) {
      const found = await api.fetch(`/api/v2.1/calendar/earnings?${name}=MSFT`);
      assert.deepEqual([found.json.earnings.length, found.json.earnings[0].id], [1, "b"], name);
      assert.equal(found.headers["x-ignored-parameters"], undefined, name);
    }
  });

  test("are literal: another case, or a name without its brackets, is a different name", async (api) => {
    await api.has("earnings", three);
    for (const name of ["Parameters[tickers]", "parameters[Tickers]", "tickers", "parameters[tickers][]"]) {
      const found = await api.fetch(`/api/v2.1/calendar/earnings?${name}=MSFT`);
      assert.equal(found.json.earnings.length, 3, name);
      assert.equal(found.headers["x-ignored-parameters"], name);
    }
    await api.has("news", [{ id: 1, stocks: [{ name: "AAPL" }] }]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=MSFT"), []);
    assert.deepEqual(await api.ids("/api/v2/news?parameters[tickers]=MSFT"), [1]);
  });

  test("end at the first literal equals sign; encoded ones and ampersands belong to the value", async (api) => {
    await api.has("news", [
      { id: 1, channels: [{ name: "M&A" }] },
      { id: 2, channels: [{ name: "a=b" }] },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=M%26A"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=a%3Db"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=a=b"), [2]);
  });
});

readingEveryStore("both spellings of the page size", (test) => {
  test("are accepted by news and by every calendar", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2 }]);
    const paths = ["v2.1/calendar/ratings", "v2.2/calendar/dividends", "v2.1/calendar/guidance"];
    const more = ["v2.1/calendar/earnings", "v2.1/calendar/economics", "v2.1/calendar/conference-calls"];
    for (const path of [...paths, ...more]) {
      const name = path.split("/").at(-1) as string;
      const input = name === "guidance" ? { is_primary: "true" } : {};
      await api.has(name, [
        { id: "a", ...input },
        { id: "b", ...input },
      ]);
    }
    for (const path of ["v2/news", ...paths, ...more]) {
      for (const spelling of ["pageSize", "pagesize"]) {
        const found = await api.fetch(`/api/${path}?${spelling}=1`);
        const [records] = Object.values(found.json.length === undefined ? found.json : [found.json]) as unknown[][];
        assert.equal(records?.length, 1, `${path} ${spelling}`);
        assert.equal(found.headers["x-ignored-parameters"], undefined);
      }
    }
  });

  test("have the limits of the endpoint", async (api) => {
    for (const spelling of ["pageSize", "pagesize"]) {
      await api.get(`/api/v2/news?${spelling}=100`);
      await api.get(`/api/v2.1/calendar/earnings?${spelling}=1000`);
      const [news, ...noMore] = await api.errors(`/api/v2/news?${spelling}=101`);
      assert.deepEqual([news?.parameter, news?.given, noMore], [spelling, "101", []]);
      const [earnings] = await api.errors(`/api/v2.1/calendar/earnings?${spelling}=1001`);
      assert.deepEqual([earnings?.parameter, earnings?.given], [spelling, "1001"]);
    }
  });

  test("are accepted together if they agree, and are one error each if they differ", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2 }, { id: 3 }]);
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=2&pagesize=2"), [3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=2&pagesize=02"), [3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?pageSize=&pagesize=2"), [3, 2]);
    for (const url of ["/api/v2/news?pageSize=2&pagesize=3", "/api/v2.1/calendar/ratings?pageSize=2&pagesize=3"]) {
      const errors = await api.errors(url);
      const named = errors.map(({ parameter, given }) => `${parameter}=${given}`).sort();
      assert.deepEqual(named, ["pageSize=2", "pagesize=3"]);
    }
  });
});

readingEveryStore("repeated names", (test) => {
  test("are rejected if known, even with the same value and however they are encoded", async (api) => {
    for (const [url, parameter] of [
      ["/api/v2/news?tickers=AAPL&tickers=MSFT", "tickers"],
      ["/api/v2/news?tickers=AAPL&tickers=AAPL", "tickers"],
      ["/api/v2/news?page=0&pageSize=5&page=0", "page"],
      ["/api/v2/news?sort=&sort=id:asc", "sort"],
      ["/api/v2.1/calendar/ratings?parameters[date]=2024-01-02&parameters%5Bdate%5D=2024-01-03", "parameters[date]"],
      ["/api/v2.1/calendar/economics?country=USA&country=CAN", "country"],
    ] as const) {
      const errors = await api.errors(url);
      assert.deepEqual(
        errors.map((error) => error.parameter),
        [parameter],
        url,
      );
    }
  });

  test("are rejected for the token", async (api) => {
    const found = await api.request(`/api/v2/news?token=${api.token}&token=${api.token}`);
    assert.equal(found.status, 400);
    assert.equal(found.json.code, "request.parameters");
    assert.deepEqual(
      found.json.errors.map((error: { parameter: string }) => error.parameter),
      ["token"],
    );
    assert.ok(!found.text.includes(api.token));
  });

  test("are accepted if unknown, and listed once", async (api) => {
    const found = await api.fetch("/api/v2/news?utm=1&utm=2&utm=1");
    assert.equal(found.status, 200);
    assert.equal(found.headers["x-ignored-parameters"], "utm");
  });
});

readingEveryStore("empty values", (test) => {
  test("count as absent, and so do blanks or commas alone", async (api) => {
    await api.has("earnings", three);
    for (const value of ["", "+", "%20%20", ",", ",,,", "+,+,", "%09"]) {
      const found = await api.fetch(`/api/v2.1/calendar/earnings?parameters[tickers]=${value}`);
      assert.equal(found.status, 200, value);
      assert.equal(found.json.earnings.length, 3, value);
      assert.equal(found.headers["x-ignored-parameters"], undefined);
    }
  });

  test("are accepted for every kind of parameter: numbers, days, choices, timestamps, booleans, names", async (api) => {
    await api.has("ratings", [{ id: "a", rating_current: "Outperform" }]);
    await api.has("news", [{ id: 1 }]);
    await api.has("dividends", [{ id: "a" }]);
    await api.has("guidance", [
      { id: "a", is_primary: "true" },
      { id: "b", is_primary: "false" },
    ]);
    await api.has("economics", [{ id: "a" }]);
    for (const value of ["", "+"]) {
      const numbers = `page=${value}&pagesize=${value}&parameters[importance]=${value}&parameters[updated]=${value}`;
      const days = `parameters[date]=${value}&parameters[date_from]=${value}&parameters[date_to]=${value}`;
      const names = `fields=${value}&parameters[action]=${value}&analyst=${value}&firm=${value}`;
      const simple = await api.get(`/api/v2.1/calendar/ratings?${numbers}&${days}&${names}&simplify=${value}`);
      assert.equal(simple.ratings[0].rating_current, "Outperform");
      const choices = `sort=${value}&displayOutput=${value}&topic_group_by=${value}&format=${value}&importance=${value}`;
      assert.deepEqual(await api.ids(`/api/v2/news?${choices}&region=${value}&topics=${value}&cusips=${value}`), [1]);
      const yields = `parameters[dividend_yield]=${value}&parameters[dividend_yield_operation]=${value}`;
      assert.deepEqual(await api.ids(`/api/v2.2/calendar/dividends?${yields}&parameters[date_sort]=${value}`), ["a"]);
      assert.deepEqual(await api.ids(`/api/v2.1/calendar/guidance?parameters[is_primary]=${value}`), ["a"]);
      assert.deepEqual(await api.ids(`/api/v2.1/calendar/economics?country=${value}&event_category=${value}`), ["a"]);
    }
  });

  test("include a name without an equals sign", async (api) => {
    await api.has("earnings", three);
    assert.equal((await api.ids("/api/v2.1/calendar/earnings?parameters[tickers]&page&pagesize")).length, 3);
    const found = await api.fetch("/api/v2.1/calendar/earnings?flag&&");
    assert.equal(found.headers["x-ignored-parameters"], "flag");
  });

  test("of a list are dropped", async (api) => {
    await api.has("earnings", [...three, { id: "without a ticker" }]);
    const url = "/api/v2.1/calendar/earnings?parameters[tickers]=,MSFT,,+,AAPL,";
    assert.deepEqual((await api.ids(url)).sort(), ["a", "b"]);
  });

  test("decode a plus as a space, and an encoded plus as a plus", async (api) => {
    await api.has("news", [
      { id: 1, author: "Dana Whitlock" },
      { id: 2, author: "Dana+Whitlock" },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?authors=Dana+Whitlock"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?authors=Dana%20Whitlock"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?authors=Dana%2BWhitlock"), [2]);
  });
});
