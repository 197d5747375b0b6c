// A page starts from the most selective condition, wherever it is in the request.
import assert from "node:assert/strict";
import { parseListQuery } from "../../../src/core/query/planner.ts";
import { parseQuery } from "../../../src/core/query/query-string.ts";
import { zone } from "../../../src/core/value/time-zone.ts";
import { type Api, recordsOf, resourceNamed } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const news = resourceNamed("news");
const count = 4100;

/** The kind of link that the statement of a request starts with; undefined if it scans the order. */
async function driverOf({ store }: Api, query: string): Promise<unknown> {
  const reading = parseListQuery(news, parseQuery(query).query, { zone: zone("UTC") ?? assert.fail() });
  assert.ok("ok" in reading);
  const { sql, parameters } = await store.explain(reading.ok.plan);
  const kinds = parameters.filter((each) => ["ticker", "region", "author"].includes(String(each)));
  return /news_link l\b|\) l\b/.test(sql) ? kinds[0] : undefined;
}

onEveryStore("a request with several lists", (test) => {
  test("starts with the most selective one, in any order of the records", async (api) => {
    const tickers = Array.from({ length: 50 }, (_, n) => `T${n}`);
    await api.has(
      "news",
      Array.from({ length: count }, (_, n) => ({
        id: n + 1,
        created: 1_700_000_000 + n,
        author: "everyone",
        stocks: tickers.slice(0, 2).map((name) => ({ name })),
        ...(n === 40 ? { regions: ["UY"] } : {}),
      })),
    );
    const list = tickers.join(",");
    for (const order of ["", "&sort=id:desc", "&updatedSince=0"]) {
      for (const query of [`tickers=${list}&region=UY`, `region=UY&tickers=${list}`, `authors=everyone&region=UY`])
        assert.equal(await driverOf(api, `${query}${order}`), "region", `${query}${order}`);
      assert.deepEqual(await api.ids(`/api/v2/news?region=UY&tickers=${list}${order}`), [41]);
    }
    assert.equal(await driverOf(api, `authors=everyone&tickers=${list}&sort=id:desc`), undefined);
  });
});

onEveryStore("a delayed key", (test) => {
  test("pages as far as it likes through the days of a calendar", async (api) => {
    const total = 5100;
    await api.has(
      "earnings",
      Array.from({ length: total }, (_, n) => ({
        id: `e${n}`,
        date: "2024-11-05",
        ticker: "ACME",
        updated: 1_700_000_000,
      })),
    );
    const headers = { authorization: `Bearer ${await api.key({ delay: 15 })}` };
    api.clock.now += 15 * 60;
    const url = "/api/v2.1/calendar/earnings?parameters[date_from]=2024-11-01&pagesize=50";
    for (const [page, size] of [
      [99, 50],
      [101, 50],
      [102, 0],
    ] as const) {
      const { status, text, json } = await api.request(`${url}&page=${page}`, { headers });
      assert.equal(status, 200, text);
      assert.equal(recordsOf(json).length, size, `page ${page}`);
    }
  });
});
