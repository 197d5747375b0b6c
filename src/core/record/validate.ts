// An imported object → a row of its resource, or every reason why not.
import { acceptMembers } from "../catalog/field.ts";
import type { Resource } from "../catalog/resource.ts";
import type { Row } from "./row.ts";

export type Refusal = { readonly field: string; readonly given: string; readonly expected: string };

export type Accepted =
  | { readonly row: Row /** `updated` was not given and stands for the time of import. */; readonly stamped: boolean }
  | { readonly refusals: readonly Refusal[] };

export function accept(resource: Resource, value: unknown, now: number): Accepted {
  const refusals: Refusal[] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { refusals: [{ field: "", given: show(value), expected: "an object" }] };
  }
  const row = acceptMembers(value as Record<string, unknown>, resource.fields, (expected, given, at = "") => {
    refusals.push({ field: at, given: show(given), expected });
  });
  if (refusals.length > 0) return { refusals };
  const completed = resource.complete(row);
  const stamped = resource.stampedOnImport && completed.updated === 0;
  return { row: stamped ? { ...completed, updated: now } : completed, stamped };
}

/** A value as it stood, short enough for a report. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

export function printRefusal({ field, given, expected }: Refusal): string {
  if (field === "") return `expected ${expected}, got ${given}`;
  return expected === "no such attribute" ? `${field}: ${expected}` : `${field}: expected ${expected}, got ${given}`;
}
