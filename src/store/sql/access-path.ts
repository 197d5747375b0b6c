// Access path selection: which condition drives a statement, so that it visits the fewest records by bounded counts.
import type { Condition, Plan } from "../../core/query/plan.ts";
import { among, type ColumnCondition, columnTest, isDelay } from "./comparisons.ts";
import { newStatement, tableName } from "./compile.ts";
import { totalCountSql } from "./count-index.ts";
import type { Bind, Compiled, Dialect, Search } from "./dialect.ts";
import { isInPlanOrder, usesCoveringIndex } from "./index-scan.ts";
import { canSeek, minSeekOffset } from "./offset-seek.ts";

type Link = Extract<Condition, { op: "linked" }>;

/** What drives the scan: the plan's order, or one of its conditions. The others filter each record. */
export type AccessPath =
  | { readonly by: "order" }
  | { readonly by: "search" }
  | { readonly by: "link"; readonly link: Link }
  | { readonly by: "column"; readonly column: string };

export type Hints = {
  /** Undefined: no counts were needed, and the database's planner may choose among the columns. */
  readonly path: AccessPath | undefined;
  /** The list has no more records than the offset. */
  readonly isPastEnd: boolean;
  /** Links to test by collecting their keys once, because that is less than the records to test. */
  readonly collected?: readonly Link[];
  /** Whether the path reaches so few records that no other can be much faster, even for a part of the statement. */
  readonly isNarrow?: boolean;
};

/** Runs a statement and returns its first row. */
type QueryRow = (compiled: Compiled) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** A possible access path, with what is needed to estimate its cost. */
type Candidate = {
  readonly path: AccessPath;
  /** Selects one row per record, or per record of a sample. */
  readonly select: string;
  /** Extrapolates the number of records from a sample. */
  readonly estimate?: (rows: number, all: number) => number;
  /** Selects one row per record of a sample, for a count that reaches its limit. */
  readonly sample?: string;
  /** Whether records come in the plan's order, so that the scan stops when the page is full. */
  readonly inOrder: boolean;
  /** Cost of reaching one more record, and of testing a record reached by another path. */
  readonly visitCost: number;
  readonly testCost: number;
  /** Records to test per record found; 1 if undefined. */
  readonly candidates?: number | undefined;
};

/** Bounds of what is counted: more would take longer than reading most pages. */
const minCountLimit = 5000;
const maxCountLimit = 400_000;

/** The newest records, sampled to estimate how many a search or a common link matches: counting all is too slow. */
const sampleSize = 2000;

export async function chooseAccessPath(plan: Plan, dialect: Dialect, queryRow: QueryRow): Promise<Hints> {
  const obvious = obviousHints(plan);
  if (obvious !== undefined) return obvious;
  const { bind, parameters } = newStatement(dialect);
  const candidates = candidatesFor(plan, dialect, bind);
  const needed = plan.offset + plan.limit;
  const limit = Math.min(minCountLimit + 2 * needed, maxCountLimit);
  const rows = dialect.limitValue(bind(limit));
  const counts = candidates.map(
    ({ select, sample }, at) =>
      `, (select count(*) from (${select} limit ${rows}) q) as c${at}${sample === undefined ? "" : `, (${sample}) as s${at}`}`,
  );
  const total = `(${totalCountSql(plan.resource, tableName(plan.resource))})`;
  const row = await queryRow({ sql: `select ${total} as total${counts.join("")}`, parameters });
  const all = Number(row?.total);
  const entries = candidates.map(({ estimate, sample }, at) => {
    const count = Number(row?.[`c${at}`]);
    if (sample === undefined || count < limit) return estimate?.(count, all) ?? count;
    return Math.max(count, ofSample(Number(row?.[`s${at}`]), all));
  });
  const records = entries.map((count) => Math.min(count, all));
  const least = Math.min(all, ...records.filter((count, at) => count < limit && !candidates[at]?.estimate));
  const { path, visited } = cheapest(plan, candidates, records, { all, limit, needed });
  const collected = candidates.flatMap(({ path: other }, at) => {
    if (other.by !== "link" || other === path) return [];
    const count = entries[at] ?? 0;
    // They end at the first value that a record has.
    const lookups = other.link.values.length / (1 + count / Math.max(all, 1));
    return count < lookupCost * visited * lookups ? [other.link] : [];
  });
  const isPastEnd = plan.offset > 0 && plan.offset >= least;
  return { path, isPastEnd, collected, isNarrow: path?.by !== "order" && visited < narrowPath };
}

const narrowPath = 200;

/** Cost of looking up one value of a link; collecting one of its keys costs 1. */
const lookupCost = 4;

/** Extrapolates from the matches in the sample. */
const ofSample = (matches: number, all: number): number => (matches / Math.max(Math.min(sampleSize, all), 1)) * all;

/** Hints that need no counts. */
function obviousHints(plan: Plan): Hints | undefined {
  const unplanned = { path: undefined, isPastEnd: false };
  if (plan.latestPer !== undefined || canSeek(plan)) return unplanned;
  if (plan.offset > minCountLimit) return undefined;
  const [only, ...more] = plan.where.filter((each) => canDrive(plan, each));
  if (only === undefined || usesCoveringIndex(plan)) return unplanned;
  // Values of one column in the default order: its index covers both, and even a million entries are sorted fast enough.
  const isDefault = plan.order[0]?.column === plan.resource.order[0]?.column && plan.offset < minSeekOffset;
  if (more.length === 0 && only.op === "in" && isDefault) return unplanned;
  if (more.length > 0 || !isInPlanOrder(plan, only)) return undefined;
  if (only.op === "search") return { path: { by: "search" }, isPastEnd: false };
  return only.op === "linked" ? { path: { by: "link", link: only }, isPastEnd: false } : unplanned;
}

/** Whether a condition may drive the scan instead of the plan's order. */
function canDrive({ resource, order }: Plan, condition: Condition): boolean {
  if (!("column" in condition)) return true;
  const { column } = condition;
  if (column === order[0]?.column || isDelay(resource, condition)) return false;
  return column === resource.packedKey?.[0] || resource.indexes.some(([first]) => first === column);
}

/** All candidates, the plan's own order first. */
function candidatesFor(plan: Plan, dialect: Dialect, bind: Bind): Candidate[] {
  const { resource, where } = plan;
  const table = tableName(resource);
  const rowsOf = (column: string): string => {
    const tests = where
      .filter((each): each is ColumnCondition => "column" in each && each.column === column)
      .map((each) => columnTest(resource, each, "t", "t.key", { dialect, bind }));
    return `select 1 from ${table} t${tests.length === 0 ? "" : ` where ${tests.join(" and ")}`}`;
  };
  const found: Candidate[] = [
    { path: { by: "order" }, ...orderScan(plan, rowsOf), inOrder: true, visitCost: 1, testCost: 0 },
  ];
  const columns = new Set(where.flatMap((each) => ("column" in each && canDrive(plan, each) ? [each.column] : [])));
  for (const column of columns) {
    const inOrder = where.some((each) => "column" in each && each.column === column && isInPlanOrder(plan, each));
    found.push({
      path: { by: "column", column },
      select: rowsOf(column),
      inOrder,
      visitCost: inOrder ? 1 : 2,
      testCost: 1,
    });
  }
  for (const each of where) {
    const inOrder = isInPlanOrder(plan, each);
    if (each.op === "search") found.push(searchCandidate(each, plan, dialect, bind, inOrder));
    if (each.op !== "linked") continue;
    const select = `select 1 from ${table}_link where kind = ${bind(each.kind)} and value ${among(each.values, bind)}`;
    const test = 0.5 + 0.3 * each.values.length;
    const sample = `${select.replace("1", "count(*)")} and key >= ${oldestSampled(table)}`;
    found.push({
      path: { by: "link", link: each },
      select,
      sample,
      inOrder,
      visitCost: inOrder ? 1 : 2,
      testCost: test,
    });
  }
  return found;
}

/** The records within the bounds on the order's first column, or all of them. */
function orderScan({ where, order }: Plan, rowsOf: (column: string) => string): Pick<Candidate, "select" | "estimate"> {
  const first = order[0]?.column ?? "";
  const isBounded = where.some((each) => "column" in each && each.column === first);
  return isBounded ? { select: rowsOf(first) } : { select: "select 1", estimate: (_, all) => all };
}

function searchCandidate(
  search: Search,
  { resource }: Plan,
  dialect: Dialect,
  bind: Bind,
  inOrder: boolean,
): Candidate {
  const cost = dialect.searchCost(search.phrases.flat().length);
  const rest = {
    path: { by: "search" },
    inOrder,
    visitCost: cost.visit + (inOrder ? 0 : 2),
    testCost: cost.test,
    candidates: cost.candidates,
  } as const;
  const share = dialect.searchSelectivity;
  if (share !== undefined) return { ...rest, select: "select 1", estimate: (_, all) => share * all };
  const table = tableName(resource);
  const places = Object.keys(resource.searchFields);
  const { key, from, test } = dialect.search(search, { table, places, place: undefined, drives: true }, bind);
  return {
    ...rest,
    select: `select 1 from ${from} where ${test} and ${key} >= ${oldestSampled(table)}`,
    // No match in the sample doesn't mean that there is none.
    estimate: (rows, all) => ofSample(Math.max(rows, 0.5), all),
  };
}

const oldestSampled = (table: string): string =>
  `coalesce((select t.key from ${table} t order by t.key desc limit 1 offset ${sampleSize - 1}), ${-(2n ** 63n)})`;

type Sizes = { readonly all: number; readonly limit: number; readonly needed: number };

/** Assumes that conditions are independent, and that one without a count leaves a quarter of the records. */
function cheapest(
  plan: Plan,
  candidates: readonly Candidate[],
  records: readonly number[],
  { all, limit, needed }: Sizes,
): { readonly path: AccessPath | undefined; readonly visited: number } {
  const others = plan.where.filter(
    (each) => "column" in each && each.column !== plan.order[0]?.column && !canDrive(plan, each),
  ).length;
  // A count that reached its limit is only a lower bound: the share is assumed to be halfway to all, by magnitude.
  const isCapped = (at: number) => (records[at] ?? 0) >= limit && !candidates[at]?.sample && !candidates[at]?.estimate;
  const shareOf = (at: number) => {
    const share = (records[at] ?? 0) / Math.max(all, 1);
    return isCapped(at) ? Math.sqrt(share) : share;
  };
  const costs = candidates.map(({ inOrder, visitCost: visit, candidates: tested = 1 }, at) => {
    const rest = candidates.map(({ testCost: test }, index) => ({ test, share: shareOf(index) })).toSpliced(at, 1);
    const share = rest.reduce((product, each) => product * each.share, 0.25 ** others);
    const most = isCapped(at) ? all : (records[at] ?? 0);
    const visited = inOrder ? Math.min(needed / Math.max(share, 1e-12), most) : most;
    return {
      path: candidates[at]?.path,
      visited: visited * tested,
      cost: visited * (visit + others + costOfTests(rest)),
    };
  });
  return costs.reduce((best, each) => (each.cost < best.cost ? each : best));
}

/** The cheapest test comes first, and each of the others sees only what the ones before it leave. */
function costOfTests(tests: readonly { readonly test: number; readonly share: number }[]): number {
  let cost = 0;
  let left = 1;
  for (const { test, share } of tests.toSorted((a, b) => a.test - b.test)) {
    cost += left * test;
    left *= share;
  }
  return cost;
}
