// Table rows of a list's reference page: parameters, fields, and attributes that are imported but never shown.

import type { Listing } from "../core/catalog/extension.ts";
import type { Field, Schema } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import { minimalRecord, type Resource } from "../core/catalog/resource.ts";
import type { Json, WireRecord } from "../core/record/row.ts";
import { validateRecord } from "../core/record/validate.ts";
import { prose, shownFields } from "./example.ts";
import { code } from "./table.ts";

export function describeEnvelope({ envelope }: Listing): string {
  if (envelope === "array") return "An array of records.";
  const { key, alsoKey, members = {} } = envelope;
  const others = Object.entries(members).map(
    ([name, value]) => `${code(name)}: ${code(JSON.stringify(value))}, and whose`,
  );
  const keys = alsoKey === undefined ? `key ${code(key)} holds` : `keys ${code(key)} and ${code(alsoKey)} both hold`;
  return `An object ${others.length === 0 ? "whose" : `with ${others.join(" ")}`} ${keys} the array of records.`;
}

/** Name, type, default, what is allowed, meaning. */
export function parameterRow({
  names: [name, ...others],
  doc,
  schema,
  license,
  expected,
}: Parameter<unknown>): string[] {
  const meaning = [
    prose(doc),
    ...(others.length === 0 ? [] : [`Also accepted as ${others.map(code).join(", ")}.`]),
    ...(license === undefined ? [] : [`Requires the license ${code(license)}.`]),
  ];
  return [
    code(name),
    schema.type === "array" ? "csv" : schema.format === "date" ? "day" : String(schema.type),
    schema.default === undefined ? "" : code(String(schema.default)),
    allowed(schema, expected),
    meaning.join(" "),
  ];
}

function allowed(schema: Schema, expected: string): string {
  const { type, minimum, maximum, maxItems, format } = schema;
  const words = schema.enum as readonly string[] | undefined;
  if (words !== undefined) return words.map(code).join(", ");
  if (type === "array") return maxItems === undefined ? "" : `at most ${maxItems}`;
  if (type === "integer")
    return maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
  if (type === "boolean") return [true, false].map((each) => code(String(each))).join(", ");
  return format === "date" ? code("YYYY-MM-DD") : expected;
}

/** Descriptions more specific than the JSON type. */
const forms: Readonly<Record<string, string>> = {
  decimal: "string, decimal number",
  day: "string, `YYYY-MM-DD`",
  clock: "string, `hh:mm:ss`",
  instant: "string, date and time",
  list: "array of objects",
  "list of text": "array of strings",
};

const typeOf = ({ kind, schema, range }: Field): string => {
  const bounded = range !== undefined && schema.maximum !== undefined && range.max < 1000;
  return forms[kind] ?? `${[schema.type].flat()[0]}${bounded ? `, ${range.min} to ${range.max}` : ""}`;
};

function meaning({ doc, allowedValues }: Field): string {
  return [prose(doc), ...(allowedValues === undefined ? [] : [`One of ${allowedValues.map(code).join(", ")}.`])].join(
    " ",
  );
}

/** Name, type, when shown, meaning; members of lists follow their list. */
export function fieldRows(resource: Listing, chooser: string | undefined): string[][] {
  const when = ({ shown, optional }: Field): string => {
    if (shown === "on request") return `when \`${chooser}\` names it`;
    if (shown === "with *") return `only with \`${chooser}=*\``;
    return optional ? "when known" : "always";
  };
  const row = (name: string, field: Field): string[] => [code(name), typeOf(field), when(field), meaning(field)];
  return shownFields(resource).flatMap(([name, field]) => [
    row(name, field),
    ...Object.entries(field.members ?? {})
      .filter(([, member]) => member.shown !== "never")
      .map(([member, each]) => row(`${name}[].${member}`, each)),
  ]);
}

/** Name, type, and meaning of every attribute that is never shown. */
export function importRows(resource: Resource): string[][] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const hidden: [string, Field][] = field.shown === "never" ? [[name, field]] : [];
    for (const [member, each] of Object.entries(field.members ?? {})) {
      if (each.shown === "never") hidden.push([`${name}[].${member}`, each]);
    }
    return hidden.map(([path, each]) => [code(path), typeOf(each), meaning(each)]);
  });
}

/** A time that no example has, so that values derived from it are recognized. */
const importTime = 1_000_000_007;

/** Required attributes, and defaults. */
export function describeImport(resource: Resource): string {
  const fields = Object.entries(resource.fields);
  const required = fields.filter(([, field]) => field.required).map(([name]) => name);
  const inLists = fields.flatMap(([name, { members = {} }]) =>
    Object.keys(members)
      .filter((member) => members[member]?.required)
      .map((member) => `${name}[].${member}`),
  );
  return [
    `Required: ${required.map(code).join(", ")}${inLists.length === 0 ? "" : `; in lists ${inLists.map(code).join(", ")}`}.`,
    ...describeDefaults(resource, minimalRecord(resource)),
  ].join(" ");
}

/** Attributes that are missing in the minimal record but not in its row. */
function describeDefaults(resource: Resource, record: WireRecord): string[] {
  const result = validateRecord(resource, record, importTime);
  if (!("row" in result)) throw new Error(`the minimal record of ${resource.name} is invalid`);
  const { row } = result;
  return Object.entries(resource.fields)
    .filter(([name, field]) => record[name] === undefined && !same(row[name], field.empty))
    .map(([name]) => {
      const origin = Object.keys(record).find((each) => same(row[each], row[name]));
      return `${code(name)} defaults to ${row[name] === importTime || origin === undefined ? "the time of import" : code(origin)}.`;
    });
}

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
