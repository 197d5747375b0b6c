// Offset seek: the count index locates the period of a deep page's first record, so that only the rest of the offset is
// scanned. Part of the statement that reads the page, so that both see the same snapshot.
import { isTrue } from "../../core/query/evaluate.ts";
import type { Comparison, Condition, Order, Plan } from "../../core/query/plan.ts";
import { packKey } from "../rows/packed-key.ts";
import { type CountIndex, countIndexOf, secondsText } from "./count-index.ts";
import type { Bind } from "./dialect.ts";

/** Scanning fewer records than this costs no more than looking up the counts. */
export const minSeekOffset = 250;

type OffsetSeek = {
  /** Defines `seek (edge, rest)`. If the list ends before the page, it has no row, or a rest past the end. */
  readonly with: string;
  /** Tests that a record `t` doesn't come before the edge. */
  readonly test: string;
  /** The other conditions: the edge replaces the bound at which the list starts. */
  readonly where: readonly Condition[];
  /** Binds the values of the rest of the statement. */
  readonly bind: Bind;
};

type Bound = Extract<Condition, { op: Comparison }>;

/** The count table, and sums over the groups that a plan selects, in a row by its alias. */
export type CountSource = {
  readonly index: CountIndex;
  readonly records: string;
  readonly table: string;
  readonly inPeriod: (row: string) => string;
  readonly earlier: (row: string) => string;
};

/** Starts a page by counts; undefined if they don't apply or aren't worth it. */
export function compileOffsetSeek(plan: Plan, records: string, bindVisibly: Bind): OffsetSeek | undefined {
  const index = countIndexOf(plan.resource);
  const direction = scanDirection(plan);
  if (index === undefined || direction === undefined || plan.offset < minSeekOffset || plan.after) return undefined;
  const found = countsFor(plan, index, records);
  const starts = found?.bounds.filter(({ op }) => op.startsWith(direction === "desc" ? "lt" : "gt")) ?? [];
  if (found === undefined || starts.length > 1) return undefined;
  const { counts } = found;
  const bind = hideFromPlanner(bindVisibly);
  const [start] = starts;
  const isDescending = direction === "desc";
  const edge = start === undefined ? (isDescending ? totalCount(counts) : "0") : boundRank(start, counts, bind);
  const rank = `${edge} ${isDescending ? "- 1 -" : "+"} ${bind(plan.offset)}`;
  return {
    with: `with target as materialized (select ${rank} as rank), ${cachedSteps(counts, direction)}`,
    test: `t.${index.day ?? "key"} ${isDescending ? "<=" : ">="} (select edge from seek)`,
    where: plan.where.filter((condition) => condition !== start),
    bind,
  };
}

/** Whether deep pages of a list are found by counts. */
export function canSeek(plan: Plan): boolean {
  const index = countIndexOf(plan.resource);
  if (index === undefined || scanDirection(plan) === undefined || plan.after) return false;
  return countsFor(plan, index, "") !== undefined;
}

/**
 * Hides values from the planner. PostgreSQL replans a statement whenever it expects a better plan for specific values, and
 * planning this one takes longer than running it; without visible values, it settles for a generic plan.
 */
const hideFromPlanner =
  (bind: Bind): Bind =>
  (value) =>
    `(select cast(${bind(value)} as ${typeof value === "string" ? "text" : "bigint"}))`;

/** The scan direction, if records are ordered by the counted periods: by day, or else in the default order or its reverse. */
function scanDirection({ resource, order }: Plan): Order["direction"] | undefined {
  const direction = order[0]?.direction;
  const counted = resource.packedKey === undefined ? resource.order.slice(0, 1) : resource.order;
  const isCounted =
    order.length >= counted.length &&
    order.every(
      (each, index) => each.direction === direction && each.column === (counted[index]?.column ?? each.column),
    );
  return isCounted ? direction : undefined;
}

/** Counts the records within the bounds on the counted order, by a few lookups; undefined if they aren't counted. */
export function compileCountWithin(plan: Plan, records: string, bind: Bind): string | undefined {
  const index = countIndexOf(plan.resource);
  if (index === undefined || scanDirection(plan) === undefined) return undefined;
  const where = plan.where.filter((each) => "column" in each && each.column === plan.order[0]?.column);
  const found = countsFor({ ...plan, where }, index, records);
  if (found === undefined) return undefined;
  const { counts, bounds } = found;
  // Both the request and the terms of its key may set bounds: the narrowest apply, and of equal ones the exclusive one.
  const narrowest = (direction: "lt" | "gt"): Bound | undefined =>
    bounds
      .filter(({ op }) => op.startsWith(direction))
      .toSorted((a, b) =>
        a.value === b.value ? a.op.length - b.op.length : a.value > b.value === (direction === "gt") ? -1 : 1,
      )[0];
  const [upper, lower] = [narrowest("lt"), narrowest("gt")];
  const before = upper === undefined ? totalCount(counts) : boundRank(upper, counts, bind);
  return lower === undefined ? before : `${before} - (${boundRank(lower, counts, bind)})`;
}

/** How a plan's records are counted, and the bounds of its list; undefined if a condition isn't covered by the counts. */
export function countsFor(
  plan: Plan,
  index: CountIndex,
  records: string,
): { readonly counts: CountSource; readonly bounds: readonly Bound[] } | undefined {
  const matched = groupTerms(plan, index);
  if (matched === undefined) return undefined;
  const { terms, bounds } = matched;
  const sum = (names: readonly string[]) => (row: string) => {
    const added = terms.map(({ sign, group }) => `${sign} ${row}.${names[group]}`).join(" ");
    return terms.length === 1 ? added.slice(2) : `(${added.slice(2)})`;
  };
  const [inPeriod, earlier] = [sum(index.inPeriod), sum(index.earlier)];
  return { counts: { index, records, table: `${records}_count`, inPeriod, earlier }, bounds };
}

type Term = { readonly sign: "+" | "-"; readonly group: number };

/** Groups that add up to the plan's records, and the bounds of the list; undefined for any other condition. */
function groupTerms(
  { where, order: [first] }: Plan,
  { columns, values, groups }: CountIndex,
): { terms: Term[]; bounds: Bound[] } | undefined {
  const bounds: Bound[] = [];
  const allowed = values.map((each) => [...each]);
  for (const condition of where) {
    if (condition.op === "linked" || condition.op === "search") return undefined;
    const column = columns.indexOf(condition.column);
    if (column !== -1) allowed[column] = (allowed[column] ?? []).filter((value) => satisfies(condition, value));
    else if (condition.column === first?.column && condition.op !== "in" && condition.op !== "eq")
      bounds.push(condition);
    else return undefined;
  }
  // Inclusion–exclusion: for each run of allowed values, the group at its start minus the one after its end.
  let terms: { sign: 1 | -1; least: number[] }[] = [{ sign: 1, least: [] }];
  for (const [column, selected] of allowed.entries()) {
    const edges = (values[column] ?? []).flatMap((value, index, all) => {
      const before = index > 0 && selected.includes(all[index - 1] ?? 0);
      return selected.includes(value) === before ? [] : [{ sign: before ? (-1 as const) : (1 as const), value }];
    });
    terms = terms.flatMap(({ sign, least }) =>
      edges.map((edge) => ({ sign: (sign * edge.sign) as 1 | -1, least: [...least, edge.value] })),
    );
  }
  if (terms.length === 0) return undefined;
  const names = groups.map((group) => group.join());
  return {
    terms: terms.map(({ sign, least }) => ({ sign: sign === 1 ? "+" : "-", group: names.indexOf(least.join()) })),
    bounds,
  };
}

const satisfies = (condition: Extract<Condition, { column: string }>, value: number): boolean =>
  condition.op === "in" ? condition.values.includes(value) : isTrue(condition.op, value, condition.value);

/** Counts all records of the list. */
const totalCount = ({ table, inPeriod, earlier }: CountSource): string =>
  `coalesce((select ${earlier("c")} + ${inPeriod("c")} from ${table} c where c.parent = '' order by c.period desc limit 1), 0)`;

/** The rank of a bound: how many records come before it, counted from the oldest. */
function boundRank({ op, value }: Bound, counts: CountSource, bind: Bind): string {
  const isIncluded = op === "gt" || op === "lte";
  const upTo = (position: string, included: boolean) =>
    countBefore((length) => bind(position.slice(0, length)), included, counts);
  if (counts.index.day !== undefined) return upTo(String(value), isIncluded);
  const finest = finestSeconds(counts.index);
  // Integers: "<= 5" is "< 6".
  const end = Math.max(Number(value) + (isIncluded ? 1 : 0), 0);
  // Every record comes before the end of the last period, which exceeds the largest key.
  const before = end < 2 ** 32 ? end : Math.ceil(2 ** 32 / finest) * finest;
  const periodStart = before - (before % finest);
  const whole = upTo(secondsText(periodStart), false);
  if (periodStart === before) return whole;
  const [from, to] = [periodStart, before].map((second) => bind(packKey(second, 0)));
  return `${whole} + (select count(*) from ${counts.records} t where t.key >= ${from} and t.key < ${to})`;
}

export const finestSeconds = ({ lengths }: CountIndex): number => 10 ** (10 - (lengths.at(-1) ?? 0));

/**
 * Counts the records of the periods before a position's, or up to and including it, with one lookup per level. `prefix`
 * returns the first characters of the position.
 */
export function countBefore(
  prefix: (length: number) => string,
  isIncluded: boolean,
  { index, table, inPeriod, earlier }: CountSource,
): string {
  const { lengths } = index;
  const lookups = lengths.map((length, level) => {
    const parent = prefix(lengths[level - 1] ?? 0);
    const sign = isIncluded && level === lengths.length - 1 ? "<=" : "<";
    const last = `c.parent = ${parent} and c.period ${sign} ${prefix(length)} order by c.period desc limit 1`;
    return `coalesce((select ${earlier("c")} + ${inPeriod("c")} from ${table} c where ${last}), 0)`;
  });
  return lookups.join(" + ");
}

const stepsCache = new Map<string, string>();

/** There are few distinct texts, and building one takes a good part of the time of the read itself. */
function cachedSteps(counts: CountSource, direction: Order["direction"]): string {
  const name = `${counts.table} ${counts.inPeriod("")} ${direction}`;
  const text = stepsCache.get(name) ?? steps(counts, direction);
  stepsCache.set(name, text);
  return text;
}

/** Descends from a record's rank, counted from the oldest, to its period and its rank within it. */
function steps({ index, table, inPeriod, earlier }: CountSource, direction: Order["direction"]): string {
  const isDescending = direction === "desc";
  const levels = index.lengths.map((_, level) => {
    const parent = level === 0 ? "''" : "q.period";
    const from = level === 0 ? "target q" : `step${level - 1} q`;
    // Siblings are scanned from the newest; the first whose earlier ones hold no more than the rank has the record.
    const found = `select s.period from ${table} s where s.parent = ${parent} and ${earlier("s")} <= q.rank order by s.period desc limit 1`;
    return `step${level} as (select c.period as period, q.rank - ${earlier("c")} as rank, ${inPeriod("c")} as n from ${from} join ${table} c on c.parent = ${parent} and c.period = (${found}))`;
  });
  const rest = isDescending ? "n - 1 - rank" : "rank";
  const last = `select ${periodEdge(index, isDescending)} as edge, ${rest} as rest from step${index.lengths.length - 1}`;
  return `${levels.join(", ")}, seek as materialized (${last})`;
}

/** The first value of a period, or the last one for a descending scan. */
function periodEdge(index: CountIndex, isLast: boolean): string {
  if (index.day !== undefined) return "period";
  const finest = finestSeconds(index);
  const key = (periods: string) => `(${periods} * ${finest} - ${2 ** 31}) * ${2 ** 32}`;
  if (!isLast) return key("cast(period as bigint)");
  // The last period ends after the largest timestamp that fits a key.
  const last = secondsText(2 ** 32 - 1).slice(0, index.lengths.at(-1));
  return `case when period = '${last}' then ${2n ** 63n - 1n} else ${key("(cast(period as bigint) + 1)")} - 1 end`;
}
