// Filters with several values, such as tickers, on PostgreSQL: correct, and read by index-only scans per value.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { evaluate, positionOf } from "../../../src/core/query/evaluate.ts";
import type { Plan } from "../../../src/core/query/plan.ts";
import type { Row } from "../../../src/core/record/row.ts";
import type { Store } from "../../../src/store/store.ts";
import { type RecordInput, resourceNamed, testNow } from "../../support/clients/api.ts";
import { parseUrl } from "../../support/requests/requests.ts";
import { type OwnPostgres, openTestStore, ownPostgres, stores } from "../../support/stores/stores.ts";
import { withClient } from "../pool/waiting.ts";
import { type Made, putMany } from "./many-records.ts";

const count = 8000;
const day = (at: number): string => new Date(1_600_000_000_000 + at * 86_400_000).toISOString().slice(0, 10);
const common = (at: number): RecordInput => ({
  id: `i${at}`,
  date: day(at % 900),
  time: `09:30:${String(at % 60).padStart(2, "0")}`,
  importance: at % 6,
  updated: 1_600_000_000 + (at % 700),
});

const made: Made = {
  ratings: (at) => ({
    ...common(at),
    ticker: `T${at % 400}`,
    analyst_id: `a${at % 300}`,
    firm_id: `f${at % 200}`,
    action_company: at % 3 === 0 ? "Upgrades" : "Downgrades",
  }),
  earnings: (at) => ({ ...common(at), ticker: `T${at % 400}` }),
  economics: (at) => ({
    ...common(at),
    importance: 1 + (at % 3),
    country: "US",
    event_category: `c${at % 7}`,
    event_name: "GDP",
  }),
};

const watched = Array.from({ length: 50 }, (_, at) => `T${at * 7}`).join(",");

describe("multi-value filters [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: OwnPostgres;
  let store: Store;
  let rows: ReadonlyMap<string, readonly Row[]>;

  before(async () => {
    database = await ownPostgres("several");
    store = await openTestStore(database.url, () => testNow);
    rows = await putMany(store, made, count);
    await withClient(database.url, (client) => client.query("vacuum analyze"));
  });

  after(async () => {
    await store?.close();
    await database?.drop();
  });

  const planOf = (name: string, query: string): Plan => {
    const { path } = resourceNamed(name);
    return parseUrl(resourceNamed(name), `${path}?${query}`)?.plan ?? assert.fail(query);
  };
  const expected = (name: string, plan: Plan) => evaluate(plan, rows.get(name) ?? []).map(({ id }) => id);
  const idsOf = async (plan: Plan) => {
    const { records } = await store.page(plan);
    return (JSON.parse(`[${records}]`) as Row[]).map(({ id }) => id);
  };
  const stepsOf = async (name: string, query: string) =>
    (await store.explain(planOf(name, query))).steps.join("\n").replaceAll(/ {2}\(cost[^\n]*/g, "");

  const inIndexAlone = (column: string, name = "ratings") =>
    new RegExp(`Limit\\n +->  Index Only Scan Backward using ${name}_by_${column}`);

  /** Left to PostgreSQL: another condition is more selective, or there are too many records to merge. */
  const general = /^((?!unnest v).)*$/s;

  for (const [name, query, steps] of [
    ["ratings", `parameters[tickers]=${watched}`, inIndexAlone("ticker")],
    ["ratings", `parameters[tickers]=${watched}&pagesize=7&page=3`, inIndexAlone("ticker")],
    ["ratings", "parameters[tickers]=T1,T1,NONE", inIndexAlone("ticker")],
    ["ratings", "parameters[tickers]=NONE,NOR", inIndexAlone("ticker")],
    ["ratings", `parameters[tickers]=${watched}&parameters[importance]=4`, inIndexAlone("ticker")],
    [
      "ratings",
      `parameters[tickers]=${watched}&parameters[date_from]=2020-10-01&parameters[date_to]=2021-03-01`,
      inIndexAlone("ticker"),
    ],
    ["ratings", "parameters[analyst_id]=a1,a2,a3", inIndexAlone("analyst_id")],
    ["ratings", "firm=f1,f2,f3", inIndexAlone("firm_id")],
    ["ratings", `parameters[tickers]=${watched}&parameters[action]=upgrades`, /Index Cond: \(ticker = v\.value\)/],
    // One firm, or one hour, has few records.
    ["ratings", `parameters[tickers]=${watched}&firm=f7`, /ratings_by_firm_id/],
    ["ratings", `parameters[tickers]=${watched}&parameters[updated]=1600000600`, /ratings_by_updated/],
    ["earnings", `parameters[tickers]=${watched}`, inIndexAlone("ticker", "earnings")],
    ["economics", "event_category=c1,c2", inIndexAlone("event_category", "economics")],
    ["economics", "event_category=c1,c2&country=USA", general],
    ["ratings", `parameters[tickers]=${watched}&pagesize=1000&page=3`, general],
  ] as const) {
    test(`${name}?${query.replace(watched, "T0,…,T343")} is correct and quick`, async () => {
      const seen = await stepsOf(name, query);
      assert.match(seen, steps);
      if (steps !== general) assert.doesNotMatch(seen, /Seq Scan/);
      const plan = planOf(name, query);
      assert.deepEqual(await idsOf(plan), expected(name, plan));
      const all = evaluate({ ...plan, limit: count, offset: 0 }, rows.get(name) ?? []);
      const middle = all[all.length >> 1];
      if (middle === undefined) return;
      const rest = { ...plan, offset: 0, after: positionOf(plan, middle) };
      assert.deepEqual(await idsOf(rest), expected(name, rest));
    });
  }
});
