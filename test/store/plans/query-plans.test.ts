// The SQL of every kind of request and SQLite's plan for it, in a golden file so that reviews show changes.
// UPDATE_GOLDEN=1 rewrites the file. Also: which scans and sorts are allowed, and that every index is used.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import type { Rule } from "../../../src/core/catalog/rule.ts";
import { isUnknownIn } from "../../../src/core/output/format.ts";
import { listKey, type Plan, type Position } from "../../../src/core/query/plan.ts";
import { parseListQuery } from "../../../src/core/query/planner.ts";
import { parseQuery } from "../../../src/core/query/query-string.ts";
import { zone } from "../../../src/core/value/time-zone.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { compatTable } from "../../../src/resources/compat/compat.ts";
import { tableName } from "../../../src/store/sql/compile.ts";
import { type Api, type RecordInput, startApi } from "../../support/clients/api.ts";
import { more, onward, paged, sorted, together } from "./query-plan-requests.ts";

const golden = join(import.meta.dirname, "query-plans.golden.txt");

const context = { zone: zone("America/New_York") ?? assert.fail("no zone") };

function planOf(resource: Resource, request: string): Plan | undefined {
  const { query } = parseQuery(request.replace(onward, ""));
  const reading = parseListQuery(resource, query, context);
  if (!("ok" in reading) || reading.ok.ignored.length > 0) return undefined;
  const { plan } = reading.ok;
  return request.endsWith(onward) ? { ...plan, after: somewhere(plan) } : plan;
}

/** A position within every requested range; in a ranked search, among the tags. */
function somewhere({ resource, order, ranked }: Plan): Position {
  const known: Record<string, string | number> = { time: "09:30:00", updated: 1_730_817_000, created: 1_730_817_000 };
  const id = resource.fields.id?.column === "integer" ? 7 : "r7";
  const values = order.map(({ column }) => known[column] ?? (column === "id" ? id : "2024-11-06"));
  return ranked ? [1, ...values] : values;
}

/** Each input with each of its valid values; with the rule's other inputs if it has no effect alone. */
function examplesOf(resource: Resource, rule: Rule): string[] {
  const inputs = Object.values(rule.parameters).filter(
    (input) => input.opaque === undefined && !isUnknownIn("json", input),
  );
  return inputs.flatMap((input) =>
    input.valid.map((value) => {
      const alone = `${input.names[0]}=${value.replace(/[&%+]/g, encodeURIComponent)}`;
      const rest = inputs.filter((other) => other !== input).map((other) => `${other.names[0]}=${other.valid[0]}`);
      return planOf(resource, alone) === undefined ? [...rest, alone].join("&") : alone;
    }),
  );
}

/** Requests with the same SQL and the same steps. */
type Block = { requests: string[]; plan: Plan; sql: string; steps: readonly string[] };

const blocks = new Map<Resource, Block[]>();
let api: Api;

async function fill(): Promise<void> {
  api = await startApi();
  // Enough that the author of them all is a common link, which no plan starts with.
  const rows = Array.from({ length: 4200 }, (_, n) => n);
  const stock = (n: number) => [{ name: n === 0 ? "RARE" : "AAPL" }];
  await api.has(
    "news",
    rows.map((n) => ({ id: n + 1, created: n + 1, author: "Common", stocks: stock(n) })),
  );
  for (const resource of catalog) {
    const records = rows.slice(0, 2000).map((n) => spreadRecord(resource, n));
    if (resource.name !== "news") await api.has(resource.name, records);
    blocks.set(resource, await blocksOf(resource));
  }
}

/** Some requested values are rare and some are common: the index is chosen by how many records they have. */
function spreadRecord(resource: Resource, n: number): RecordInput {
  const rare = n % 100 === 0 ? "a" : n % 100 === 1 ? "b" : "other";
  const values: RecordInput = {
    updated: 1_730_817_000 - 1000 + n,
    date: new Date(1_725_000_000_000 + Math.floor(n / 20) * 86_400_000).toISOString().slice(0, 10),
    ticker: rare.toUpperCase(),
    firm_id: rare,
    analyst_id: rare,
    action_company: n % 3 === 0 ? "Upgrades" : "Maintains",
    dividend_yield: String((n % 100) / 1000),
    ex_dividend_date: n % 100 === 0 ? "2024-11-05" : "2024-12-05",
    country_code: n % 3 === 0 ? "USA" : "JPN",
    event_category: rare,
    event_name: rare,
    analyst: rare,
    analyst_name: rare,
  };
  const known = Object.entries(values).filter(([name]) => name in resource.fields);
  return { id: `r${n}`, ...Object.fromEntries(known) };
}

/** Query plans of the filters that only `--compat` has. */
async function compatSteps(resource: Resource): Promise<string[]> {
  const { variant } = compatTable.get(resource) ?? assert.fail(`no variant of ${resource.name}`);
  const steps: string[] = [];
  for (const request of ["event_name=a", "analyst_name=a", "firm_name=a"]) {
    const reading = parseListQuery(variant, parseQuery(request).query, context);
    if ("ok" in reading && reading.ok.ignored.length === 0)
      steps.push(...(await api.store.explain(reading.ok.plan)).steps);
  }
  return steps;
}

async function blocksOf(resource: Resource): Promise<Block[]> {
  const found = new Map<string, Block>();
  const rest = resource.name === "news" ? [] : together.filter((request) => planOf(resource, request) !== undefined);
  const examples = resource.rules.flatMap((rule) => examplesOf(resource, rule));
  const continued = paged
    .filter((request) => planOf(resource, request) !== undefined)
    .map((request) => (request === "" ? onward : `${request}&${onward}`));
  for (const request of new Set(["", ...examples, ...rest, ...(more[resource.name] ?? []), ...continued])) {
    const plan = planOf(resource, request) ?? assert.fail(`${resource.name} does not understand ${request}`);
    const { sql, steps } = await api.store.explain(plan);
    const same = [sql, ...steps].join("\n");
    const block = found.get(same) ?? { requests: [], plan, sql, steps };
    block.requests.push(request);
    found.set(same, block);
  }
  return [...found.values()];
}

/** Keys are found first, and records assembled then; the assembly is shown where it changes. */
function printed(): string {
  const show = (request: string) => (request.length > 100 ? `${request.slice(0, 80)}… (${request.length})` : request);
  const short = (sql: string) =>
    sql.replace(/\?(\d+)(?:, \?\d+){4,}/g, (list, first) => `?${first}…${list.slice(list.lastIndexOf("?"))}`);
  let last = "";
  const lines = [...blocks].flatMap(([resource, each]) => [
    `# ${resource.path}\n`,
    ...each.flatMap(({ requests, sql, steps }) => {
      const [, before = "", keys = sql, after = ""] =
        /^(.* from \()((?:select|with) (?:.(?!\) k ))*.)(\) k .*)$/.exec(sql) ?? [];
      const outer = before === "" ? "" : `${before}KEYS${after}`;
      const changed = outer !== last && outer !== "";
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

  test("SQL and plans match the golden file", () => {
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, printed());
    assert.equal(printed(), readFileSync(golden, "utf8"), "SQL or plans moved: UPDATE_GOLDEN=1 takes them over");
  });

  for (const resource of catalog) {
    test(`${resource.name}: a table is scanned through an index, or news by its primary key`, () => {
      for (const { requests, sql, steps } of blocks.get(resource) ?? []) {
        const bare = steps.map((step) => /^ *SCAN (\w+)$/.exec(step)?.[1] ?? "").filter((name) => name !== "");
        // Collected keys are scanned too, under these names; anything else is a table.
        const gathered = new Set([
          "k",
          "q",
          "a",
          "a0",
          "a1",
          "a2",
          ...(sql.includes("seek as") ? ["target", "seek"] : []),
          ...(sql.includes("select distinct key") ? ["l"] : []),
        ]);
        const tables = bare.filter((name) => !gathered.has(name));
        if (tables.length === 0) continue;
        assert.deepEqual(tables, ["t"], `?${requests[0]}`);
        assert.ok(resource.name === "news" && /order by t\.key (asc|desc)/.test(sql), `?${requests[0]}`);
      }
    });

    test(`${resource.name}: every index is used by some request`, async () => {
      const db = new DatabaseSync(api.file, { readOnly: true });
      const columns = (name: unknown) =>
        db
          .prepare("select name from pragma_index_info(?) order by seqno")
          .all(String(name))
          .map((row) => row.name);
      const indexes = db.prepare("select name from pragma_index_list(?)").all(tableName(resource));
      const lenient = await compatSteps(resource);
      const steps = [...(blocks.get(resource) ?? []).flatMap((block) => block.steps), ...lenient].join("\n");
      for (const index of resource.indexes) {
        const named = indexes.find(({ name }) => columns(name).join() === index.join())?.name;
        assert.ok(named !== undefined, `no index on ${index}`);
        assert.match(steps, new RegExp(`INDEX ${named}\\b`), `${named} serves no request`);
      }
      db.close();
    });

    test(`${resource.name}: a sort is used only for multiple values, or if the order is not that of the index`, () => {
      const several = (plan: Plan) =>
        plan.where.some((condition) => "values" in condition && condition.values.length > 1);
      const found = (blocks.get(resource) ?? [])
        .filter(({ plan, steps }) => steps.some((step) => step.includes("USE TEMP B-TREE")) && !several(plan))
        .flatMap(({ requests, plan }) => (plan.after === undefined ? requests.slice(0, 1) : []));
      assert.deepEqual(found.sort(), [...(sorted[resource.name] ?? [])].sort());
    });

    test(`${resource.name}: a page after the first starts at its position, and is sorted only if the first one is`, () => {
      const all = blocks.get(resource) ?? [];
      const sorts = ({ steps }: Block) => steps.some((step) => step.includes("USE TEMP B-TREE"));
      for (const block of all.filter(({ plan }) => plan.after !== undefined)) {
        const request = block.requests.find((each) => each.endsWith(onward)) ?? "";
        const first = planOf(resource, request.replace(onward, "").replace(/&$/, "")) ?? assert.fail(request);
        const before = all.find(({ plan }) => listKey(plan) === listKey(first) && plan.after === undefined);
        if (before !== undefined) assert.equal(sorts(block), sorts(before), `?${request}`);
        const begins = /\b(?:id\)?|rowid|key|M3)[<>]/;
        assert.ok(sorts(block) || block.steps.some((step) => begins.test(step)), `?${request}`);
      }
    });
  }
});
