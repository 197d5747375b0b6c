// The pieces in which a record's JSON is kept, cut where heavy values belong, and how they are put together again in SQL.

import { heavyFields, type Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import { heavyBlanks } from "../../core/record/encoding.ts";

/** Columns of the pieces of a record's JSON, one more than heavy fields. */
export const piecesOf = (resource: Pick<Resource, "fields">): string[] =>
  Array.from({ length: heavyFields(resource).length + 1 }, (_, index) => `json${index}`);

/** The record's JSON, put together from its pieces and the heavy values that are asked for. */
export function jsonOf({ resource, filled }: Plan, row: string): string {
  const known = jsonTexts.get(resource) ?? new Map<string, string>();
  jsonTexts.set(resource, known);
  const key = `${row} ${filled}`;
  let text = known.get(key);
  if (text === undefined) {
    const blanks = heavyBlanks(resource);
    const heavy = heavyFields(resource);
    const parts = piecesOf(resource).flatMap((piece, index) => {
      const name = heavy[index];
      if (name === undefined) return [`${row}.${piece}`];
      const blank = `'${blanks[index]}'`;
      return [`${row}.${piece}`, filled.includes(name) ? `coalesce(x.${name}, ${blank})` : blank];
    });
    // Each `||` copies all that stands before it, which takes longer than calling a function where that is long.
    text = filled.length === 0 ? parts.join(" || ") : `concat(${parts.join(", ")})`;
    known.set(key, text);
  }
  return text;
}

/** Few are ever asked for, and each is needed for every statement of its kind. */
const jsonTexts = new WeakMap<Pick<Resource, "fields">, Map<string, string>>();
