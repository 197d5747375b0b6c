// A plan evaluated on rows in memory: the judge that the stores are held against.
import type { Condition, Plan } from "./plan.ts";
import { fieldOf, type Resource } from "./resource.ts";
import { type Compared, compareText, type Row } from "./row.ts";
import { searchedPassages } from "./search.ts";
import { words } from "./words.ts";

export function evaluate(plan: Plan, rows: readonly Row[]): Row[] {
  const found = rows.filter((row) => matches(plan, row));
  const place = new Map(plan.ranked ? found.map((row) => [row, bestPlace(plan, row)] as const) : []);
  found.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0) || compareRows(plan, a, b));
  return found.slice(plan.offset, plan.offset + plan.limit);
}

export function matches(plan: Plan, row: Row): boolean {
  return plan.where.every((condition) => holds(plan.resource, condition, row));
}

function holds(resource: Resource, condition: Condition, row: Row): boolean {
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
      const order = compareValues(value, condition.value);
      switch (condition.op) {
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
  }
}

function bestPlace(plan: Plan, row: Row): number {
  const search = plan.where.find((condition) => condition.op === "search");
  if (search?.op !== "search") return 0;
  return placesOf(plan.resource, row).findIndex((passages) =>
    search.phrases.some((phrase) => hasPhrase(passages, phrase)),
  );
}

const placesOf = searchedPassages;

const hasPhrase = (passages: readonly string[], phrase: readonly string[]): boolean =>
  passages.some((passage) => ` ${words(passage).join(" ")} `.includes(` ${phrase.join(" ")} `));

const comparedOf = (resource: Resource, column: string, row: Row): Compared => {
  const field = fieldOf(resource, column);
  return field.compare(row[column] ?? field.empty);
};

function compareRows(plan: Plan, a: Row, b: Row): number {
  for (const { column, direction } of plan.order) {
    const order = compareValues(comparedOf(plan.resource, column, a), comparedOf(plan.resource, column, b));
    if (order !== 0) return direction === "asc" ? order : -order;
  }
  return 0;
}

function compareValues(a: Compared, b: Compared): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareText(String(a ?? ""), String(b ?? ""));
}
