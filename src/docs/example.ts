// Examples and descriptions derived from resources, shared by the OpenAPI document and the reference pages.

import type { Endpoint } from "../core/catalog/endpoint.ts";
import type { Listing } from "../core/catalog/extension.ts";
import type { Field, Rendering } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { PlanPart } from "../core/catalog/rule.ts";
import type { Json, WireRecord } from "../core/record/row.ts";
import { type Zone, zone } from "../core/value/time-zone.ts";

/** Default settings. */
const rendering: Rendering = { zone: zone("America/New_York") as Zone, cusip: "integer" };

export const parametersOf = (resource: Listing): Parameter<unknown>[] =>
  resource.rules.flatMap(({ parameters }) => Object.values(parameters) as Parameter<unknown>[]);

/** Parameters that depend on the resource differ only in the type of the ID, which is text except for the first. */
export function endpointParameters({ parameters = {} }: Endpoint, catalog: readonly Resource[]): Parameter<unknown>[] {
  const last = catalog.at(-1);
  if (typeof parameters !== "function") return Object.values(parameters);
  return last === undefined ? [] : Object.values(parameters(last));
}

/** Fields that a response can contain. */
export const shownFields = (resource: Listing): [string, Field][] =>
  Object.entries(resource.fields).filter(([, field]) => field.shown !== "never");

/** The example of a field as in a response; undefined if it would be omitted. */
export function emittedExample(name: string, field: Field): Json | undefined {
  const stored = field.validate(field.example, (expected) => {
    throw new Error(`invalid example of ${name}: expected ${expected}`);
  });
  return field.emit(stored, rendering);
}

/** A record of a response with all heavy fields and no selection. */
export function recordExample(resource: Listing): WireRecord {
  const record: Record<string, Json> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = field.shown === "always" ? emittedExample(name, field) : undefined;
    if (value !== undefined) record[name] = value;
  }
  return record;
}

export const inEnvelope = (resource: Listing, ...records: WireRecord[]): Json =>
  resource.envelope === "array" ? records : { [resource.envelope.key]: records };

/** The first valid value, in the JSON type of the schema. */
export function parameterExample({ schema, valid: [text = ""] }: Parameter<unknown>): Json {
  if (schema.type === "array") return text.split(",");
  if (schema.type === "integer" || schema.type === "number") return Number(text);
  return schema.type === "boolean" ? text === "true" : text;
}

/** The first parameter, with a value, for which the rule's part of the plan passes the test. */
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

/** Name of the parameter that selects fields. */
export const fieldSelector = (resource: Listing): string | undefined =>
  findParameter(resource, ({ selectedFields }) => selectedFields !== undefined)?.name;

/** Such as: `created` descending, then `id` descending */
export function describeOrder(resource: Listing): string {
  const words = resource.order
    .map(({ column, direction }) => `\`${column}\` ${direction === "asc" ? "ascending" : "descending"}`)
    .join(", then ");
  const otherwise = findParameter(resource, ({ order }) => order !== undefined) !== undefined;
  return otherwise ? `${words}, unless a parameter changes it` : words;
}

export const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Identifiers in prose: `parameters[date]`, `ex_dividend_date`, `dateFrom`, `created:desc`. */
const names = /\b(?:parameters\[\w+\]|[a-z]+(?:[_:][a-z]+)+|[a-z]+[A-Z]\w*)(?!\w)/g;

/** A description as a Markdown sentence, with identifiers as code. */
export const prose = (doc: string): string => doc.replace(names, "`$&`").replace(/[^.:!?]$/, "$&.");
