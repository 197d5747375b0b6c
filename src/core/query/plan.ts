// A read, as data: nothing of HTTP above it, nothing of SQL in it.
import type { NewestOf, Table } from "../catalog/extension.ts";

export type Comparison = "eq" | "gt" | "gte" | "lt" | "lte";

export type Condition =
  | { readonly op: Comparison; readonly column: string; readonly value: string | number }
  | { readonly op: "in"; readonly column: string; readonly values: readonly (string | number)[] }
  /** One of the values stands in a list that the record holds. */
  | { readonly op: "linked"; readonly kind: string; readonly values: readonly string[] }
  /** Phrases, each a list of words as `words()` reads them. */
  | { readonly op: "search"; readonly phrases: readonly (readonly string[])[]; readonly combine: "and" | "or" };

export type Order = { readonly column: string; readonly direction: "asc" | "desc" };

/** Where a record stands in a list: the values of the order's columns, in compared form; its place first when ranked. */
export type Position = readonly (string | number)[];

export type Plan = {
  readonly resource: Table;
  readonly where: readonly Condition[];
  /** Ends in the id, so that no two records are equal and pages never overlap. All of it has one direction. */
  readonly order: readonly Order[];
  /** Records found in an earlier place of the search come first; `order` decides inside a place. */
  readonly ranked: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Only what comes after this position, which no record need have any more. */
  readonly after?: Position;
  /** Not the records but the values of a column or kind of link are paged, in their order; `where` is empty then. */
  readonly newestOf?: NewestOf;
  /** Which of the resource's heavy fields are filled; the others are answered empty and never read. */
  readonly filled: readonly string[];
};

/** The same for two plans exactly when they are pages of one list: the same records in the same order. */
export function canonicalList(plan: Plan): string {
  const known = lastPlans.indexOf(plan);
  if (known !== -1) return lastTexts[known] as string;
  const { resource, where, order, ranked } = plan;
  const text = JSON.stringify([resource.name, where, order, ranked]);
  lastPlans[nextPlace] = plan;
  lastTexts[nextPlace] = text;
  nextPlace = (nextPlace + 1) % mostRemembered;
  return text;
}

/** Needed for the tag of an answer, and for its cursor once its records are read; others are answered meanwhile. */
const mostRemembered = 32;
const lastPlans: Plan[] = [];
const lastTexts: string[] = [];
let nextPlace = 0;

export const newestFirst = (...columns: string[]): Order[] =>
  columns.map((column) => ({ column, direction: "desc" as const }));

export const oldestFirst = (...columns: string[]): Order[] =>
  columns.map((column) => ({ column, direction: "asc" as const }));
