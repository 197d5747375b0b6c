// Fragments of a record's JSON, split where heavy values belong, and the SQL that joins them.

import { heavyFields, type Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import { emptyHeavyValues } from "../../core/record/encoding.ts";

/** The fragment columns of a record: one more than it has heavy fields. */
export const fragmentColumns = (resource: Pick<Resource, "fields">): string[] =>
  Array.from({ length: heavyFields(resource).length + 1 }, (_, index) => `json${index}`);

/** Joins the fragments and the heavy values that the plan fills. */
export function recordJson({ resource, include }: Plan, row: string): string {
  const cached = expressions.get(resource) ?? new Map<string, string>();
  expressions.set(resource, cached);
  const key = `${row} ${include}`;
  let text = cached.get(key);
  if (text === undefined) {
    const blanks = emptyHeavyValues(resource);
    const heavy = heavyFields(resource);
    const parts = fragmentColumns(resource).flatMap((fragment, index) => {
      const name = heavy[index];
      if (name === undefined) return [`${row}.${fragment}`];
      const blank = `'${blanks[index]}'`;
      return [`${row}.${fragment}`, include.includes(name) ? `coalesce(x.${name}, ${blank})` : blank];
    });
    // Each `||` copies everything to its left, which for long values costs more than a function call.
    text = include.length === 0 ? parts.join(" || ") : `concat(${parts.join(", ")})`;
    cached.set(key, text);
  }
  return text;
}

/** There are few, and every statement needs one. */
const expressions = new WeakMap<Pick<Resource, "fields">, Map<string, string>>();
