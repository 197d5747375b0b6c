// Filters of news, names of parameters, and symbols that clients of other implementations send, with and without the switch.
import assert from "node:assert/strict";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { bothWays, idsOf } from "./both-ways.ts";

const url = "/api/v2/news";

sharingEveryStore("filters of news", (test) => {
  test("isins is isin", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [
      { id: 1, stocks: [{ name: "AAPL", isin: "US0378331005" }] },
      { id: 2, stocks: [{ name: "F", isin: "US3453708600" }] },
    ]);
    assert.deepEqual(idsOf(await lenient(`${url}?isins=us0378331005`)), [1]);
    assert.equal((await strict(`${url}?isins=US0378331005`)).headers["x-ignored-parameters"], "isins");
  });

  test("contentTypes is content_types", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [{ id: 1, content_type: "story" }, { id: 2 }]);
    assert.deepEqual(idsOf(await lenient(`${url}?contentTypes=story`)), [1]);
    assert.equal((await strict(`${url}?contentTypes=story`)).headers["x-ignored-parameters"], "contentTypes");
  });

  test("lastId returns items with a greater ID, lowest first", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    assert.deepEqual(idsOf(await lenient(`${url}?lastId=2`)), [3, 4]);
    assert.deepEqual(idsOf(await lenient(`${url}?lastId=2&sort=id:desc`)), [4, 3]);
    assert.deepEqual(idsOf(await lenient(`${url}?last_id=2&pageSize=1&page=1`)), [4]);
    const ignored = await strict(`${url}?lastId=2`);
    assert.deepEqual([idsOf(ignored).length, ignored.headers["x-ignored-parameters"]], [4, "lastId"]);
    assert.equal((await lenient(`${url}?lastId=x`)).status, 400);
  });

  test("importanceRank is importance if records have such a level, and listed as ignored otherwise", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [{ id: 1, importance: "high" }, { id: 2 }]);
    assert.deepEqual(idsOf(await lenient(`${url}?importanceRank=high`)), [1]);
    for (const send of [lenient, strict]) {
      const ignored = await send(`${url}?importanceRank=4`);
      assert.deepEqual([idsOf(ignored), ignored.headers["x-ignored-parameters"]], [[2, 1], "importanceRank"]);
    }
  });

  test("days may be ISO date-times, and names may have underscores", async (api) => {
    const { lenient } = await bothWays(api);
    await api.has("news", [{ id: 1, created: 1_730_817_000 }]);
    assert.deepEqual(idsOf(await lenient(`${url}?date_from=2024-11-05T00:00:00Z&dateTo=2024-11-05`)), [1]);
    assert.deepEqual(idsOf(await lenient(`${url}?updated_since=1730817001`)), []);
    assert.deepEqual(idsOf(await lenient(`${url}?display_output=full&updatedsince=1730817000`)), [1]);
  });

  test("another form of a licensed parameter needs the license too", async (api) => {
    const key = await api.key({ compat: true });
    const { status } = await api.request(`${url}?token=${key}&parameters[CUSIPS]=037833100`);
    assert.equal(status, 403);
  });
});

sharingEveryStore("names of parameters", (test) => {
  const path = "/api/v2.1/calendar/earnings";

  test("are accepted in other casings, with and without brackets", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("earnings", [
      { id: "a", ticker: "F" },
      { id: "b", ticker: "F" },
      { id: "c", ticker: "GM" },
    ]);
    for (const name of ["pagesize", "pageSize", "page_size", "PageSize", "parameters[pagesize]"])
      assert.equal(idsOf(await lenient(`${path}?${name}=1`)).length, 1, name);
    for (const name of ["tickers", "Tickers", "parameters[Tickers]", "PARAMETERS[tickers]"])
      assert.deepEqual(idsOf(await lenient(`${path}?${encodeURIComponent(name)}=GM`)), ["c"], name);
    assert.equal((await strict(`${path}?page_size=1`)).headers["x-ignored-parameters"], "page_size");
  });

  test("a documented name wins over another form of it, which is listed as ignored", async (api) => {
    const { lenient } = await bothWays(api);
    await api.has("earnings", [
      { id: "a", date: "2024-01-01" },
      { id: "b", date: "2024-01-02" },
    ]);
    const both = await lenient(`${path}?dateSort=asc&parameters[date_sort]=date:desc`);
    assert.deepEqual([idsOf(both), both.headers["x-ignored-parameters"]], [["b", "a"], "dateSort"]);
    const empty = await lenient(`${path}?dateSort=asc&parameters[date_sort]=`);
    assert.deepEqual([idsOf(empty), empty.headers["x-ignored-parameters"]], [["a", "b"], undefined]);
  });

  test("unknown names are still listed, and a repeated one is still an error", async (api) => {
    const { lenient } = await bothWays(api);
    const { headers } = await lenient(`${url}?paramaters[date]=x&symbols=F`);
    assert.equal(headers["x-ignored-parameters"], "paramaters[date],symbols");
    assert.equal((await lenient(`${url}?page_size=1&page_size=2`)).status, 400);
  });

  test("errors are about the documented name", async (api) => {
    const { lenient } = await bothWays(api);
    const { json } = await lenient(`${path}?dateSort=up`);
    assert.equal(json.errors[0].parameter, "parameters[date_sort]");
    assert.equal(json.errors[0].given, "up");
  });
});

sharingEveryStore("symbols of other services", (test) => {
  const path = "/api/v2.1/calendar/ratings?parameters[tickers]";
  const records = [
    { id: "a", ticker: "AAPL" },
    { id: "b", ticker: "BRK.B" },
    { id: "c", ticker: "HEI/A" },
  ];

  test("an exchange, a slash, and quotes are understood with the switch", async (api) => {
    const { lenient } = await bothWays(api);
    await api.has("ratings", records);
    const cases: [string, string[]][] = [
      ["NASDAQ:AAPL", ["a"]],
      ["BRK/B", ["b"]],
      ["HEI/A", ["c"]],
      ['"AAPL","BRK.B"', ["a", "b"]],
      ["'AAPL'", ["a"]],
      ['"AAPL,BRK.B"', ["a", "b"]],
      ["AAPL", ["a"]],
    ];
    for (const [tickers, ids] of cases)
      assert.deepEqual(idsOf(await lenient(`${path}=${encodeURIComponent(tickers)}`)).sort(), ids, tickers);
    await api.has("news", [{ id: 1, stocks: [{ name: "AAPL" }] }]);
    const found = await lenient(`${url}?tickers=NASDAQ:AAPL`);
    assert.deepEqual([idsOf(found), found.headers["x-adjusted-parameters"]], [[1], "tickers=AAPL"]);
  });

  test("without the switch they match nothing, and a header says what was probably meant", async (api) => {
    await api.has("ratings", records);
    const hints: [string, string][] = [
      ["NASDAQ:AAPL", "did you mean parameters[tickers]=AAPL?"],
      ["BRK/B", "did you mean parameters[tickers]=BRK/B%2CBRK.B?"],
      ['"AAPL","BRK.B"', "did you mean parameters[tickers]=AAPL%2CBRK.B?"],
    ];
    for (const [tickers, hint] of hints) {
      const found = await api.fetch(`${path}=${encodeURIComponent(tickers)}`);
      assert.deepEqual([idsOf(found), found.headers["x-hint"]], [[], hint]);
    }
    assert.equal((await api.fetch(`${path}=AAPL,BRK.B`)).headers["x-hint"], undefined);
  });

  test("fifty symbols with a slash are not too many", async (api) => {
    const { lenient } = await bothWays(api);
    const fifty = Array.from({ length: 50 }, (_, index) => `T${index}/A`).join(",");
    assert.equal((await lenient(`${path}=${fifty}`)).status, 200);
  });
});
