// Evaluates a plan on rows in memory: the reference that both databases are tested against.
import type { Table } from "../catalog/extension.ts";
import { fieldOf } from "../catalog/resource.ts";
import { type Compared, compareText, type Row } from "../record/row.ts";
import { searchedPassages } from "../text/searchable-text.ts";
import { words } from "../text/tokenize.ts";
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

/** Where a row that matches stands in the list of a plan. */
export function positionOf(plan: Plan, row: Row): Position {
  const values = plan.order.map(({ column }) => comparedOf(plan.resource, column, row) ?? "");
  return plan.ranked ? [bestPlace(plan, row), ...values] : values;
}

export function matches(plan: Plan, row: Row): boolean {
  return plan.where.every((condition) => holds(plan.resource, condition, row));
}

function holds(resource: Table, condition: Condition, row: Row): boolean {
  switch (condition.op) {
    case "linked":
      return (resource.links[condition.kind]?.(row) ?? []).some((value) => condition.values.includes(value));
    case "in": {
      const value = comparedOf(resource, condition.column, row);
      return value !== null && condition.values.includes(value);
    }
    case "search": {
      const found = condition.phrases.map((phrase) =>
        placesOf(resource, row).some((passages) => hasPhrase(passages, phrase)),
      );
      return condition.combine === "and" ? found.every(Boolean) : found.some(Boolean);
    }
    default: {
      const value = comparedOf(resource, condition.column, row);
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

function bestPlace(plan: Plan, row: Row): number {
  const search = plan.where.find((condition) => condition.op === "search");
  if (search?.op !== "search") return 0;
  return placesOf(plan.resource, row).findIndex((passages) =>
    search.phrases.some((phrase) => hasPhrase(passages, phrase)),
  );
}

/** What was read of rows so far: each is held against many searches. */
const known = new WeakMap<Row, readonly (readonly string[])[]>();

/** The passages of each place as words between blanks. */
function placesOf(resource: Table, row: Row): readonly (readonly string[])[] {
  const spaced = (passage: string) => ` ${words(passage).join(" ")} `;
  const places = known.get(row) ?? searchedPassages(resource, row).map((passages) => passages.map(spaced));
  known.set(row, places);
  return places;
}

const hasPhrase = (passages: readonly string[], phrase: readonly string[]): boolean =>
  passages.some((passage) => passage.includes(` ${phrase.join(" ")} `));

const comparedOf = (resource: Table, column: string, row: Row): Compared => {
  const field = fieldOf(resource, column);
  return field.compare(row[column] ?? field.empty);
};

/** Which of two comes first: by place where the search ranks, then by the order. */
function comparePositions({ order, ranked }: Plan, a: Position, b: Position): number {
  const places = ranked ? 1 : 0;
  const nearer = ranked ? compareValues(a[0] ?? "", b[0] ?? "") : 0;
  if (nearer !== 0) return nearer;
  for (const [index, { direction }] of order.entries()) {
    const difference = compareValues(a[index + places] ?? "", b[index + places] ?? "");
    if (difference !== 0) return direction === "asc" ? difference : -difference;
  }
  return 0;
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareText(String(a), String(b));
}
