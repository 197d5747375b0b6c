// Which condition a statement begins with: the one by which the fewest records are visited, as far as counts can tell. The
// others are tested on each record.
import type { Condition, Plan } from "../../core/query/plan.ts";
import { among, type ColumnCondition, columnTest } from "./comparisons.ts";
import { begin, tableOf } from "./compile.ts";
import { totalSql } from "./count-index.ts";
import type { Bind, Compiled, Dialect, Search } from "./dialect.ts";
import { isSorted, standTogether } from "./index-scan.ts";
import { deepFrom, isSought } from "./offset-seek.ts";

export type Link = Extract<Condition, { op: "linked" }>;

/** Records are visited in the plan's order, or those of one condition are gathered. */
export type AccessPath =
  | { readonly by: "order" }
  | { readonly by: "search" }
  | { readonly by: "link"; readonly link: Link }
  | { readonly by: "column"; readonly column: string };

export type Hints = {
  /** Undefined: nothing had to be counted, and the database may choose among the columns. */
  readonly path: AccessPath | undefined;
  /** The list has fewer records than the offset. */
  readonly isPastEnd: boolean;
};

/** Gives one row. */
export type AskRow = (compiled: Compiled) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** A way to the records of a page, by which a statement may begin. */
type Candidate = {
  readonly path: AccessPath;
  /** Selects a row for each record, or for each of the newest. */
  readonly select: string;
  /** Estimates how many records there are, where the rows are not all of them. */
  readonly estimate?: (rows: number, all: number) => number;
  /** Whether the records come in the plan's order, so that the statement stops when the page is full. */
  readonly inOrder: boolean;
  /** What it costs to come to one more record, and to test one that was come to by another path. */
  readonly visit: number;
  readonly test: number;
};

/** Counting more would take longer than most pages do, or any page should. */
const leastCounted = 5000;
const mostCounted = 400_000;

/** The newest records, by which it is judged how many a search matches: all matches can't be counted soon. */
const sampled = 2000;

export async function accessPath(plan: Plan, dialect: Dialect, ask: AskRow): Promise<Hints> {
  const known = obvious(plan);
  if (known !== undefined) return known;
  const { bind, parameters } = begin(dialect);
  const candidates = candidatesOf(plan, dialect, bind);
  const needed = plan.offset + plan.limit;
  const limit = Math.min(leastCounted + 2 * needed, mostCounted);
  const rows = dialect.rows(bind(limit));
  const counts = candidates.map(({ select }, at) => `, (select count(*) from (${select} limit ${rows}) q) as c${at}`);
  const total = `(${totalSql(plan.resource, tableOf(plan.resource))})`;
  const row = await ask({ sql: `select ${total} as total${counts.join("")}`, parameters });
  const all = Number(row?.total);
  const records = candidates.map(({ estimate }, at) => {
    const count = Number(row?.[`c${at}`]);
    return Math.min(estimate?.(count, all) ?? count, all);
  });
  const least = Math.min(all, ...records.filter((count, at) => count < limit && !candidates[at]?.estimate));
  return {
    path: cheapest(plan, candidates, records, { all, limit, needed }),
    isPastEnd: plan.offset > 0 && plan.offset >= least,
  };
}

/** What is known without a count. */
function obvious(plan: Plan): Hints | undefined {
  const isLeft = { path: undefined, isPastEnd: false };
  if (plan.newestOf !== undefined || isSought(plan)) return isLeft;
  if (plan.offset > leastCounted) return undefined;
  const [only, ...more] = plan.where.filter((each) => mayBegin(plan, each));
  if (only === undefined || standTogether(plan)) return isLeft;
  // Values of one column, in the default order: its index has both, and even a million are gathered soon enough.
  const isDefault = plan.order[0]?.column === plan.resource.order[0]?.column && plan.offset < deepFrom;
  if (more.length === 0 && only.op === "in" && isDefault) return isLeft;
  if (more.length > 0 || !isSorted(plan, only)) return undefined;
  if (only.op === "search") return { path: { by: "search" }, isPastEnd: false };
  return only.op === "linked" ? { path: { by: "link", link: only }, isPastEnd: false } : isLeft;
}

/** Whether a statement may begin with a condition, rather than with the plan's order. */
function mayBegin({ resource, order }: Plan, condition: Condition): boolean {
  if (!("column" in condition)) return true;
  const { op, column } = condition;
  if (column === order[0]?.column) return false;
  // A key's delay leaves out the newest few; to begin with it would be to begin with all others.
  if (op === "lte" && column === resource.sold.delay) return false;
  return column === resource.packed?.[0] || resource.indexes.some(([first]) => first === column);
}

/** Beginning with the plan's own order. */
function candidatesOf(plan: Plan, dialect: Dialect, bind: Bind): Candidate[] {
  const { resource, where } = plan;
  const table = tableOf(resource);
  const rowsOf = (column: string): string => {
    const tests = where
      .filter((each): each is ColumnCondition => "column" in each && each.column === column)
      .map((each) => columnTest(resource, each, "t", "t.key", { dialect, bind }));
    return `select 1 from ${table} t${tests.length === 0 ? "" : ` where ${tests.join(" and ")}`}`;
  };
  const found: Candidate[] = [{ path: { by: "order" }, ...inOrderOf(plan, rowsOf), inOrder: true, visit: 1, test: 0 }];
  const columns = new Set(where.flatMap((each) => ("column" in each && mayBegin(plan, each) ? [each.column] : [])));
  for (const column of columns) {
    const inOrder = where.some((each) => "column" in each && each.column === column && isSorted(plan, each));
    found.push({ path: { by: "column", column }, select: rowsOf(column), inOrder, visit: inOrder ? 1 : 2, test: 1 });
  }
  for (const each of where) {
    const inOrder = isSorted(plan, each);
    if (each.op === "search") found.push(searchCandidate(each, plan, dialect, bind, inOrder));
    if (each.op !== "linked") continue;
    const select = `select 1 from ${table}_link where kind = ${bind(each.kind)} and value ${among(each.values, bind)}`;
    const test = 0.5 + 0.3 * each.values.length;
    found.push({ path: { by: "link", link: each }, select, inOrder, visit: inOrder ? 1 : 2, test });
  }
  return found;
}

/** The records between the bounds of the order, or all of them. */
function inOrderOf({ where, order }: Plan, rowsOf: (column: string) => string): Pick<Candidate, "select" | "estimate"> {
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
  const rest = { path: { by: "search" }, inOrder, visit: cost.visit + (inOrder ? 0 : 2), test: cost.test } as const;
  const share = dialect.searchShare;
  if (share !== undefined) return { ...rest, select: "select 1", estimate: (_, all) => share * all };
  const table = tableOf(resource);
  const places = Object.keys(resource.places);
  const { key, from, test } = dialect.search(search, { table, places, place: undefined }, bind);
  const oldest = `select t.key from ${table} t order by t.key desc limit 1 offset ${sampled - 1}`;
  return {
    ...rest,
    select: `select 1 from ${from} where ${test} and ${key} >= coalesce((${oldest}), ${-(2n ** 63n)})`,
    // None among the newest need not mean that there are none.
    estimate: (rows, all) => (Math.max(rows, 0.5) / Math.max(Math.min(sampled, all), 1)) * all,
  };
}

type Sizes = { readonly all: number; readonly limit: number; readonly needed: number };

/** Conditions are taken to be independent of each other, and one that is not counted to leave a quarter. */
function cheapest(
  plan: Plan,
  candidates: readonly Candidate[],
  records: readonly number[],
  { all, limit, needed }: Sizes,
): AccessPath | undefined {
  const others = plan.where.filter(
    (each) => "column" in each && each.column !== plan.order[0]?.column && !mayBegin(plan, each),
  ).length;
  const shareOf = (at: number) => (records[at] ?? 0) / Math.max(all, 1);
  const costs = candidates.map(({ inOrder, visit }, at) => {
    const rest = candidates.map(({ test }, index) => ({ test, share: shareOf(index) })).toSpliced(at, 1);
    const share = rest.reduce((product, each) => product * each.share, 0.25 ** others);
    // Of a count that reached its limit no more is known than that.
    const most = (records[at] ?? 0) >= limit ? all : (records[at] ?? 0);
    const visited = inOrder ? Math.min(needed / Math.max(share, 1e-12), most) : most;
    return visited * (visit + others + costOfTests(rest));
  });
  return candidates[costs.indexOf(Math.min(...costs))]?.path;
}

/** The cheapest is made first, and the next one only on the records that it leaves. */
function costOfTests(tests: readonly { readonly test: number; readonly share: number }[]): number {
  let cost = 0;
  let left = 1;
  for (const { test, share } of tests.toSorted((a, b) => a.test - b.test)) {
    cost += left * test;
    left *= share;
  }
  return cost;
}
