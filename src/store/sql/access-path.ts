// Access path selection: which condition drives a statement, so that it visits the fewest records by bounded counts.
import type { Condition, Plan } from "../../core/query/plan.ts";
import { type Counted, canDrive, countCandidates, type QueryRow } from "./candidates.ts";
import { tableName } from "./compile.ts";
import { totalCountSql } from "./count-index.ts";
import type { Dialect } from "./dialect.ts";
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

/** Bounds of what is counted: more would take longer than reading most pages. */
const minCountLimit = 5000;
const maxCountLimit = 400_000;

export async function chooseAccessPath(plan: Plan, dialect: Dialect, queryRow: QueryRow): Promise<Hints> {
  const obvious = obviousHints(plan);
  if (obvious !== undefined) return obvious;
  const totalSql = `(${totalCountSql(plan.resource, tableName(plan.resource))})`;
  if (plan.offset > minCountLimit) {
    const row = await queryRow({ sql: `select ${totalSql} as total`, parameters: [] });
    if (plan.offset >= Number(row?.total)) return { path: undefined, isPastEnd: true };
  }
  const needed = plan.offset + plan.limit;
  // Up to the offset in any case: a condition with fewer records ends the list before the page.
  let limit = Math.max(Math.min(minCountLimit + 2 * needed, maxCountLimit), plan.offset + 1);
  for (;;) {
    const counted = await countCandidates(plan, dialect, queryRow, totalSql, limit);
    const found = cheapest(plan, counted, needed);
    const capped = counted.filter((each) => each.isCapped).length;
    const isUncertain = found.cost > costPerCount * capped * limit;
    if (capped === 0 || limit >= maxCountLimit || !isUncertain)
      return hintsFrom(plan, counted, found, dialect.lookupCost);
    limit = Math.min(limit * 8, maxCountLimit);
  }
}

/** Counts that reached their limit are repeated with a higher one if that costs much less than the cheapest path so far. */
const costPerCount = 8;

function hintsFrom(plan: Plan, counted: readonly Counted[], { path, visited }: Choice, lookupCost: number): Hints {
  const collected = counted.flatMap(({ path: other, entries, all }) => {
    if (other.by !== "link" || other === path) return [];
    // They end at the first value that a record has.
    const lookups = other.link.values.length / (1 + entries / Math.max(all, 1));
    return entries < lookupCost * visited * lookups ? [other.link] : [];
  });
  const least = Math.min(...counted.map(({ records, all, isExact }) => (isExact ? records : all)));
  const isPastEnd = plan.offset > 0 && plan.offset >= least;
  return { path, isPastEnd, collected, isNarrow: path.by !== "order" && visited < narrowPath };
}

const narrowPath = 200;

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

type Choice = { readonly path: AccessPath; readonly visited: number; readonly cost: number };

/** Assumes that conditions are independent, and that one without a count leaves a quarter of the records. */
function cheapest(plan: Plan, counted: readonly Counted[], needed: number): Choice {
  const others = plan.where.filter(
    (each) => "column" in each && each.column !== plan.order[0]?.column && !canDrive(plan, each),
  ).length;
  // Days and times are mostly in the same order: a scan of the oldest updates passes the records of older days first.
  const skipped = ({ by }: AccessPath) => (by === "order" ? Math.max(...counted.map(({ before }) => before)) : 0);
  const costs = counted.map((each, at): Choice => {
    const { path, inOrder, visitCost: visit, candidates: tested = 1, records, all, isCapped } = each;
    const rest = counted.toSpliced(at, 1).map((other) => ({ test: other.testCost, share: shareOf(other) }));
    const share = rest.reduce((product, other) => product * other.share, 0.25 ** others);
    const most = isCapped ? all : records;
    const visited = inOrder ? Math.min(skipped(path) + needed / Math.max(share, 1e-12), most) : most;
    return { path, visited: visited * tested, cost: visited * (visit + others + costOfTests(rest)) };
  });
  return costs.reduce((best, each) => (each.cost < best.cost ? each : best));
}

/** A count that reached its limit is only a lower bound: the share is assumed to be halfway to all, by magnitude. */
function shareOf({ records, all, isCapped }: Counted): number {
  const share = records / Math.max(all, 1);
  return isCapped ? Math.sqrt(share) : share;
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
