// Source of testing/records.ts: the type of each resource's records as they are imported, and a builder of them.
import type { Field } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { camel, comment, union } from "./client-types.ts";
import { pascal, prose } from "./example.ts";

const nameOf = ({ recordName }: Resource): string => recordName.replaceAll(" ", "-");

export const recordBuilders = (catalog: readonly Resource[]): string =>
  [
    "// Records as they are imported, and builders of them, generated from the catalog by `npm run docs`. Don't edit.",
    'import { builder } from "./build.ts";\n',
    ...catalog.map(recordTypes),
    "/** Records by list. */",
    "export type Records = {",
    ...catalog.map((each) => `  readonly ${camel(each.name)}?: readonly ${pascal(nameOf(each))}[];`),
    "};\n",
  ].join("\n");

function recordTypes(resource: Resource): string {
  const name = nameOf(resource);
  const type = pascal(name);
  return [
    `/** One record of \`${resource.name}\`. */`,
    `export type ${type} = ${objectType(resource.fields, "")};\n`,
    `/** A valid record: what isn't specified has a default, and the ID is different each time. */`,
    `export const ${camel(name)}: (values?: Partial<${type}>) => ${type} = builder("${resource.name}");\n`,
  ].join("\n");
}

function objectType(fields: Readonly<Record<string, Field>>, indent: string): string {
  const members = Object.entries(fields).map(
    ([name, field]) =>
      `${comment(prose(field.doc), `${indent}  `)}${indent}  ${name}${field.required ? "" : "?"}: ${importType(field, `${indent}  `)};\n`,
  );
  return `{\n${members.join("")}${indent}}`;
}

/** Accepted types besides that of the example. */
const types: Readonly<Record<string, string>> = {
  cusip: "number | string",
  instant: "string | number | Date",
  "list of text": "readonly string[]",
  object: "Readonly<Record<string, unknown>>",
};

function importType({ kind, members, allowedValues, example }: Field, indent: string): string {
  if (members !== undefined) return `readonly ${objectType(members, indent)}[]`;
  if (allowedValues !== undefined) return union(allowedValues);
  return types[kind] ?? typeof example;
}
