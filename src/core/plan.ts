// A read, as data: nothing of HTTP above it, nothing of SQL in it.
import type { Resource } from "./resource.ts";

export type Comparison = "eq" | "gt" | "gte" | "lt" | "lte";

export type Condition =
  | { readonly op: Comparison; readonly column: string; readonly value: string | number }
  | { readonly op: "in"; readonly column: string; readonly values: readonly (string | number)[] }
  /** One of the values stands in a list that the record holds. */
  | { readonly op: "linked"; readonly kind: string; readonly values: readonly string[] }
  /** Phrases, each a list of words as `words()` reads them. */
  | { readonly op: "search"; readonly phrases: readonly (readonly string[])[]; readonly combine: "and" | "or" };

export type Order = { readonly column: string; readonly direction: "asc" | "desc" };

export type Plan = {
  readonly resource: Resource;
  readonly where: readonly Condition[];
  /** Ends in the id, so that no two records are equal and pages never overlap. */
  readonly order: readonly Order[];
  /** Records found in an earlier place of the search come first; `order` decides inside a place. */
  readonly ranked: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Which of the resource's heavy fields are filled; the others are answered empty and never read. */
  readonly filled: readonly string[];
};

export const newestFirst = (...columns: string[]): Order[] =>
  columns.map((column) => ({ column, direction: "desc" as const }));

export const oldestFirst = (...columns: string[]): Order[] =>
  columns.map((column) => ({ column, direction: "asc" as const }));
