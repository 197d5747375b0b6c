// A page of several values of a column, such as a list of tickers, on PostgreSQL: the beginning of each value's own list,
// read in an index alone, and then the first of all of them. Its planner would rather walk the list of all values.

import { fieldOf } from "../../../core/catalog/resource.ts";
import type { Condition, Plan } from "../../../core/query/plan.ts";
import { tableOf } from "../../sql/compile.ts";
import type { Bind, WalkOne } from "../../sql/dialect.ts";
import { isFine } from "../../sql/index-scan.ts";

type Several = Extract<Condition, { op: "in" }>;

/** Of all beginnings together; the list of all values is sooner walked than more of them are. */
const mostBegun = 100_000;

/** Keys of a page in its order; undefined where the values have no lists in that order, or something else finds it sooner. */
export function severalKeys(plan: Plan, bind: Bind, walk: WalkOne): string | undefined {
  const several = severalOf(plan);
  if (several === undefined) return undefined;
  const { resource, where, order, limit, offset } = plan;
  const { column, values } = several;
  const others = { ...plan, where: where.filter((each) => each !== several) };
  const type = fieldOf(resource, column).column === "text" ? "text" : "bigint";
  const given = `select distinct value from unnest(${bind(values)}::${type}[]) v (value)`;
  const select = order.map((each) => `t.${each.column}`).join(", ");
  const one = `${walk(others, `t.${column} = u.value`, select)} limit ${bind(limit + offset)}`;
  const by = (row: string) => order.map((each) => `${row}.${each.column} ${each.direction}`).join(", ");
  const first = `select o.* from (${given}) u cross join lateral (${one}) o order by ${by("o")} limit ${bind(limit)} offset ${bind(offset)}`;
  // Joined, the whole table might be read for keys that are believed to be many.
  return `select (select r.key from ${tableOf(resource)} r where r.id = f.id) as key from (${first}) f order by ${by("f")}`;
}

/** Whether a page is found value by value, with nothing to be counted. */
export const isOfSeveral = (plan: Plan): boolean => severalOf(plan) !== undefined;

/** The condition that is for several values, where an index has the records of each of them in the order of the plan. */
function severalOf({ resource, where, order, newestOf, limit, offset }: Plan): Several | undefined {
  const isSeveral = (each: Condition): each is Several => each.op === "in" && each.values.length > 1;
  const [several, ...more] = where.filter(isSeveral);
  if (several === undefined || more.length > 0 || newestOf !== undefined) return undefined;
  if (several.values.length * (limit + offset) > mostBegun) return undefined;
  // A list of fewer records is best begun with.
  const isCoarse = !isFine(resource, several);
  const isRival = (each: Condition) =>
    !("column" in each) || isFine(resource, each) || (isCoarse && (each.op === "eq" || each.op === "in"));
  if (where.some((each) => each !== several && isRival(each))) return undefined;
  const isOneWay = order.every(({ direction }) => direction === order[0]?.direction);
  const columns = [several.column, ...order.map(({ column }) => column)];
  const stand = resource.indexes.some((index) => columns.every((column, at) => index[at] === column));
  return stand && isOneWay && columns.at(-1) === "id" ? several : undefined;
}
