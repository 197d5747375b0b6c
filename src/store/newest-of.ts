// The newest record for each value of a column or kind of link. Values are found by going from one to the next in an
// index, so that the cost is that of the values and not of the records.
import type { Plan } from "../core/plan.ts";
import type { Bind } from "./dialect.ts";

/** Keys of a page of values, in the order of the values; where one record is the newest of several, it comes once. */
export function newestKeys(plan: Plan, table: string, bind: Bind): string {
  const { newestOf, resource, limit, offset } = plan;
  if (newestOf === undefined) throw new Error("the plan reads records, not values");
  const limits = () => `limit ${bind(limit)} offset ${bind(offset)}`;
  if ("link" in newestOf) {
    const kind = `kind = ${bind(newestOf.link)}`;
    const newest = `select key from ${table}_link where ${kind} and value = p.value order by key desc limit 1`;
    return `${valuesFrom(`${table}_link`, "value", `${kind} and`)} select distinct (${newest}) as key from (select value from v where value is not null ${limits()}) p`;
  }
  const { column } = newestOf;
  const order = resource.order.map(({ column: each, direction }) => `${each} ${direction}`).join(", ");
  const newest = `select key from ${table} where ${column} = p.value order by ${order} limit 1`;
  return `${valuesFrom(table, column, "")} select (${newest}) as key from (select value from v where value is not null ${limits()}) p`;
}

/** Each value once, from the first that is not empty to the next greater one, until there is none. */
function valuesFrom(table: string, column: string, test: string): string {
  // One bound alone: of two, the database would begin at the one that is always the same.
  const after = (bound: string) =>
    `(select ${column} from ${table} where ${test} ${column} > ${bound} order by ${column} limit 1)`;
  return `with recursive v (value) as (select ${after("''")} union all select ${after("v.value")} from v where v.value is not null)`;
}
