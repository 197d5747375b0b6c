// Query plans as data, independent of HTTP and SQL.
import type { LatestPerGroup, Table } from "../catalog/extension.ts";

export type Comparison = "eq" | "gt" | "gte" | "lt" | "lte";

export type Condition =
  | { readonly op: Comparison; readonly column: string; readonly value: string | number }
  | { readonly op: "in"; readonly column: string; readonly values: readonly (string | number)[] }
  /** The record is linked to one of the values. */
  | { readonly op: "linked"; readonly kind: string; readonly values: readonly string[] }
  /** Phrases, each a list of words as `tokenize()` returns them. */
  | { readonly op: "search"; readonly phrases: readonly (readonly string[])[]; readonly combine: "and" | "or" };

export type Order = { readonly column: string; readonly direction: "asc" | "desc" };

/** A position in a list: the compare keys of the order's columns, preceded by the search rank if the plan is ranked. */
export type Position = readonly (string | number)[];

export type Plan = {
  readonly resource: Table;
  readonly where: readonly Condition[];
  /** Ends with the ID, so that it is total and pages never overlap. All columns have the same direction. */
  readonly order: readonly Order[];
  /** Sorted by the first search field that matches, then by `order`. */
  readonly ranked: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Only records after this position, whether or not a record still has it. */
  readonly after?: Position;
  /** Pages contain the latest record per value of a column or kind of link, ordered by value. */
  readonly latestPer?: LatestPerGroup;
  /** Only groups whose latest record meets these; `where` decides which record that is. */
  readonly having?: readonly Condition[];
  /** Heavy fields to load; the others are returned empty and never read. */
  readonly include: readonly string[];
};

/** Equal for two plans if and only if they are pages of the same list. */
export function listKey(plan: Plan): string {
  const known = lastPlans.indexOf(plan);
  if (known !== -1) return lastTexts[known] as string;
  const { resource, where, order, ranked, having } = plan;
  const text = JSON.stringify([resource.name, where, order, ranked, ...(having === undefined ? [] : [having])]);
  lastPlans[nextSlot] = plan;
  lastTexts[nextSlot] = text;
  nextSlot = (nextSlot + 1) % maxMemoized;
  return text;
}

/** Each key is used twice, for the ETag and for the cursor, with other requests in between. */
const maxMemoized = 32;
const lastPlans: Plan[] = [];
const lastTexts: string[] = [];
let nextSlot = 0;

export const newestFirst = (...columns: string[]): Order[] =>
  columns.map((column) => ({ column, direction: "desc" as const }));

export const oldestFirst = (...columns: string[]): Order[] =>
  columns.map((column) => ({ column, direction: "asc" as const }));
