// The rule behind `fields`: which fields of a record are answered.
import type { Field } from "../core/catalog/field.ts";
import { csvParameter } from "../core/catalog/parameter.ts";
import { type Rule, rule } from "../core/catalog/rule.ts";

/** Any field may be named; one that comes only with `*` may be named too, and adds nothing. */
export function fieldList(fields: Readonly<Record<string, Field>>): Rule {
  const names = Object.keys(fields).filter((name) => fields[name]?.shown !== "never");
  const known = new Set([...names, "*"]);
  const selectable = names.filter((name) => fields[name]?.shown !== "with *");
  const chosen = csvParameter("fields", `Fields to return; * returns all. Names: ${[...names].sort().join(", ")}`, {
    what: "field names of the record, or *",
    normalize: (name) => (known.has(name) ? name : undefined),
    example: "id,ticker,pt_pct_change",
  });
  const input = { ...chosen, schema: { ...chosen.schema, items: { type: "string", enum: [...known].sort() } } };
  return rule({ chosen: input }, ({ chosen: asked }) => {
    if (asked === undefined) return {};
    return { selectedFields: asked.includes("*") ? names : selectable.filter((name) => asked.includes(name)) };
  });
}
