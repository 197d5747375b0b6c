// The latest record per value of a column or link kind. A loose index scan finds the values, so that the cost depends on
// the number of values, not of records.
import type { Plan } from "../../core/query/plan.ts";
import { type ColumnCondition, columnTest } from "./comparisons.ts";
import type { Context } from "./compile.ts";

/** Selects the keys for a page of values, ordered by value, each once. Values without a matching record are omitted. */
export function compileLatestKeys(plan: Plan, table: string, { dialect, bind }: Context): string {
  const { latestPer, resource, where, having = [], limit, offset } = plan;
  if (latestPer === undefined) throw new Error("the plan isn't grouped by a value");
  const limits = () => `limit ${bind(limit)} offset ${bind(offset)}`;
  const conditions = where.filter((each): each is ColumnCondition => "column" in each);
  // A test of the key alone applies where the key is found, so that the scan can start there.
  const key = "link" in latestPer ? "l.key" : "r.key";
  const tests = conditions.map((each) => ` and ${columnTest(resource, each, "r", key, { dialect, bind })}`).join("");
  if ("link" in latestPer) {
    const kind = `kind = ${bind(latestPer.link)}`;
    const usesTable = conditions.some(({ column }) => column !== resource.packedKey?.[0]);
    const records = usesTable ? ` join ${table} r on r.key = l.key` : "";
    const newest = `select l.key from ${table}_link l${records} where ${kind} and value = p.value${tests} order by l.key desc limit 1`;
    return `${distinctValues(`${table}_link`, "value", `${kind} and`)} ${page("select distinct key", newest, tests, limits)}`;
  }
  const filters = having
    .filter((each): each is ColumnCondition => "column" in each)
    .map((each) => ` and ${columnTest(resource, each, "h", "h.key", { dialect, bind })}`)
    .join("");
  const filtered = filters === "" ? undefined : { table, filters };
  const { column } = latestPer;
  const order = resource.order.map(({ column: each, direction }) => `r.${each} ${direction}`).join(", ");
  const newest = `select r.key from ${table} r where r.${column} = p.value${tests} order by ${order} limit 1`;
  return `${distinctValues(table, column, "")} ${page("select key", newest, tests, limits, filtered)}`;
}

/** Without conditions every value has a record, so that only those of the page are looked up. */
function page(
  select: string,
  newest: string,
  tests: string,
  limits: () => string,
  filtered?: { readonly table: string; readonly filters: string },
): string {
  const values = "select value from v where value is not null";
  if (tests === "" && filtered === undefined)
    return `${select} from (select (${newest}) as key from (${values} ${limits()}) p) n`;
  const all = `select p.value as value, (${newest}) as key from (${values}) p`;
  const visible =
    filtered === undefined
      ? `(${all}) n where key is not null`
      : `(${all}) n join ${filtered.table} h on h.key = n.key where n.key is not null${filtered.filters}`;
  return `${select} from (select n.key from ${visible} order by n.value ${limits()}) s`;
}

/** Each distinct value: the first nonempty one, then the next greater one, until there is none. */
function distinctValues(table: string, column: string, test: string): string {
  // Only one bound: of two, the database would start at the constant one.
  const after = (bound: string) =>
    `(select ${column} from ${table} where ${test} ${column} > ${bound} order by ${column} limit 1)`;
  return `with recursive v (value) as (select ${after("''")} union all select ${after("v.value")} from v where v.value is not null)`;
}
