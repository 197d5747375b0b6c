// Examples and facts that the documents share, read from a resource: its inputs, a record as it is answered, how fields are chosen.

import type { Endpoint } from "../core/catalog/endpoint.ts";
import type { Listing } from "../core/catalog/extension.ts";
import type { Field, Rendering } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { PlanPart } from "../core/catalog/rule.ts";
import type { Json, WireRecord } from "../core/record/row.ts";
import { type Zone, zone } from "../core/value/time-zone.ts";

/** The settings that a service has unless it is told otherwise. */
const rendering: Rendering = { zone: zone("America/New_York") as Zone, cusip: "integer" };

export const parametersOf = (resource: Listing): Parameter<unknown>[] =>
  resource.rules.flatMap(({ parameters }) => Object.values(parameters) as Parameter<unknown>[]);

/** Those that depend on the resource are alike but for the type of an id; ids are text but for the first resource. */
export function endpointParameters({ parameters = {} }: Endpoint, catalog: readonly Resource[]): Parameter<unknown>[] {
  const last = catalog.at(-1);
  if (typeof parameters !== "function") return Object.values(parameters);
  return last === undefined ? [] : Object.values(parameters(last));
}

/** Fields that an answer can hold, with the name of each. */
export const shownFields = (resource: Listing): [string, Field][] =>
  Object.entries(resource.fields).filter(([, field]) => field.shown !== "never");

/** The example of a field as it is answered; undefined where the answer leaves it out. */
export function emittedExample(name: string, field: Field): Json | undefined {
  const stored = field.validate(field.example, (expected) => {
    throw new Error(`the example of ${name} is refused: expected ${expected}`);
  });
  return field.emit(stored, rendering);
}

/** A record as a request without any choice of fields would get it, all texts filled. */
export function recordExample(resource: Listing): WireRecord {
  const record: Record<string, Json> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = field.shown === "always" ? emittedExample(name, field) : undefined;
    if (value !== undefined) record[name] = value;
  }
  return record;
}

/** Records in the envelope of their resource. */
export const inEnvelope = (resource: Listing, ...records: WireRecord[]): Json =>
  resource.envelope === "array" ? records : { [resource.envelope.key]: records };

/** The first of the values that an input takes, in the JSON type of its schema. */
export function parameterExample({ schema, valid: [text = ""] }: Parameter<unknown>): Json {
  if (schema.type === "array") return text.split(",");
  if (schema.type === "integer" || schema.type === "number") return Number(text);
  return schema.type === "boolean" ? text === "true" : text;
}

/** The first input, with a value that it takes, whose part of a read passes the test: rules say what they do only by doing it. */
export function findParameter(
  resource: Listing,
  does: (part: PlanPart) => boolean,
): { name: string; value: string } | undefined {
  for (const { parameters, part } of resource.rules) {
    const fallbacks = Object.fromEntries(Object.entries(parameters).map(([key, { fallback }]) => [key, fallback]));
    for (const [key, { names, valid, parse }] of Object.entries(parameters)) {
      const value = valid.find((text) => does(part({ ...fallbacks, [key]: parse(text) }, rendering)));
      if (value !== undefined) return { name: names[0], value };
    }
  }
  return undefined;
}

/** Name of the parameter by which a request chooses the fields of its answer. */
export const fieldSelector = (resource: Listing): string | undefined =>
  findParameter(resource, ({ selectedFields }) => selectedFields !== undefined)?.name;

/** `created` descending, then `id` descending; and whether a request may order otherwise */
export function describeOrder(resource: Listing): string {
  const words = resource.order
    .map(({ column, direction }) => `\`${column}\` ${direction === "asc" ? "ascending" : "descending"}`)
    .join(", then ");
  const otherwise = findParameter(resource, ({ order }) => order !== undefined) !== undefined;
  return otherwise ? `${words}, unless a parameter orders otherwise` : words;
}

/** Names that stand out by their form: `parameters[date]`, `ex_dividend_date`, `dateFrom`, `created:desc`. */
const names = /\b(?:parameters\[\w+\]|[a-z]+(?:[_:][a-z]+)+|[a-z]+[A-Z]\w*)(?!\w)/g;

/** A description as Markdown: a whole sentence, its names marked as such. */
export const prose = (doc: string): string => doc.replace(names, "`$&`").replace(/[^.:!?]$/, "$&.");
