// Conditions on columns, as SQL.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Comparison, Condition } from "../../core/query/plan.ts";
import type { Bind, Dialect } from "./dialect.ts";

export type ColumnCondition = Extract<Condition, { column: string }>;

const signs = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** The test of a row by its alias. `hide` is for a condition that may not choose the index. */
export function columnTest(
  { packed }: Pick<Resource, "packed">,
  condition: ColumnCondition,
  row: string,
  key: string,
  { dialect, bind, hide = (each) => each }: { dialect: Dialect; bind: Bind; hide?: Dialect["hidden"] },
): string {
  const column = condition.column === packed?.[0] ? key : `${row}.${condition.column}`;
  const left = hide(column, condition.op === "in" ? condition.values[0] : condition.value);
  if (condition.op === "in") return `${left} ${among(condition.values, bind)}`;
  if (condition.column === packed?.[0]) return packedTest(condition.op, Number(condition.value), left, dialect, bind);
  return `${left} ${signs[condition.op]} ${bind(condition.value)}`;
}

/** Lists are padded to a power of two with their last value, so that statements have few shapes. */
export function among(values: readonly unknown[], bind: Bind): string {
  if (values.length === 1) return `= ${bind(values[0])}`;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const filled = Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)]);
  return `in (${filled.map(bind).join(", ")})`;
}

const most32 = 2 ** 32 - 1;

/** A comparison of the high half of the key, as one of the whole key. */
function packedTest(op: Comparison, value: number, key: string, dialect: Dialect, bind: Bind): string {
  if (op === "eq")
    return `${packedTest("gte", value, key, dialect, bind)} and ${packedTest("lte", value, key, dialect, bind)}`;
  const upward = op === "gte" || op === "gt";
  // Whole numbers: "greater than 5" is "from 6 on".
  const from = op === "gt" || op === "lte" ? value + 1 : value;
  if (from > most32) return upward ? "1 = 0" : "1 = 1";
  if (from < 0) return upward ? "1 = 1" : "1 = 0";
  return `${key} ${upward ? ">=" : "<"} ${bind(dialect.pack(from, 0))}`;
}
