// Merges the first records of each value of a column, such as a list of tickers, from index-only scans per value.
// Left alone, PostgreSQL's planner would scan the records of all values.

import { fieldOf } from "../../../core/catalog/resource.ts";
import type { Condition, Plan } from "../../../core/query/plan.ts";
import { tableName } from "../../sql/compile.ts";
import type { Bind, CompileScan } from "../../sql/dialect.ts";
import { isSelective } from "../../sql/index-scan.ts";

type MultiValue = Extract<Condition, { op: "in" }>;

/** Records to read for all values together; for more, scanning the records of all values is faster. */
const maxRecords = 100_000;

/** The keys of a page in order; undefined if no index has that order, or another access path is faster. */
export function multiValueKeys(plan: Plan, bind: Bind, compileScan: CompileScan): string | undefined {
  const condition = multiValueOf(plan);
  if (condition === undefined) return undefined;
  const { resource, where, order, limit, offset } = plan;
  const { column, values } = condition;
  const others = { ...plan, where: where.filter((each) => each !== condition) };
  const type = fieldOf(resource, column).column === "text" ? "text" : "bigint";
  const listed = `select distinct value from unnest(${bind(values)}::${type}[]) v (value)`;
  const select = order.map((each) => `t.${each.column}`).join(", ");
  const one = `${compileScan(others, `t.${column} = u.value`, select)} limit ${bind(limit + offset)}`;
  const by = (row: string) => order.map((each) => `${row}.${each.column} ${each.direction}`).join(", ");
  const first = `select o.* from (${listed}) u cross join lateral (${one}) o order by ${by("o")} limit ${bind(limit)} offset ${bind(offset)}`;
  // A join might scan the whole table if the planner overestimates the number of keys.
  return `select (select r.key from ${tableName(resource)} r where r.id = f.id) as key from (${first}) f order by ${by("f")}`;
}

export const isMultiValueScan = (plan: Plan): boolean => multiValueOf(plan) !== undefined;

/** The one condition with several values, if an index has the records of each value in the plan's order. */
function multiValueOf({ resource, where, order, latestPer, limit, offset }: Plan): MultiValue | undefined {
  const isMultiValue = (each: Condition): each is MultiValue => each.op === "in" && each.values.length > 1;
  const [condition, ...more] = where.filter(isMultiValue);
  if (condition === undefined || more.length > 0 || latestPer !== undefined) return undefined;
  if (condition.values.length * (limit + offset) > maxRecords) return undefined;
  // Another condition may be more selective.
  const isCoarse = !isSelective(resource, condition);
  const isRival = (each: Condition) =>
    !("column" in each) || isSelective(resource, each) || (isCoarse && (each.op === "eq" || each.op === "in"));
  if (where.some((each) => each !== condition && isRival(each))) return undefined;
  const isOneDirection = order.every(({ direction }) => direction === order[0]?.direction);
  const columns = [condition.column, ...order.map(({ column }) => column)];
  const isIndexed = resource.indexes.some((index) => columns.every((column, at) => index[at] === column));
  return isIndexed && isOneDirection && columns.at(-1) === "id" ? condition : undefined;
}
