// Validation of imported objects: a row of the resource, or all errors.
import { type Reject, validateMembers } from "../catalog/field.ts";
import type { Resource } from "../catalog/resource.ts";
import type { Row } from "./row.ts";

export type FieldError = { readonly field: string; readonly received: string; readonly expected: string };

type ValidationResult =
  | { readonly row: Row /** Whether `updated` was absent and is the time of import. */; readonly stamped: boolean }
  | { readonly errors: readonly FieldError[] };

export function validateRecord(resource: Resource, value: unknown, now: number): ValidationResult {
  const errors: FieldError[] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { errors: [{ field: "", received: abbreviate(value), expected: "an object" }] };
  }
  const reject: Reject = (expected, received, at = "") => {
    errors.push({ field: at, received: abbreviate(received), expected });
  };
  const row = validateMembers(value as Record<string, unknown>, resource.fields, reject);
  if (errors.length > 0) return { errors };
  const completed = resource.fillDefaults(row);
  resource.validateRow(completed, reject);
  if (errors.length > 0) return { errors };
  const stamped = resource.stampedOnImport && completed.updated === 0;
  return { row: stamped ? { ...completed, updated: now } : completed, stamped };
}

function abbreviate(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

export function printFieldError({ field, received, expected }: FieldError): string {
  if (field === "") return `expected ${expected}, got ${received}`;
  return expected === "no such attribute" ? `${field}: ${expected}` : `${field}: expected ${expected}, got ${received}`;
}
