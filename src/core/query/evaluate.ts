// Evaluates a plan on rows in memory: the reference that both databases are tested against.
import type { Table } from "../catalog/extension.ts";
import { fieldOf } from "../catalog/resource.ts";
import { type CompareKey, compareText, type Row } from "../record/row.ts";
import { searchablePassages } from "../text/searchable-text.ts";
import { tokenize } from "../text/tokenize.ts";
import type { Comparison, Condition, Plan, Position } from "./plan.ts";

export function evaluate(plan: Plan, rows: readonly Row[]): Row[] {
  const { after, offset, limit } = plan;
  return rows
    .filter((row) => matches(plan, row))
    .map((row) => ({ row, position: positionOf(plan, row) }))
    .filter(({ position }) => after === undefined || comparePositions(plan, position, after) > 0)
    .sort((a, b) => comparePositions(plan, a.position, b.position))
    .slice(offset, offset + limit)
    .map(({ row }) => row);
}

/** The position of a matching row in the list of a plan. */
export function positionOf(plan: Plan, row: Row): Position {
  const values = plan.order.map(({ column }) => compareKeyOf(plan.resource, column, row) ?? "");
  return plan.ranked ? [searchRank(plan, row), ...values] : values;
}

export function matches(plan: Plan, row: Row): boolean {
  return plan.where.every((condition) => holds(plan.resource, condition, row));
}

function holds(resource: Table, condition: Condition, row: Row): boolean {
  switch (condition.op) {
    case "linked":
      return (resource.links[condition.kind]?.(row) ?? []).some((value) => condition.values.includes(value));
    case "in": {
      const value = compareKeyOf(resource, condition.column, row);
      return value !== null && condition.values.includes(value);
    }
    case "search": {
      const found = condition.phrases.map((phrase) =>
        passagesOf(resource, row).some((passages) => hasPhrase(passages, phrase)),
      );
      return condition.combine === "and" ? found.every(Boolean) : found.some(Boolean);
    }
    default: {
      const value = compareKeyOf(resource, condition.column, row);
      if (value === null) return false;
      return isTrue(condition.op, value, condition.value);
    }
  }
}

export function isTrue(op: Comparison, value: string | number, bound: string | number): boolean {
  const order = compareValues(value, bound);
  switch (op) {
    case "eq":
      return order === 0;
    case "gt":
      return order > 0;
    case "gte":
      return order >= 0;
    case "lt":
      return order < 0;
    case "lte":
      return order <= 0;
  }
}

function searchRank(plan: Plan, row: Row): number {
  const search = plan.where.find((condition) => condition.op === "search");
  if (search?.op !== "search") return 0;
  return passagesOf(plan.resource, row).findIndex((passages) =>
    search.phrases.some((phrase) => hasPhrase(passages, phrase)),
  );
}

/** Tokenized passages: tests compare each row with many searches. */
const known = new WeakMap<Row, readonly (readonly string[])[]>();

/** The passages of each search field, as words separated by spaces. */
function passagesOf(resource: Table, row: Row): readonly (readonly string[])[] {
  const spaced = (passage: string) => ` ${tokenize(passage).join(" ")} `;
  const fields = known.get(row) ?? searchablePassages(resource, row).map((passages) => passages.map(spaced));
  known.set(row, fields);
  return fields;
}

const hasPhrase = (passages: readonly string[], phrase: readonly string[]): boolean =>
  passages.some((passage) => passage.includes(` ${phrase.join(" ")} `));

const compareKeyOf = (resource: Table, column: string, row: Row): CompareKey => {
  const field = fieldOf(resource, column);
  return field.compareKey(row[column] ?? field.empty);
};

/** By search rank if the plan is ranked, then by the order. */
function comparePositions({ order, ranked }: Plan, a: Position, b: Position): number {
  const skipped = ranked ? 1 : 0;
  const byRank = ranked ? compareValues(a[0] ?? "", b[0] ?? "") : 0;
  if (byRank !== 0) return byRank;
  for (const [index, { direction }] of order.entries()) {
    const difference = compareValues(a[index + skipped] ?? "", b[index + skipped] ?? "");
    if (difference !== 0) return direction === "asc" ? difference : -difference;
  }
  return 0;
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareText(String(a), String(b));
}
