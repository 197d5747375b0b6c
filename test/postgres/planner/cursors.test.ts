// Cursors on PostgreSQL seek into an index with one row comparison.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { evaluate, positionOf } from "../../../src/core/query/evaluate.ts";
import type { Plan } from "../../../src/core/query/plan.ts";
import type { Row } from "../../../src/core/record/row.ts";
import type { Store } from "../../../src/store/store.ts";
import { resourceNamed, testNow } from "../../support/clients/api.ts";
import { parseUrl } from "../../support/requests/requests.ts";
import { type OwnPostgres, openTestStore, ownPostgres, stores } from "../../support/stores/stores.ts";
import { withClient } from "../pool/waiting.ts";
import { type Made, putMany } from "./many-records.ts";

const count = 6000;
const tickers = ["AAPL", "F", "GM", "MSFT"];
const day = (at: number): string => new Date(1_600_000_000_000 + at * 86_400_000).toISOString().slice(0, 10);

const made: Made = {
  ratings: (at) => ({
    id: `r${at}`,
    date: day(at % 900),
    time: `09:30:${String(at % 60).padStart(2, "0")}`,
    importance: at % 6,
    ticker: tickers[at % 4],
    updated: 1_600_000_000 + (at % 700),
  }),
  news: (at) => ({
    id: at + 1,
    created: 1_600_000_000 + at * 600,
    updated: 1_600_000_000 + (at % 700),
    title: at % 2 === 0 ? "Market report" : "Report",
    stocks: [{ name: tickers[at % 4] }],
  }),
};

describe("cursors [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: OwnPostgres;
  let store: Store;
  let rows: ReadonlyMap<string, readonly Row[]>;

  before(async () => {
    database = await ownPostgres("cursors");
    store = await openTestStore(database.url, () => testNow);
    rows = await putMany(store, made, count);
    await withClient(database.url, (client) => client.query("analyze"));
  });

  after(async () => {
    await store?.close();
    await database?.drop();
  });

  /** A plan that continues from the middle of its list. */
  function midway(name: string, query: string): Plan {
    const resource = resourceNamed(name);
    const plan = parseUrl(resource, `${resource.path}?${query}`)?.plan ?? assert.fail(query);
    const all = evaluate({ ...plan, limit: count }, rows.get(name) ?? []);
    return { ...plan, after: positionOf(plan, all[all.length >> 1] ?? assert.fail("nothing is found")) };
  }

  const byDay = /Index (Only )?Scan Backward using ratings_by_date.*\n *Index Cond: .*ROW\(date, "time", id\) < ROW\(/;
  for (const [name, query, begins] of [
    ["ratings", "", byDay],
    ["ratings", "parameters[importance]=3", byDay],
    ["ratings", "parameters[date_from]=2020-10-01&parameters[date_to]=2023-01-01", byDay],
    ["ratings", "parameters[tickers]=F", /Index Cond: .*ticker = .*ROW\(date, "time", id\) < ROW\(/],
    ["ratings", "parameters[updated]=5", /Scan using ratings_by_updated.*\n *Index Cond: \(ROW\(updated, id\) > ROW\(/],
    ["news", "", /Scan Backward using news_pkey.*\n *Index Cond: \(key < /],
    ["news", "sort=created:asc", /Scan using news_pkey.*\n *Index Cond: \(key > /],
    ["news", "sort=updated:desc", /Scan Backward using news_by_updated.*\n *Index Cond: \(ROW\(updated, id\) < ROW\(/],
    ["news", "sort=id:asc", /Scan using news_id.*\n *Index Cond: \(id > /],
    ["news", "tickers=F", /Scan Backward using news_link_pkey.*\n *Index Cond: .*\(key < /],
    ["news", "topics=market", /Scan Backward using news_search_pkey.*\n *Index Cond: \(key < /],
  ] as const) {
    test(`${name}?${query} seeks to the cursor, and is correct`, async () => {
      const plan = midway(name, query);
      assert.match((await store.explain(plan)).steps.join("\n"), begins);
      const { records } = await store.page(plan);
      const ids = (JSON.parse(`[${records}]`) as Row[]).map(({ id }) => id);
      assert.deepEqual(
        ids,
        evaluate(plan, rows.get(name) ?? []).map(({ id }) => id),
      );
    });
  }
});
