// How many rows and index entries PostgreSQL reads for requests that combine filters, whatever their values.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type pg from "pg";
import type { Store } from "../../../src/store/store.ts";
import { type RecordInput, resourceNamed, testNow } from "../../support/clients/api.ts";
import { parseUrl, rowsOf } from "../../support/requests/requests.ts";
import { connectForAnalysis, type ExecutedStep, explainAnalyze } from "../../support/stores/explain-analyze.ts";
import { type OwnPostgres, openTestStore, ownPostgres, stores } from "../../support/stores/stores.ts";

const count = 8000;
const news = resourceNamed("news");

/**
 * `said` is in every body and in few titles. `rate` and `hike` are in every body too, but rarely as a phrase. Records are
 * updated in another order than they are created in.
 */
const item = (at: number): RecordInput => ({
  id: at + 1,
  created: 1_700_000_000 + at * 60,
  updated: 1_710_000_000 + ((at * 3571) % count) * 60,
  title: at % 400 === 7 ? "They said" : "Report",
  body: `<p>She said the ${at % 250 === 3 ? "rate hike" : "hike rate"}</p>`,
  author: `Author ${at % 4}`,
  channels: [{ name: `Channel ${at % 3}` }],
  stocks: [{ name: `T${at % 100}`, primary: true }],
});

/** From one up to, but excluding, another. */
const tickers = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, n) => `T${from + n}`).join(",");

const stepsOf = (step: ExecutedStep): ExecutedStep[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

/** Rows that steps produced or removed. */
const rowsOfSteps = (steps: readonly ExecutedStep[]): number =>
  steps.reduce((sum, step) => {
    const rows = ["Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter"];
    return sum + Number(step["Actual Loops"]) * rows.reduce((all, name) => all + Number(step[name] ?? 0), 0);
  }, 0);

/** Rows, and descents into an index. */
const workOf = (steps: readonly ExecutedStep[]): number =>
  steps.reduce((sum, step) => sum + Number(step["Index Searches"] ?? 0), rowsOfSteps(steps));

/** Items of which a text is read. */
const textsOf = (steps: readonly ExecutedStep[]): number =>
  rowsOfSteps(steps.filter(({ Filter: filter }) => String(filter).includes("strpos")));

describe("work per request [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: OwnPostgres;
  let store: Store;
  let client: pg.Client;

  before(async () => {
    database = await ownPostgres("work");
    store = await openTestStore(database.url, () => testNow);
    const rows = rowsOf(
      news,
      Array.from({ length: count }, (_, at) => item(at)),
    );
    for (let at = 0; at < count; at += 2000)
      await store.put(
        news,
        rows.slice(at, at + 2000).map((row) => ({ row, stamped: false })),
      );
    await store.optimize(news);
    client = await connectForAnalysis(database.url);
  });

  after(async () => {
    await client?.end();
    await store?.close();
    await database?.drop();
  });

  const stepsFor = async (query: string): Promise<ExecutedStep[]> => {
    const plan = parseUrl(news, `${news.path}?${query}`)?.plan ?? assert.fail(query);
    return stepsOf(await explainAnalyze(client, await store.explain(plan)));
  };

  const assertWork = async (most: number, query: string) => {
    const work = workOf(await stepsFor(query));
    assert.ok(work <= most, `${work} rows and index searches, more than ${most}, for ${query}`);
  };

  const assertTexts = async (most: number, query: string) => {
    const texts = textsOf(await stepsFor(query));
    assert.ok(texts <= most, `the texts of ${texts} items, more than ${most}, for ${query}`);
  };

  test("looks up a long list of values once, not for each record", async () => {
    await assertWork(20_000, `primaryTickers=${tickers(0, 50)}&tickers=${tickers(50, 100)}`);
    await assertWork(20_000, `primaryTickers=${tickers(0, 50)}&tickers=${tickers(50, 100)}&sort=updated:desc`);
  });

  test("finds the few matches in titles by the search, though every body matches", async () => {
    await assertWork(1000, `topics=said&tickers=${tickers(0, 16)}`);
    await assertWork(5000, "topics=said&channels=Channel 1,Channel 2&authors=Author 2,Author 3&pageSize=100");
  });

  test("starts with a filter that leaves even fewer records", async () => {
    await assertWork(100, "topics=said&tickers=NONE");
  });

  test("reads the texts of a rare phrase only until the page is full", async () => {
    await assertTexts(600, "topics=rate hike&pageSize=2&sort=created:desc");
    await assertTexts(600, "topics=rate hike,said&topic_group_by=and&pageSize=2");
  });

  test("applies all other filters before it reads the texts of a rare phrase", async () => {
    await assertTexts(200, "topics=rate hike&tickers=T3,T4&sort=created:desc");
  });

  test("sorts the records of a list instead of searching for them in the order", async () => {
    await assertWork(2000, "primaryTickers=T0,T1&tickers=T1&sort=id:desc");
    await assertWork(10_000, `primaryTickers=T0,T1&tickers=${tickers(0, 50)}&updatedSince=5`);
  });
});
