// Candidate access paths of a plan, and how many records each of them reaches, by bounded counts.
import type { Condition, Plan } from "../../core/query/plan.ts";
import type { AccessPath } from "./access-path.ts";
import { among, type ColumnCondition, columnTest, isDelay, isOnColumn } from "./comparisons.ts";
import { newStatement, tableName } from "./compile.ts";
import type { Bind, Compiled, Dialect, Search } from "./dialect.ts";
import { isInPlanOrder } from "./index-scan.ts";
import { compileCountWithin } from "./offset-seek.ts";

/** Runs a statement and returns its first row. */
export type QueryRow = (compiled: Compiled) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** A possible access path, with what is needed to estimate its cost. */
type Candidate = {
  readonly path: AccessPath;
  /** Selects one row per record, or per record of a sample. */
  readonly select: string;
  /** Counts all records, however many there are, instead of the selected ones up to a limit. */
  readonly count?: string | undefined;
  /** Counts the records from where its range begins in the plan's order; undefined if that isn't counted. */
  readonly reach?: string | undefined;
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

/** A candidate with its records, in the whole list: exactly, or at least so many if the count reached its limit. */
export type Counted = Candidate & {
  /** Including duplicates, which links have if a record has several of their values. */
  readonly entries: number;
  readonly records: number;
  readonly all: number;
  readonly isCapped: boolean;
  /** Records that the plan's order has before the range. */
  readonly before: number;
  readonly isExact: boolean;
};

export async function countCandidates(
  plan: Plan,
  dialect: Dialect,
  queryRow: QueryRow,
  totalSql: string,
  limit: number,
): Promise<Counted[]> {
  const { bind, parameters } = newStatement(dialect);
  const candidates = candidatesFor(plan, dialect, bind);
  // Every bound value must be used.
  const isLimited = candidates.some(({ count }) => count === undefined);
  const rows = isLimited ? dialect.limitValue(bind(limit)) : "";
  const counts = candidates.map(({ select, count, reach, sample }, at) => {
    const counted = count ?? `(select count(*) from (${select} limit ${rows}) q)`;
    const sampled = sample === undefined ? "" : `, (${sample}) as s${at}`;
    return `, ${counted} as c${at}${sampled}${reach === undefined ? "" : `, ${reach} as r${at}`}`;
  });
  const row = await queryRow({ sql: `select ${totalSql} as total${counts.join("")}`, parameters });
  const all = Number(row?.total);
  return candidates.map((candidate, at) => {
    const { estimate, sample, reach, count: isUnlimited } = candidate;
    const count = Math.max(Number(row?.[`c${at}`]), 0);
    const isOver = count >= limit && isUnlimited === undefined;
    const sampled = isOver && sample !== undefined ? ofSample(Number(row?.[`s${at}`]), all) : 0;
    const entries = estimate?.(count, all) ?? Math.max(count, sampled);
    const isCapped = isOver && sample === undefined && estimate === undefined;
    const before = reach === undefined ? 0 : all - Number(row?.[`r${at}`]);
    const isExact = !isOver && estimate === undefined;
    return { ...candidate, entries, records: Math.min(entries, all), all, isCapped, isExact, before };
  });
}

/** The newest records, sampled to estimate how many a search or a common link matches: counting all is too slow. */
const sampleSize = 2000;

/** Extrapolates from the matches in the sample. */
const ofSample = (matches: number, all: number): number => (matches / Math.max(Math.min(sampleSize, all), 1)) * all;

/** Whether a condition may drive the scan instead of the plan's order. */
export function canDrive({ resource, order }: Plan, condition: Condition): boolean {
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
    { path: { by: "order" }, ...orderScan(plan, rowsOf, bind), inOrder: true, visitCost: 1, testCost: 0 },
  ];
  const columns = new Set(where.flatMap((each) => ("column" in each && canDrive(plan, each) ? [each.column] : [])));
  for (const column of columns) {
    const inOrder = where.some((each) => "column" in each && each.column === column && isInPlanOrder(plan, each));
    found.push({
      path: { by: "column", column },
      ...rangeOf(plan, column, rowsOf, bind),
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
function orderScan(
  plan: Plan,
  rowsOf: (column: string) => string,
  bind: Bind,
): Pick<Candidate, "select" | "count" | "estimate"> {
  const first = plan.order[0]?.column ?? "";
  const isBounded = plan.where.some((each) => isOnColumn(each, first));
  if (!isBounded) return { select: "select 1", estimate: (_, all) => all };
  const count = compileCountWithin(plan, tableName(plan.resource), bind);
  return count === undefined ? { select: rowsOf(first) } : { select: "select 1", count };
}

/** The records within the bounds on a column; those on the default order are counted, in whatever order the plan is. */
function rangeOf(
  plan: Plan,
  column: string,
  rowsOf: (column: string) => string,
  bind: Bind,
): Pick<Candidate, "select" | "count" | "reach"> {
  const { resource, where, order } = plan;
  const list = { ...plan, order: resource.order };
  const isCounted = resource.order[0]?.column === column;
  const count = isCounted ? compileCountWithin(list, tableName(resource), bind) : undefined;
  if (count === undefined) return { select: rowsOf(column) };
  const start = order[0]?.direction === "desc" ? "lt" : "gt";
  // A key is in every index, so passing records by their key is nearly free.
  const isPassed = column !== resource.packedKey?.[0];
  const starts = where.filter((each) => isPassed && isOnColumn(each, column) && each.op.startsWith(start));
  const reach =
    starts.length > 0 ? compileCountWithin({ ...list, where: starts }, tableName(resource), bind) : undefined;
  return { select: "select 1", count, reach };
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
