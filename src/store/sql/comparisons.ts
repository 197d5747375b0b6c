// SQL for conditions on columns.

import type { Resource } from "../../core/catalog/resource.ts";
import { isTrue } from "../../core/query/evaluate.ts";
import type { Comparison, Condition, Plan, Position } from "../../core/query/plan.ts";
import type { Bind, Dialect } from "./dialect.ts";

export type ColumnCondition = Extract<Condition, { column: string }>;

export const isOnColumn = (condition: Condition, column: string | undefined): boolean =>
  "column" in condition && condition.column === column;

/** Whether a condition compares a column with one value. */
export const isOneValue = (condition: Condition): condition is ColumnCondition =>
  condition.op === "eq" || (condition.op === "in" && condition.values.length === 1);

/** Whether a condition is a key's delay: it excludes only the newest few records, so driving by it would visit all others. */
export const isDelay = ({ entitlements }: Pick<Resource, "entitlements">, condition: Condition): boolean =>
  condition.op === "lte" && condition.column === entitlements.delay;

const signs = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** Tests a row by its alias. `unindex` keeps the database from choosing an index for the condition. */
export function columnTest(
  { packedKey }: Pick<Resource, "packedKey">,
  condition: ColumnCondition,
  row: string,
  key: string,
  { dialect, bind, unindex = (each) => each }: { dialect: Dialect; bind: Bind; unindex?: Dialect["unindexedFor"] },
): string {
  const column = condition.column === packedKey?.[0] ? key : `${row}.${condition.column}`;
  const left = unindex(column, condition.op === "in" ? condition.values[0] : condition.value);
  if (condition.op === "in") return `${left} ${among(condition.values, bind)}`;
  if (condition.column === packedKey?.[0])
    return packedTest(condition.op, Number(condition.value), left, dialect, bind);
  return `${left} ${signs[condition.op]} ${bind(condition.value)}`;
}

/** Pads lists to a power of two with their last value, so that there are few distinct statements to prepare. */
export function among(values: readonly unknown[], bind: Bind): string {
  if (values.length === 1) return `= ${bind(values[0])}`;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const padded = Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)]);
  return `in (${padded.map(bind).join(", ")})`;
}

const max32 = 2 ** 32 - 1;

/** Turns a comparison of a packed key's high half into one of the whole key. */
function packedTest(op: Comparison, value: number, key: string, dialect: Dialect, bind: Bind): string {
  if (op === "eq")
    return `${packedTest("gte", value, key, dialect, bind)} and ${packedTest("lte", value, key, dialect, bind)}`;
  const upward = op === "gte" || op === "gt";
  // Integers: "> 5" is ">= 6".
  const from = op === "gt" || op === "lte" ? value + 1 : value;
  if (from > max32) return upward ? "1 = 0" : "1 = 1";
  if (from < 0) return upward ? "1 = 1" : "1 = 0";
  return `${key} ${upward ? ">=" : "<"} ${bind(dialect.packKey(from, 0))}`;
}

/** Whether everything after a position meets the condition anyway. Left in, it might be chosen as the start of the scan. */
export function isImplied({ order: [first] }: Plan, after: Position | undefined, condition: Condition): boolean {
  const [value] = after ?? [];
  if (first === undefined || value === undefined) return false;
  const { op } = condition;
  if (op === "in" || op === "linked" || op === "search" || op === "eq") return false;
  if (condition.column !== first.column || (first.direction === "desc") !== op.startsWith("lt")) return false;
  return isTrue(op, value, condition.value);
}
