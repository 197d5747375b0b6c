// The newest record for each value of a column or kind of link. Values are found by going from one to the next in an
// index, so that the cost is that of the values and not of the records.
import type { Plan } from "../../core/query/plan.ts";
import { type ColumnCondition, columnTest } from "./comparisons.ts";
import type { Context } from "./compile.ts";

/**
 * Keys of a page of values, in the order of the values; where one record is the newest of several, it comes once. Values
 * that only records have which the plan leaves out are left out.
 */
export function newestKeys(plan: Plan, table: string, { dialect, bind }: Context): string {
  const { newestOf, resource, where, limit, offset } = plan;
  if (newestOf === undefined) throw new Error("the plan reads records, not values");
  const limits = () => `limit ${bind(limit)} offset ${bind(offset)}`;
  const conditions = where.filter((each): each is ColumnCondition => "column" in each);
  // A test of the key alone is made where the key is found, and begins the walk there.
  const key = "link" in newestOf ? "l.key" : "r.key";
  const tested = conditions.map((each) => ` and ${columnTest(resource, each, "r", key, { dialect, bind })}`).join("");
  if ("link" in newestOf) {
    const kind = `kind = ${bind(newestOf.link)}`;
    const usesTable = conditions.some(({ column }) => column !== resource.packed?.[0]);
    const records = usesTable ? ` join ${table} r on r.key = l.key` : "";
    const newest = `select l.key from ${table}_link l${records} where ${kind} and value = p.value${tested} order by l.key desc limit 1`;
    return `${valuesFrom(`${table}_link`, "value", `${kind} and`)} ${page("select distinct key", newest, tested, limits)}`;
  }
  const { column } = newestOf;
  const order = resource.order.map(({ column: each, direction }) => `r.${each} ${direction}`).join(", ");
  const newest = `select r.key from ${table} r where r.${column} = p.value${tested} order by ${order} limit 1`;
  return `${valuesFrom(table, column, "")} ${page("select key", newest, tested, limits)}`;
}

/** Where every value has a record, only those of the page are looked up. */
function page(select: string, newest: string, tested: string, limits: () => string): string {
  const values = "select value from v where value is not null";
  if (tested === "") return `${select} from (select (${newest}) as key from (${values} ${limits()}) p) n`;
  const all = `select p.value as value, (${newest}) as key from (${values}) p`;
  return `${select} from (select key from (${all}) n where key is not null order by value ${limits()}) s`;
}

/** Each value once, from the first that is not empty to the next greater one, until there is none. */
function valuesFrom(table: string, column: string, test: string): string {
  // One bound alone: of two, the database would begin at the one that is always the same.
  const after = (bound: string) =>
    `(select ${column} from ${table} where ${test} ${column} > ${bound} order by ${column} limit 1)`;
  return `with recursive v (value) as (select ${after("''")} union all select ${after("v.value")} from v where v.value is not null)`;
}
