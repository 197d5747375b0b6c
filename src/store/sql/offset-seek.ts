// Where a deep page begins: the period that holds its first record, found by counts, and what of the offset is left to be
// walked from there. Part of the statement that reads the page, so that both see the same records.
import { isTrue } from "../../core/query/evaluate.ts";
import type { Comparison, Condition, Order, Plan } from "../../core/query/plan.ts";
import { packKey } from "../rows/packed-key.ts";
import { type Counted, countedOf, secondText } from "./count-index.ts";
import type { Bind } from "./dialect.ts";

/** Walking over fewer records than this costs no more than looking up the counts, whatever is asked for. */
export const deepFrom = 250;

export type DeepPage = {
  /** Names `deep (edge, rest)`. Where the list ends before the page, it has no row, or a rest that leads past the end. */
  readonly with: string;
  /** That a record `t` does not come before the edge. */
  readonly test: string;
  /** The other conditions: the edge stands for the one that the list begins with. */
  readonly where: readonly Condition[];
  /** Takes the values of the rest of the statement. */
  readonly bind: Bind;
};

type Bound = Extract<Condition, { op: Comparison }>;

/** One way of counting: the table, and the sums over the groups that a plan asks for, in a row of it by its alias. */
export type Counts = {
  readonly counted: Counted;
  readonly records: string;
  readonly table: string;
  readonly held: (row: string) => string;
  readonly earlier: (row: string) => string;
};

/** How a page is begun by counts; undefined where they can't tell, or need not. */
export function deepPage(plan: Plan, records: string, bindOpenly: Bind): DeepPage | undefined {
  const counted = countedOf(plan.resource);
  const direction = directionOf(plan);
  if (counted === undefined || direction === undefined || plan.offset < deepFrom || plan.after) return undefined;
  const asked = countsFor(plan, counted, records);
  const begins = asked?.bounds.filter(({ op }) => op.startsWith(direction === "desc" ? "lt" : "gt")) ?? [];
  if (asked === undefined || begins.length > 1) return undefined;
  const { counts } = asked;
  const bind = unseen(bindOpenly);
  const [begin] = begins;
  const isDescending = direction === "desc";
  const edge = begin === undefined ? (isDescending ? totalOf(counts) : "0") : rankOf(begin, counts, bind);
  const rank = `${edge} ${isDescending ? "- 1 -" : "+"} ${bind(plan.offset)}`;
  return {
    with: `with place as materialized (select ${rank} as rank), ${remembered(counts, direction)}`,
    test: `t.${counted.day ?? "key"} ${isDescending ? "<=" : ">="} (select edge from deep)`,
    where: plan.where.filter((condition) => condition !== begin),
    bind,
  };
}

/** Whether deep pages of a list are begun by counts. */
export function isSought(plan: Plan): boolean {
  const counted = countedOf(plan.resource);
  if (counted === undefined || directionOf(plan) === undefined || plan.after) return false;
  return countsFor(plan, counted, "") !== undefined;
}

/**
 * Values that a planner can't see. PostgreSQL plans a statement anew for every value that it believes to be worth it, and
 * planning this one takes longer than running it; with nothing to see, it keeps one plan for all.
 */
const unseen =
  (bind: Bind): Bind =>
  (value) =>
    `(select cast(${bind(value)} as ${typeof value === "string" ? "text" : "bigint"}))`;

/** The direction in which the default order is walked, if that is the order. */
function directionOf({ resource, order }: Plan): Order["direction"] | undefined {
  const direction = order[0]?.direction;
  const isDefault =
    order.length === resource.order.length &&
    order.every((each, index) => each.column === resource.order[index]?.column && each.direction === direction);
  return isDefault ? direction : undefined;
}

/** How the records of a plan are counted, and the bounds of its list; undefined when it asks for what is not counted. */
export function countsFor(
  plan: Plan,
  counted: Counted,
  records: string,
): { readonly counts: Counts; readonly bounds: readonly Bound[] } | undefined {
  const asked = questionOf(plan, counted);
  if (asked === undefined) return undefined;
  const { terms, bounds } = asked;
  const sum = (names: readonly string[]) => (row: string) => {
    const added = terms.map(({ sign, group }) => `${sign} ${row}.${names[group]}`).join(" ");
    return terms.length === 1 ? added.slice(2) : `(${added.slice(2)})`;
  };
  const [held, earlier] = [sum(counted.held), sum(counted.earlier)];
  return { counts: { counted, records, table: `${records}_count`, held, earlier }, bounds };
}

type Term = { readonly sign: "+" | "-"; readonly group: number };

/** Groups whose records together are those asked for, and the bounds of the list; undefined when anything else is asked. */
function questionOf(
  { where, order: [first] }: Plan,
  { columns, values, groups }: Counted,
): { terms: Term[]; bounds: Bound[] } | undefined {
  const bounds: Bound[] = [];
  const asked = values.map((each) => [...each]);
  for (const condition of where) {
    if (condition.op === "linked" || condition.op === "search") return undefined;
    const column = columns.indexOf(condition.column);
    if (column !== -1) asked[column] = (asked[column] ?? []).filter((value) => holds(condition, value));
    else if (condition.column === first?.column && condition.op !== "in" && condition.op !== "eq")
      bounds.push(condition);
    else return undefined;
  }
  // From the least of a run of values on, less those from its end on; for each column, multiplied out.
  let terms: { sign: 1 | -1; least: number[] }[] = [{ sign: 1, least: [] }];
  for (const [column, wanted] of asked.entries()) {
    const edges = (values[column] ?? []).flatMap((value, index, all) => {
      const before = index > 0 && wanted.includes(all[index - 1] ?? 0);
      return wanted.includes(value) === before ? [] : [{ sign: before ? (-1 as const) : (1 as const), value }];
    });
    terms = terms.flatMap(({ sign, least }) =>
      edges.map((edge) => ({ sign: (sign * edge.sign) as 1 | -1, least: [...least, edge.value] })),
    );
  }
  if (terms.length === 0) return undefined;
  const known = groups.map((group) => group.join());
  return {
    terms: terms.map(({ sign, least }) => ({ sign: sign === 1 ? "+" : "-", group: known.indexOf(least.join()) })),
    bounds,
  };
}

const holds = (condition: Extract<Condition, { column: string }>, value: number): boolean =>
  condition.op === "in" ? condition.values.includes(value) : isTrue(condition.op, value, condition.value);

/** How many records there are. */
const totalOf = ({ table, held, earlier }: Counts): string =>
  `coalesce((select ${earlier("c")} + ${held("c")} from ${table} c where c.parent = '' order by c.period desc limit 1), 0)`;

/** How many records a bound leaves out at the old end of the list, or lets in from there. */
function rankOf({ op, value }: Bound, counts: Counts, bind: Bind): string {
  const isIncluded = op === "gt" || op === "lte";
  const upTo = (place: string, included: boolean) =>
    countBefore((length) => bind(place.slice(0, length)), included, counts);
  if (counts.counted.day !== undefined) return upTo(String(value), isIncluded);
  const finest = finestSeconds(counts.counted);
  // Whole numbers: "up to 5" is "before 6".
  const asked = Math.max(Number(value) + (isIncluded ? 1 : 0), 0);
  // Every record is before the end of the last period, which no key can hold.
  const before = asked < 2 ** 32 ? asked : Math.ceil(2 ** 32 / finest) * finest;
  const begun = before - (before % finest);
  const whole = upTo(secondText(begun), false);
  if (begun === before) return whole;
  const [from, to] = [begun, before].map((second) => bind(packKey(second, 0)));
  return `${whole} + (select count(*) from ${counts.records} t where t.key >= ${from} and t.key < ${to})`;
}

export const finestSeconds = ({ lengths }: Counted): number => 10 ** (10 - (lengths.at(-1) ?? 0));

/**
 * Records of the periods before the one that a place begins with, or of that one too, by one look at each step.
 * `beginning` gives so many characters of the place.
 */
export function countBefore(
  beginning: (length: number) => string,
  isIncluded: boolean,
  { counted, table, held, earlier }: Counts,
): string {
  const { lengths } = counted;
  const looks = lengths.map((length, step) => {
    const parent = beginning(lengths[step - 1] ?? 0);
    const sign = isIncluded && step === lengths.length - 1 ? "<=" : "<";
    const last = `c.parent = ${parent} and c.period ${sign} ${beginning(length)} order by c.period desc limit 1`;
    return `coalesce((select ${earlier("c")} + ${held("c")} from ${table} c where ${last}), 0)`;
  });
  return looks.join(" + ");
}

const known = new Map<string, string>();

/** The steps, of which there are few and which are long: putting them together takes as long as a good part of the read. */
function remembered(counts: Counts, direction: Order["direction"]): string {
  const name = `${counts.table} ${counts.held("")} ${direction}`;
  const text = known.get(name) ?? steps(counts, direction);
  known.set(name, text);
  return text;
}

/** From the rank of a record, counted from the oldest, to its period, and to how many of that period come before it. */
function steps({ counted, table, held, earlier }: Counts, direction: Order["direction"]): string {
  const isDescending = direction === "desc";
  const named = counted.lengths.map((_, step) => {
    const parent = step === 0 ? "''" : "q.period";
    const from = step === 0 ? "place q" : `step${step - 1} q`;
    // Siblings are walked from the newest; the first whose earlier ones hold no more than the rank has the record.
    const found = `select s.period from ${table} s where s.parent = ${parent} and ${earlier("s")} <= q.rank order by s.period desc limit 1`;
    return `step${step} as (select c.period as period, q.rank - ${earlier("c")} as rank, ${held("c")} as n from ${from} join ${table} c on c.parent = ${parent} and c.period = (${found}))`;
  });
  const rest = isDescending ? "n - 1 - rank" : "rank";
  const last = `select ${edgeOf(counted, isDescending)} as edge, ${rest} as rest from step${counted.lengths.length - 1}`;
  return `${named.join(", ")}, deep as materialized (${last})`;
}

/** The last value of the period in the order that is walked backwards, or the first. */
function edgeOf(counted: Counted, isLast: boolean): string {
  if (counted.day !== undefined) return "period";
  const finest = finestSeconds(counted);
  const key = (periods: string) => `(${periods} * ${finest} - ${2 ** 31}) * ${2 ** 32}`;
  if (!isLast) return key("cast(period as bigint)");
  // The last period ends after the last second that a key can hold.
  const last = secondText(2 ** 32 - 1).slice(0, counted.lengths.at(-1));
  return `case when period = '${last}' then ${2n ** 63n - 1n} else ${key("(cast(period as bigint) + 1)")} - 1 end`;
}
