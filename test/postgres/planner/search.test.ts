// Topic search on PostgreSQL over thousands of news items: correct for rare and common words, each with a suitable plan,
// despite parallel workers and the limits of full-text search.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { evaluate, matches } from "../../../src/core/query/evaluate.ts";
import type { Condition, Plan } from "../../../src/core/query/plan.ts";
import type { Row } from "../../../src/core/record/row.ts";
import { tokenize } from "../../../src/core/text/tokenize.ts";
import type { Store } from "../../../src/store/store.ts";
import { runs } from "../../support/budget.ts";
import { type RecordInput, recordsOf, resourceNamed, testNow } from "../../support/clients/api.ts";
import { parseUrl, rowsOf } from "../../support/requests/requests.ts";
import { type OwnPostgres, openTestStore, ownPostgres, stores } from "../../support/stores/stores.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withClient } from "../pool/waiting.ts";

const count = runs(9000, 20_000);
const news = resourceNamed("news");
const filler = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split(" ");

/** `said` is in every body and in no title, `market` often in titles; `comet` is rare, in each of the three fields. */
const item = (at: number): RecordInput => ({
  id: at + 1,
  created: 1_700_000_000 + at * 60,
  title: `${at % 3 === 0 ? "Market" : "Report"} ${filler[at % 12]}${at % 4001 === 7 ? " comet" : ""}`,
  tags: [{ name: at % 4003 === 9 ? "comet" : "shares" }, { name: at % 50 === 0 ? "energy" : "other" }],
  body: `<p>She said the ${filler[(at * 7) % 12]} ${filler[(at * 5) % 12]} of ${at}</p>${at % 4007 === 11 ? "<p>A comet</p>" : ""}`,
  stocks: [{ name: at % 2 === 0 ? "AAPL" : "F" }],
});

const planOf = (query: string) => {
  const plan = parseUrl(news, `${news.path}?${query}`)?.plan;
  assert.ok(plan, `${query} is not understood`);
  return plan;
};

const put = (store: Store, rows: readonly Row[]) =>
  store.put(
    news,
    rows.map((row) => ({ row, stamped: false })),
  );

const idsOf = async (store: Store, plan: Plan): Promise<unknown[]> =>
  recordsOf(JSON.parse(`[${(await store.page(plan)).records}]`)).map(({ id }) => id);

const gathers = /Bitmap Index Scan on news_search_by_words/;
const orderScan = /Index Scan (Backward )?using news_search_pkey/;
const stepsOf = async (store: Store, query: string) => (await store.explain(planOf(query))).steps.join("\n");

describe("topic search [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: OwnPostgres;
  let store: Store;
  let early: Store;
  let stale: Store;
  let eager: Store;
  /** The clock of `early` and `stale`. */
  const clock = { now: testNow };
  const rows: Row[] = rowsOf(
    news,
    Array.from({ length: count }, (_, at) => item(at)),
  );
  const met = new Map<string, ReadonlySet<Row>>();
  /** Cached evaluation: searching thousands of texts is slow, and most conditions recur. */
  const meeting = (plan: Plan, condition: Condition): ReadonlySet<Row> => {
    const name = JSON.stringify(condition);
    const found = met.get(name) ?? new Set(rows.filter((row) => matches({ ...plan, where: [condition] }, row)));
    met.set(name, found);
    return found;
  };
  const rightIds = (plan: Plan): unknown[] => {
    const sets = plan.where.map((condition) => meeting(plan, condition));
    const found = rows.filter((row) => sets.every((set) => set.has(row)));
    // Other conditions are evaluated on these rows, which all match.
    return evaluate(plan, found).map(({ id }) => id);
  };

  before(async () => {
    database = await ownPostgres("search");
    early = await openTestStore(database.url, () => clock.now);
    stale = await openTestStore(database.url, () => clock.now);
    // Estimated while the database is empty.
    for (const each of [early, stale]) await each.explain(planOf("topics=market"));
    store = await openTestStore(database.url, () => testNow);
    for (let at = 0; at < count; at += 2000) await put(store, rows.slice(at, at + 2000));
    await store.optimize(news);
    // A planner that considers parallel workers free.
    const url = new URL(database.url);
    const free = [
      "parallel_setup_cost",
      "parallel_tuple_cost",
      "min_parallel_table_scan_size",
      "min_parallel_index_scan_size",
    ];
    const options = [...free.map((name) => `${name}=0`), "max_parallel_workers_per_gather=4"].map(
      (each) => `-c ${each}`,
    );
    url.searchParams.set("options", [url.searchParams.get("options"), ...options].join(" "));
    eager = await openTestStore(url.href.replaceAll("+", "%20"), () => testNow);
  });

  after(async () => {
    await Promise.all([store, early, stale, eager].map((each) => each?.close()));
    await database?.drop();
  });

  const queries = [
    "topics=comet",
    "topics=market",
    "topics=said",
    "topics=energy",
    "topics=nowhere",
    "topics=comet,market",
    "topics=comet,energy,nowhere",
    "topics=comet,said&topic_group_by=and",
    "topics=market,energy&topic_group_by=and",
    "topics=said the",
    "topics=the alpha epsilon",
    "topics=market beta",
    "topics=market&tickers=F",
    "topics=comet&tickers=F",
    "topics=said&tickers=NONE",
    "topics=said&sort=created:asc",
    "topics=comet&sort=updated:desc",
    "topics=market&publishedSince=1700600000",
    "topics=comet&updatedSince=1700100000",
    "topics=said&date=2023-11-20",
  ];

  test("matches in-memory evaluation on every page, with and without parallel workers", async () => {
    for (const query of queries) {
      const expected = rightIds(planOf(`${query}&pageSize=100`));
      for (const [size, page] of [
        [15, 0],
        [7, 2],
      ] as const) {
        const plan = planOf(`${query}&pageSize=${size}&page=${page}`);
        const here = expected.slice(size * page, size * (page + 1));
        assert.deepEqual(await idsOf(store, plan), here, `${query}, page ${page}`);
        assert.deepEqual(await idsOf(eager, plan), here, `${query}, page ${page}, in parallel`);
      }
    }
    assert.equal(rightIds(planOf("topics=comet&pageSize=100")).length, runs(9, 15));
  });

  test("returns the same for concurrent and for single requests", async () => {
    const modes = [
      "",
      "&pageSize=4&page=1",
      "&pageSize=1",
      "&displayOutput=full",
      "&displayOutput=full&sort=created:desc",
    ];
    const others = ["&tickers=F", "&sort=created:asc", "&sort=updated:desc", "&publishedSince=1700100000"];
    const queries = [
      "comet",
      "nowhere",
      "comet,nowhere",
      "comet,3996",
      "7",
      "11999",
      "a comet",
      "a comet,comet",
    ].flatMap((topics) => [...modes, ...others].map((more) => `topics=${topics}${more}`));
    for (const each of [store, eager]) {
      const pages = await Promise.all(queries.map((query) => each.page(planOf(query))));
      for (const [at, query] of queries.entries()) {
        assert.deepEqual(pages[at], await each.page(planOf(query)), query);
        const ids = recordsOf(JSON.parse(`[${pages[at]?.records}]`)).map(({ id }) => id);
        assert.deepEqual(ids, rightIds(planOf(query)), query);
      }
    }
  });

  test("collects matches of a rare word from the index, and scans in order for a common one", async () => {
    for (const query of ["topics=comet", "topics=nowhere", "topics=comet&sort=created:asc", "topics=comet&tickers=F"]) {
      const steps = await stepsOf(store, query);
      assert.match(steps, gathers, query);
      assert.doesNotMatch(steps, orderScan, query);
    }
    for (const query of ["topics=said&sort=created:asc", "topics=market&sort=created:desc"]) {
      const steps = await stepsOf(store, query);
      assert.match(steps, orderScan, query);
      assert.doesNotMatch(steps, gathers, query);
    }
  });

  test("uses a separate strategy for each field if a word is in every body but in no title", async () => {
    const steps = await stepsOf(store, "topics=said");
    assert.equal(steps.match(new RegExp(gathers, "g"))?.length, 2, "title and tags");
    assert.equal(steps.match(new RegExp(orderScan, "g"))?.length, 1, "body");
  });

  test("leaves nothing in the pending list after an import is optimized", async () => {
    await withClient(database.url, async (client) => {
      const cleaned = await client.query("select gin_clean_pending_list('news_search_by_words') as pages");
      assert.equal(Number(cleaned.rows[0].pages), 0);
    });
  });

  test("searches field by field, even if the planner prefers parallel workers", async () => {
    for (const query of ["topics=said", "topics=market", "topics=comet&tickers=F"]) {
      assert.doesNotMatch(await stepsOf(eager, query), /Parallel Append/, query);
    }
  });

  test("refreshes estimates: a word that was rare at first is common now", async () => {
    assert.match(await stepsOf(early, "topics=market"), gathers);
    clock.now = testNow + 120;
    assert.match(await stepsOf(early, "topics=market"), orderScan);
  });

  test("uses the stale estimate while refreshing it", async () => {
    clock.now = testNow + 90;
    assert.match(await stepsOf(stale, "topics=market"), gathers);
    await waitUntil(async () => orderScan.test(await stepsOf(stale, "topics=market")), "the estimate is refreshed");
  });
});

describe("texts beyond the limits of full-text search [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: OwnPostgres;
  let store: Store;
  const long = "x".repeat(3000);
  /** Words with a common prefix longer than a lexeme. */
  const items: RecordInput[] = [
    { id: 1, title: `${long}a here`, created: 1 },
    { id: 2, title: "Two", body: `<p>before ${long}b after</p>`, created: 2 },
    { id: 3, title: "Three", body: `<p>${"again ".repeat(400)} and once more</p>`, created: 3 },
    { id: 4, title: "Four", body: `<p>${"filler ".repeat(18_000)} the very end</p>`, created: 4 },
    {
      id: 5,
      title: "Five",
      body: `<p>${Array.from({ length: 17_000 }, (_, at) => `w${at}`).join(" ")} different end</p>`,
      created: 5,
    },
    { id: 6, title: "É".repeat(2000), created: 6 },
  ];

  before(async () => {
    database = await ownPostgres("texts");
    store = await openTestStore(database.url, () => testNow);
    await put(store, rowsOf(news, items));
  });

  after(async () => {
    await store?.close();
    await database?.drop();
  });

  /** Queries the store directly, since requests limit the length of words. */
  const finds = async (topic: string, ...ids: number[]) => {
    const plan: Plan = { ...planOf("topics=x"), where: [{ op: "search", phrases: [tokenize(topic)], combine: "or" }] };
    const expected = evaluate(plan, rowsOf(news, items)).map(({ id }) => id);
    assert.deepEqual(expected, ids, "what is right in memory");
    assert.deepEqual(await idsOf(store, plan), ids);
  };

  test("finds a word of more than 2,046 bytes, and not one with the same prefix", async () => {
    await finds(`${long}a`, 1);
    await finds(`${long}b`, 2);
    await finds(`${long}c`);
    await finds(`before ${long}b after`, 2);
    await finds(`${long}a here`, 1);
    await finds("e".repeat(2000), 6);
  });

  test("finds a word repeated more often than positions are stored, and a phrase after it", async () => {
    await finds("again", 3);
    await finds("again again again", 3);
    await finds("again and once more", 3);
    await finds("once again");
  });

  test("finds words and phrases after the 16,383rd word", async () => {
    await finds("very", 4);
    await finds("filler the very end", 4);
    await finds("w16999 different end", 5);
    await finds("end", 5, 4);
    await finds("w16998 different");
  });
});
