// A page of several values of a column, such as a list of tickers: the beginning of each value's own list, read in an index
// alone, and then the first of all of them. For a database whose planner would rather walk the list of all values.
import type { Table } from "../core/extension.ts";
import type { Condition, Plan } from "../core/plan.ts";
import { fieldOf } from "../core/resource.ts";
import type { Bind } from "./dialect.ts";

type Several = Extract<Condition, { op: "in" }>;

/** The condition that is for several values, where an index has the records of each of them in the order of the plan. */
export function severalOf({ resource, where, order, newestOf }: Plan): Several | undefined {
  const isSeveral = (each: Condition): each is Several => each.op === "in" && each.values.length > 1;
  const [several, ...more] = where.filter(isSeveral);
  if (several === undefined || more.length > 0 || newestOf !== undefined) return undefined;
  // A list of few records is best begun with.
  if (where.some((each) => each !== several && (!("column" in each) || isFine(resource, each)))) return undefined;
  const isOneWay = order.every(({ direction }) => direction === order[0]?.direction);
  const columns = [several.column, ...order.map(({ column }) => column)];
  const stand = resource.indexes.some((index) => columns.every((column, at) => index[at] === column));
  return stand && isOneWay && columns.at(-1) === "id" ? several : undefined;
}

/** Whether a condition leaves few records. */
export const isFine = ({ coarse }: Table, condition: Condition): boolean =>
  (condition.op === "in" || condition.op === "eq") && !coarse.includes(condition.column);

/** Keys of a page in its order. `walk` gives what an index says of the records of one value, in their order. */
export function severalKeys(
  { resource, order, limit, offset }: Plan,
  { column, values }: Several,
  table: string,
  bind: Bind,
  walk: (way: { readonly begin: string; readonly select: string }) => string,
): string {
  const type = fieldOf(resource, column).column === "text" ? "text" : "bigint";
  const given = `select distinct value from unnest(${bind(values)}::${type}[]) v (value)`;
  const select = order.map((each) => `t.${each.column}`).join(", ");
  const one = `${walk({ begin: `t.${column} = u.value`, select })} limit ${bind(limit + offset)}`;
  const by = (row: string) => order.map((each) => `${row}.${each.column} ${each.direction}`).join(", ");
  const first = `select o.* from (${given}) u cross join lateral (${one}) o order by ${by("o")} limit ${bind(limit)} offset ${bind(offset)}`;
  return `select r.key as key from (${first}) f join ${table} r on r.id = f.id order by ${by("f")}`;
}
