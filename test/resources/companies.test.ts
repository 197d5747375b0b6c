// Company search: by ticker and by words of the name, within the terms of the key.
import assert from "node:assert/strict";
import { earnings } from "../../src/resources/earnings.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { type Api, testNow } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

const listed = async (api: Api, query: string, token = api.token) =>
  (await api.get(`/api/v2.1/companies?${query}`, { authorization: `Bearer ${token}` })).companies;

const found = async (api: Api, query: string, token?: string): Promise<string[]> =>
  (await listed(api, query, token)).map(({ ticker }: { ticker: string }) => ticker);

const names = [
  ["A", "Agilent Technologies"],
  ["AAP", "Advance Auto Parts"],
  ["AAPL", "Apple Inc."],
  ["APLE", "Apple Hospitality REIT"],
  ["BRK.B", "Berkshire Hathaway"],
  ["NAP", "The Pineapple & Big Apple Fund"],
  ["NSRGY", "Nestlé S.A."],
  ["$BTC", "Bitcoin"],
];

sharingEveryStore("company search", (test) => {
  test("ranks the ticker, its beginning, the beginning of the name, and words of the name", async (api) => {
    await api.has(
      "ratings",
      names.map(([ticker, name]) => ({ id: `id-${ticker}`, ticker, name, date: "2026-01-05" })),
    );
    const expected: Record<string, string[]> = {
      "search=aap": ["AAP", "AAPL"],
      "search=apple": ["AAPL", "APLE", "NAP"],
      "search=APPLE+in": ["AAPL"],
      "search=in+apple": ["AAPL"],
      "search=apl": ["APLE"],
      "search=a": ["A", "AAP", "AAPL", "APLE", "NAP", "NSRGY"],
      "search=brk.b": ["BRK.B"],
      "search=Nestle": ["NSRGY"],
      "search=nestl%C3%A9": ["NSRGY"],
      "search=$": ["$BTC"],
      "search=%26": [],
      "search=nobody": [],
      "search=++": ["$BTC", "A", "AAP", "AAPL", "APLE", "BRK.B", "NAP", "NSRGY"],
      "search=a&pagesize=2&page=1": ["AAPL", "APLE"],
    };
    for (const [query, tickers] of Object.entries(expected)) assert.deepEqual(await found(api, query), tickers, query);
  });

  test("combines calendars: each attribute from the most recently updated latest record that has it", async (api) => {
    await api.has("ratings", [
      { id: "r1", ticker: "fb", name: "Facebook", exchange: "NASDAQ", date: "2021-01-05", updated: 100 },
      { id: "r2", ticker: "FB", name: "Meta", date: "2022-01-05", updated: 300 },
      { id: "r3", ticker: "", name: "Nobody", date: "2022-01-05" },
    ]);
    await api.has("earnings", [
      {
        id: "e1",
        ticker: "FB",
        name: "Facebook Inc.",
        exchange: "NYSE",
        isin: "US1",
        date: "2026-01-05",
        updated: 200,
      },
      { id: "e2", ticker: "FB", name: "", date: "2020-01-05", updated: 400 },
    ]);
    await api.has("economics", [{ id: "x", event_name: "No company" }]);
    const meta = { exchange: "NYSE", isin: "US1", name: "Meta", resources: ["ratings", "earnings"], ticker: "FB" };
    assert.equal((await api.fetch("/api/v2.1/companies")).text, JSON.stringify({ companies: [meta] }));
    assert.deepEqual(await found(api, "search=facebook"), []);
  });

  test("reflects every change at once, and its ETag holds until a calendar changes", async (api) => {
    await api.has("ratings", [{ id: "r", ticker: "FB", name: "Facebook" }]);
    const { etag = "" } = (await api.fetch("/api/v2.1/companies?search=face")).headers;
    await api.has("news", [{ id: 1 }]);
    await api.has("economics", [{ id: "x" }]);
    assert.equal((await api.fetch("/api/v2.1/companies?search=face", { "if-none-match": etag })).status, 304);
    await api.has("earnings", [{ id: "e", ticker: "FB", name: "Meta", updated: testNow + 5 }]);
    assert.equal((await api.fetch("/api/v2.1/companies?search=face", { "if-none-match": etag })).status, 200);
    assert.deepEqual(await found(api, "search=meta"), ["FB"]);
    await api.store.remove(earnings, ["e"]);
    assert.deepEqual(await found(api, "search=face"), ["FB"]);
    await api.store.remove(ratings, ["r"]);
    assert.deepEqual(await found(api, ""), []);
  });

  test("a key sees the companies of its resources, its history, and its delay, under the names it may see", async (api) => {
    await api.has("ratings", [
      { id: "r1", ticker: "FB", name: "Facebook", date: "2025-06-01", updated: testNow - 7200 },
      { id: "r2", ticker: "FB", name: "Meta", date: "2026-01-10", updated: testNow - 60 },
      { id: "r3", ticker: "OLD", name: "Old", date: "2020-01-01", updated: testNow - 7200 },
    ]);
    await api.has("earnings", [{ id: "e1", ticker: "NEW", name: "New", date: "2026-02-01", updated: testNow - 60 }]);
    const seen = async (terms: object) =>
      (await listed(api, "", await api.key(terms))).map(
        (each: Record<string, string>) => `${each.ticker} ${each.name}`,
      );
    assert.deepEqual(await seen({}), ["FB Meta", "NEW New", "OLD Old"]);
    assert.deepEqual(await seen({ resources: ["ratings"] }), ["FB Meta", "OLD Old"]);
    assert.deepEqual(await seen({ resources: ["earnings", "news"] }), ["NEW New"]);
    assert.deepEqual(await seen({ history: "2026-01-01" }), ["FB Meta", "NEW New"]);
    assert.deepEqual(await seen({ delay: 30 }), ["FB Facebook", "OLD Old"]);
    assert.deepEqual(await seen({ delay: 30, history: "2025-01-01", resources: ["ratings"] }), ["FB Facebook"]);
    const delayed = await api.key({ delay: 30 });
    assert.deepEqual(await found(api, "search=meta", delayed), []);
    api.clock.now += 1800;
    assert.deepEqual(await found(api, "search=meta", delayed), ["FB"]);
  });

  test("a key for none of the calendars is rejected", async (api) => {
    const authorization = `Bearer ${await api.key({ resources: ["news", "economics"] })}`;
    const { status, json } = await api.request("/api/v2.1/companies?search=a", { headers: { authorization } });
    assert.deepEqual([status, json.code], [403, "key.resource"]);
  });
});
