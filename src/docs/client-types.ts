// Source of client/catalog.ts: types of parameters and records, and what the client knows about each list.

import type { Extension, Listing } from "../core/catalog/extension.ts";
import type { Field, Schema } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { problems } from "../core/problem.ts";
import { streamParameters } from "../core/query/stream.ts";
import { fieldSelector, pascal, prose, shownFields, parametersOf as withFormats } from "./example.ts";

/** The client always parses JSON. */
const parametersOf = (listing: Listing): Parameter<unknown>[] =>
  withFormats(listing).filter(({ forOtherFormats }) => !forOtherFormats);

/** As in `api.conferenceCalls`. */
export const camel = (name: string): string =>
  name.replace(/[-_]+([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** `parameters[date_from]` → `date_from` */
const bare = (wireName: string): string => /^parameters\[(.+)\]$/.exec(wireName)?.[1] ?? wireName;

/** As in `dateFrom`; of several spellings, the one in camel case. */
export const parameterName = ({ names }: Parameter<unknown>): string =>
  names.map((name) => camel(bare(name))).find((name) => /[A-Z]/.test(name)) ?? camel(bare(names[0]));

/** One record by its identifier is a method of its list, not a separate list. */
const itemOf = ({ path }: Listing, extensions: readonly Extension[]): Extension | undefined =>
  extensions.find((each) => each.path === `${path}/{id}`);

export const clientLists = (catalog: readonly Resource[], extensions: readonly Extension[]): Listing[] => {
  const items = catalog.map((each) => itemOf(each, extensions));
  return [...catalog, ...extensions.filter((each) => !items.includes(each))];
};

const itemParameters = (resource: Resource, extensions: readonly Extension[]): Parameter<unknown>[] => {
  const item = itemOf(resource, extensions);
  return item === undefined ? [] : parametersOf(item).filter(({ inPath }) => !inPath);
};

export function clientCatalog(catalog: readonly Resource[], extensions: readonly Extension[]): string {
  const listings = clientLists(catalog, extensions);
  return [
    "// Types and paths of all lists, generated from the catalog by `npm run docs`. Don't edit.",
    'import type { List, StreamedList } from "./list.ts";',
    `\n/** Codes of errors. */\nexport type ProblemCode = ${union(Object.keys(problems))};\n`,
    ...listings.map((each) => listTypes(each, extensions)),
    "export type Lists = {",
    ...listings.map((each) => `${comment(each.doc, "  ")}  readonly ${camel(each.name)}: ${listType(each)};\n`),
    "};\n",
    "/** Paths, keys of the response, and wire names of parameters. */",
    "export const lists = {",
    ...listings.map((each) => `  ${camel(each.name)}: ${JSON.stringify(listSpec(each, extensions))},`),
    "} as const;\n",
  ].join("\n");
}

export const isResource = (listing: Listing): listing is Resource => !("table" in listing);

function listType(listing: Listing): string {
  const name = pascal(listing.name);
  const selector = fieldSelector(listing);
  const selected = selector === undefined ? "" : `, keyof ${name}Record`;
  return isResource(listing)
    ? `StreamedList<${name}Record, ${name}Parameters, ${name}Filters, ${name}ItemParameters${selected}>`
    : `List<${name}Record, ${name}Parameters${selected}>`;
}

/** What the client needs at run time, as short as possible. */
export function listSpec(listing: Listing, extensions: readonly Extension[]): Schema {
  const { path, envelope } = listing;
  const parameters = parametersOf(listing);
  const names = parameters.map(({ names }) => names[0]);
  const size = parameters.find(({ names }) => names.includes("pageSize"));
  return {
    path,
    ...(envelope === "array" ? {} : { key: envelope.key }),
    parameters: names.join(" "),
    ...(size === undefined ? {} : { size: [size.schema.default, size.schema.maximum] as number[] }),
    // Without cursors, the next page is known by its number.
    ...(names.includes("page") && !names.includes("cursor") ? { numbered: true } : {}),
    ...(isResource(listing)
      ? {
          item: itemParameters(listing, extensions)
            .map(({ names }) => names[0])
            .join(" "),
          poll: pollSpec(listing, extensions),
        }
      : {}),
  };
}

/** How to follow the changes of a list on a server without streams. */
function pollSpec({ name, intake: { since, removed } }: Resource, extensions: readonly Extension[]): Schema {
  const list = extensions.find(({ path }) => path === removed.path);
  return {
    resource: name,
    since: since.name,
    column: since.column,
    ...(list === undefined ? {} : { removed: camel(list.name), removedSince: removed.since }),
    ...(removed.type === undefined ? {} : { type: removed.type }),
  };
}

function listTypes(listing: Listing, extensions: readonly Extension[]): string {
  const name = pascal(listing.name);
  const selector = fieldSelector(listing);
  const own = parametersOf(listing).filter(({ names }) => names[0] !== selector);
  const filters = isResource(listing) ? streamParameters(listing) : [];
  const isFilter = (each: Parameter<unknown>) => filters.some(({ names }) => names[0] === each.names[0]);
  const record = `/** A record of ${camel(listing.name)}. */\nexport type ${name}Record = ${objectType(shownFields(listing), "")};\n`;
  if (!isResource(listing)) return `${record}\n${parametersType(`${name}Parameters`, own)}`;
  return [
    record,
    parametersType(`${name}Filters`, own.filter(isFilter)),
    parametersType(
      `${name}Parameters`,
      own.filter((each) => !isFilter(each)),
      `${name}Filters & `,
    ),
    parametersType(`${name}ItemParameters`, itemParameters(listing, extensions)),
  ].join("\n");
}

function parametersType(name: string, parameters: readonly Parameter<unknown>[], base = ""): string {
  const members = parameters.flatMap((each) => {
    const main = parameterName(each);
    const type = parameterType(each.schema);
    const others = new Set([...each.names, ...each.names.map(bare)].filter((other) => other !== main));
    const license = each.license === undefined ? "" : ` Requires the license \`${each.license}\`.`;
    const optional = each.inPath === true ? "" : "?";
    return [
      `${comment(`${prose(each.doc)}${license}`, "  ")}  readonly ${main}${optional}: ${type};\n`,
      ...[...others].map(
        (other) => `  /** Another spelling of \`${main}\`. */\n  readonly ${quoted(other)}?: ${type};\n`,
      ),
    ];
  });
  return `export type ${name} = ${base}${members.length === 0 ? "Record<never, never>" : `{\n${members.join("")}}`};\n`;
}

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

/** At most this many integers are listed one by one. */
const fewIntegers = 10;

function parameterType(schema: Schema): string {
  const { type, minimum, maximum } = schema as { type: string; minimum?: number; maximum?: number };
  if (schema.enum !== undefined) return union(schema.enum as readonly string[]);
  if (type === "array") return "string | readonly string[]";
  if (type === "number") return "number | string";
  if (type !== "integer" || minimum === undefined || maximum === undefined) return type;
  if (maximum === Number.MAX_SAFE_INTEGER) return "number | Date";
  if (maximum - minimum >= fewIntegers) return "number";
  return Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index).join(" | ");
}

export const union = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(" | ");

function objectType(fields: readonly (readonly [string, Field])[], indent: string): string {
  const members = fields.map(([name, field]) => {
    const optional = field.optional || field.shown !== "always" ? "?" : "";
    return `${comment(prose(field.doc), `${indent}  `)}${indent}  ${quoted(name)}${optional}: ${fieldType(field, `${indent}  `)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

function fieldType({ schema, members, allowedValues }: Field, indent: string): string {
  if (members !== undefined)
    return `${objectType(
      Object.entries(members).filter(([, { shown }]) => shown === "always"),
      indent,
    )}[]`;
  // Databases may contain other spellings.
  if (allowedValues !== undefined) return `${union(allowedValues)} | (string & {})`;
  if (schema.type === "array") return "string[]";
  if (schema.type === "object") return "Record<string, unknown>";
  return [schema.type]
    .flat()
    .map((type) => (type === "integer" ? "number" : String(type)))
    .join(" | ");
}

export const comment = (text: string, indent: string): string => `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;
