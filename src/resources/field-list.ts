// The rule behind `fields`, which selects the fields of the response.
import type { Field } from "../core/catalog/field.ts";
import { csvParameter } from "../core/catalog/parameter.ts";
import { type Rule, rule } from "../core/catalog/rule.ts";

/** A field that is returned only with `*` may be named, but has no effect. */
export function fieldList(fields: Readonly<Record<string, Field>>, example: string): Rule {
  const names = Object.keys(fields).filter((name) => fields[name]?.shown !== "never");
  const known = new Set([...names, "*"]);
  const selectable = names.filter((name) => fields[name]?.shown !== "with *");
  const chosen = csvParameter("fields", `Fields to return; * returns all. Names: ${[...names].sort().join(", ")}`, {
    what: "field names of the record, or *",
    normalize: (name) => (known.has(name) ? name : undefined),
    example,
  });
  const parameter = {
    ...chosen,
    schema: { ...chosen.schema, items: { type: "string", enum: [...known].sort() } },
    // Events are made of fields that may not be among them.
    formats: ["json", "xml", "csv", "ndjson"] as const,
  };
  return rule({ chosen: parameter }, ({ chosen: requested }) => {
    if (requested === undefined) return {};
    return { selectedFields: requested.includes("*") ? names : selectable.filter((name) => requested.includes(name)) };
  });
}
