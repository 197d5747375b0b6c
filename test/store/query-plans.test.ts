// The SQL of every kind of request and the plan that SQLite makes for it, held in a golden file so that a review sees them move.
// UPDATE_GOLDEN=1 writes the file anew. Beside it: which walks and sorts are allowed, and that every index has a use.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import type { Plan } from "../../src/core/plan.ts";
import { parseQuery } from "../../src/core/query.ts";
import { read } from "../../src/core/read.ts";
import type { Resource } from "../../src/core/resource.ts";
import type { Rule } from "../../src/core/rule.ts";
import { zone } from "../../src/core/zone.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { tableOf } from "../../src/store/sql.ts";
import { type Api, startApi } from "../support/api.ts";

const golden = join(import.meta.dirname, "query-plans.golden.txt");

const range = "parameters[date_from]=2024-11-05&parameters[date_to]=2024-11-08";

/** Beyond each parameter alone: what a request may say together. Those that a resource does not know are left out. */
const together = [
  range,
  `${range}&parameters[importance]=3`,
  `${range}&parameters[updated]=1730817000`,
  "parameters[date_from]=2024-11-05&parameters[updated]=1730817000",
  "parameters[importance]=3&parameters[updated]=1730817000",
  "parameters[tickers]=A&parameters[importance]=3",
  `parameters[tickers]=A&${range}`,
  `parameters[tickers]=A,B&${range}`,
  "parameters[tickers]=A,B&parameters[importance]=3",
  "parameters[tickers]=A&parameters[updated]=1730817000",
  "parameters[tickers]=A,B&parameters[updated]=1730817000",
  "page=2000&pagesize=50",
];

const more: Readonly<Record<string, readonly string[]>> = {
  news: [
    ...["page=2000&pageSize=50", "tickers=RARE", "tickers=RARE,AAPL", "tickers=RARE&channels=News", "authors=Common"],
    ...["tickers=RARE&dateFrom=2024-11-05", "tickers=RARE,AAPL&date=2024-11-05&importance=high&region=US"],
    ...["dateFrom=2024-11-05&dateTo=2024-11-08", "date=2024-11-05&sort=created:asc", "publishedSince=5&tickers=RARE"],
    ...["updatedSince=5&publishedSince=5", "updatedSince=5&tickers=RARE", "updatedSince=5&authors=Common"],
    ...["sort=updated:desc&tickers=RARE", "sort=updated:desc&authors=Common", "sort=updated:desc&date=2024-11-05"],
    ...["sort=id:asc&tickers=RARE", "sort=id:asc&authors=Common", "sort=id:asc&dateFrom=2024-11-05"],
    ...["sort=id:asc&updatedSince=5", "sort=created:desc&updatedSince=5", "displayOutput=full&tickers=RARE"],
    ...["topics=merger", "topics=merger,earnings call", "topics=merger,earnings call&topic_group_by=and"],
    ...["topics=merger&sort=created:desc", "topics=merger&sort=created:asc", "topics=merger&publishedSince=5"],
    ...["topics=merger&sort=updated:desc", "topics=merger&sort=id:asc", "topics=merger&updatedSince=5"],
    ...["topics=merger&tickers=RARE", "topics=merger&tickers=RARE,AAPL&date=2024-11-05&displayOutput=full"],
  ],
  ratings: [
    ...["firm=a,b", "analyst=a,b", "firm=a&analyst=b", "firm=a&parameters[firm_id]=a,b", `firm=a&${range}`],
    ...["firm=a&parameters[tickers]=A", "firm=a&parameters[importance]=3", "firm=a&parameters[updated]=5"],
    ...["parameters[action]=Upgrades&parameters[tickers]=A", `parameters[action]=Upgrades&${range}`],
    ...["parameters[action]=Upgrades&parameters[importance]=3", "parameters[action]=Upgrades&parameters[updated]=5"],
    ...["fields=id,ticker&simplify=true&parameters[tickers]=A"],
  ],
  dividends: [
    ...["parameters[date_sort]=ex&parameters[tickers]=A", `parameters[date_sort]=ex&${range}`],
    ...[
      "parameters[date_sort]=ex&parameters[importance]=3",
      "parameters[date_sort]=ex&parameters[dividend_yield]=0.05",
    ],
    ...["parameters[date_sort]=ex&parameters[updated]=5", "parameters[dividend_yield]=0.05&parameters[tickers]=A"],
    ...["gt", "lte"].flatMap((how) =>
      ["", "&parameters[tickers]=A", "&parameters[importance]=3", `&${range}`].map(
        (rest) => `parameters[dividend_yield]=0.05&parameters[dividend_yield_operation]=${how}${rest}`,
      ),
    ),
  ],
  guidance: ["N", "All"].flatMap((which) =>
    [
      "parameters[tickers]=A",
      "parameters[tickers]=A,B",
      "parameters[updated]=5",
      "parameters[importance]=3",
      range,
    ].map((rest) => `parameters[is_primary]=${which}&${rest}`),
  ),
  earnings: [
    ...[`parameters[date_sort]=date:asc&${range}`, "parameters[date_sort]=date:asc&parameters[tickers]=A"],
    ...[
      "parameters[date_sort]=date:asc&parameters[importance]=3",
      "parameters[date_sort]=date:asc&parameters[updated]=5",
    ],
  ],
  economics: [
    ...["event_category=a", "event_category=a,b", "country=USA&event_category=a", "country=USA&event_category=a,b"],
    ...[`country=USA&${range}`, "country=USA&parameters[importance]=2", "country=USA&parameters[updated]=5"],
    ...["event_category=a&parameters[importance]=2", "event_category=a&parameters[updated]=5"],
  ],
};

/**
 * Requests for one value of each list whose records come out of the index in another order than the one asked for. A list of
 * several values always needs a sort, and is not listed.
 */
const sorted: Readonly<Record<string, readonly string[]>> = {
  news: [
    // A rare link, or the matches of a search, are fewer than the records that a walk of the order would test.
    ...["updatedSince=5&tickers=RARE", "sort=updated:desc&tickers=RARE", "sort=id:asc&tickers=RARE"],
    ...["topics=merger&sort=updated:desc", "topics=merger&sort=id:asc", "topics=merger&updatedSince=5"],
    "sort=updated:desc&date=2024-11-05",
  ],
  ratings: ["parameters[tickers]=A&parameters[updated]=1730817000", "firm=a&parameters[updated]=5"],
  dividends: [
    "parameters[tickers]=A&parameters[updated]=1730817000",
    ...["parameters[date_sort]=ex&parameters[tickers]=A", `parameters[date_sort]=ex&${range}`],
    ...["parameters[date_sort]=ex&parameters[dividend_yield]=0.05"],
  ],
  guidance: ["parameters[tickers]=A&parameters[updated]=1730817000"],
  earnings: ["parameters[tickers]=A&parameters[updated]=1730817000"],
  economics: [],
  "conference-calls": ["parameters[tickers]=A&parameters[updated]=1730817000"],
};

const context = { zone: zone("America/New_York") ?? assert.fail("no zone") };

function planOf(resource: Resource, request: string): Plan | undefined {
  const { query } = parseQuery(request);
  const reading = read(resource, query, context);
  return "ok" in reading && reading.ok.ignored.length === 0 ? reading.ok.plan : undefined;
}

/** Each input with each of its good values; with the rule's other inputs where it means nothing alone. */
function examplesOf(resource: Resource, rule: Rule): string[] {
  const inputs = Object.values(rule.inputs);
  return inputs.flatMap((input) =>
    input.good.map((value) => {
      const alone = `${input.names[0]}=${value.replace(/[&%+]/g, encodeURIComponent)}`;
      const rest = inputs.filter((other) => other !== input).map((other) => `${other.names[0]}=${other.good[0]}`);
      return planOf(resource, alone) === undefined ? [...rest, alone].join("&") : alone;
    }),
  );
}

/** Requests that are carried out by the same SQL in the same steps. */
type Block = { requests: string[]; plan: Plan; sql: string; steps: readonly string[] };

const blocks = new Map<Resource, Block[]>();
let api: Api;

async function fill(): Promise<void> {
  api = await startApi();
  // Enough that the author of them all is a common link, which is not begun with.
  const rows = Array.from({ length: 4200 }, (_, n) => n);
  const stock = (n: number) => [{ name: n === 0 ? "RARE" : "AAPL" }];
  await api.has(
    "news",
    rows.map((n) => ({ id: n + 1, created: n + 1, author: "Common", stocks: stock(n) })),
  );
  for (const resource of catalog) {
    const records = rows.slice(0, 2000).map((n) => ({ id: `r${n}`, updated: n + 1 }));
    if (resource.name !== "news") await api.has(resource.name, records);
    blocks.set(resource, await blocksOf(resource));
  }
}

async function blocksOf(resource: Resource): Promise<Block[]> {
  const found = new Map<string, Block>();
  const rest = resource.name === "news" ? [] : together.filter((request) => planOf(resource, request) !== undefined);
  const examples = resource.rules.flatMap((rule) => examplesOf(resource, rule));
  for (const request of new Set(["", ...examples, ...rest, ...(more[resource.name] ?? [])])) {
    const plan = planOf(resource, request) ?? assert.fail(`${resource.name} does not understand ${request}`);
    const { sql, steps } = await api.store.explain(plan);
    const same = [sql, ...steps].join("\n");
    const block = found.get(same) ?? { requests: [], plan, sql, steps };
    block.requests.push(request);
    found.set(same, block);
  }
  return [...found.values()];
}

/** Keys are found first, and records then put together; what puts them together is shown where it changes. */
function printed(): string {
  const show = (request: string) => (request.length > 100 ? `${request.slice(0, 80)}… (${request.length})` : request);
  const short = (sql: string) =>
    sql.replace(/\?(\d+)(?:, \?\d+){4,}/g, (list, first) => `?${first}…${list.slice(list.lastIndexOf("?"))}`);
  let last = "";
  const lines = [...blocks].flatMap(([resource, each]) => [
    `# ${resource.path}\n`,
    ...each.flatMap(({ requests, sql, steps }) => {
      const [, before = "", keys = sql, after = ""] =
        /^(.* from \()(select (?:.(?!\) k ))*.)(\) k .*)$/.exec(sql) ?? [];
      const outer = `${before}KEYS${after}`;
      const changed = outer !== last;
      last = outer;
      return [
        ...requests.map((request) => `?${show(request)}`),
        ...(changed ? [`    ${outer}`] : []),
        `    ${short(keys).replaceAll(" union all ", "\n      union all ")}`,
        ...steps.map((step) => `      | ${step}`),
        "",
      ];
    }),
  ]);
  return lines.join("\n");
}

describe("query plans [sqlite]", () => {
  before(fill);
  after(() => api.close());

  test("SQL and plans are those of the golden file", () => {
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, printed());
    assert.equal(printed(), readFileSync(golden, "utf8"), "SQL or plans moved: UPDATE_GOLDEN=1 takes them over");
  });

  for (const resource of catalog) {
    test(`${resource.name}: a table is walked through an index, or news by its own key`, () => {
      for (const { requests, sql, steps } of blocks.get(resource) ?? []) {
        const bare = steps.map((step) => /^ *SCAN (\w+)$/.exec(step)?.[1] ?? "").filter((name) => name !== "");
        // Gathered keys are walked too, under these names; what is left is a table.
        const gathered = new Set([
          "k",
          "q",
          "a",
          "a0",
          "a1",
          "a2",
          ...(sql.includes("select distinct key") ? ["l"] : []),
        ]);
        const tables = bare.filter((name) => !gathered.has(name));
        if (tables.length === 0) continue;
        assert.deepEqual(tables, ["t"], `?${requests[0]}`);
        assert.ok(resource.name === "news" && /order by t\.key (asc|desc)/.test(sql), `?${requests[0]}`);
      }
    });

    test(`${resource.name}: every index serves some request`, () => {
      const db = new DatabaseSync(api.file, { readOnly: true });
      const columns = (name: unknown) =>
        db
          .prepare("select name from pragma_index_info(?) order by seqno")
          .all(String(name))
          .map((row) => row.name);
      const indexes = db.prepare("select name from pragma_index_list(?)").all(tableOf(resource));
      const steps = (blocks.get(resource) ?? []).flatMap((block) => block.steps).join("\n");
      for (const index of resource.indexes) {
        const named = indexes.find(({ name }) => columns(name).join() === index.join())?.name;
        assert.ok(named !== undefined, `no index on ${index}`);
        assert.match(steps, new RegExp(`INDEX ${named}\\b`), `${named} serves no request`);
      }
      db.close();
    });

    test(`${resource.name}: a sort is made only for several values, or where the order is not that of the index`, () => {
      const several = (plan: Plan) =>
        plan.where.some((condition) => "values" in condition && condition.values.length > 1);
      const found = (blocks.get(resource) ?? [])
        .filter(({ plan, steps }) => steps.some((step) => step.includes("USE TEMP B-TREE")) && !several(plan))
        .map(({ requests }) => requests[0]);
      assert.deepEqual(found.sort(), [...(sorted[resource.name] ?? [])].sort());
    });
  }
});
