// What a record must look like in an answer, worked out from its import form by the decisions on values, and by nothing
// that the service itself uses to render.
import type { Field } from "../../src/core/catalog/field.ts";
import type { Resource } from "../../src/core/catalog/resource.ts";
import type { View } from "../../src/core/query/planner.ts";
import type { Json } from "../../src/core/record/row.ts";
import type { Given } from "./clients/api.ts";

export type Look = { readonly zone: string; readonly cusip: "integer" | "string" };

/** How a database looks that nobody has set up otherwise. */
export const firstLook: Look = { zone: "America/New_York", cusip: "integer" };

export type Shown = Record<string, Json>;

/** Every field that can be shown, the ones that only come on request included; keys in alphabetical order. */
export function expectedRecord(resource: Resource, given: Given, look: Look, now: number): Shown {
  const record = completed(given, resource, now);
  const out: Shown = {};
  for (const name of Object.keys(resource.fields).sort()) {
    const field = resource.fields[name] as Field;
    if (field.shown === "never") continue;
    const value = expectedValue(field, record[name], look);
    if (value !== undefined) out[name] = value;
  }
  // What follows from other fields does so only while it is not known itself.
  for (const [name, { derive }] of Object.entries(resource.fields)) {
    if (derive !== undefined && out[name] === "") out[name] = derive.by(...derive.from.map((each) => out[each]));
  }
  return out;
}

/** Those of its fields that are answered when nothing is asked for. */
export function byDefault(resource: Resource, record: Shown): Shown {
  return Object.fromEntries(Object.entries(record).filter(([name]) => resource.fields[name]?.shown === "always"));
}

/** The record as a request for some of its fields, or for changed values, is answered. */
export function viewed(resource: Resource, record: Shown, { only, changes }: View): Shown {
  const picked = only && Object.entries(record).filter(([name]) => only.includes(name));
  const out = picked === undefined ? byDefault(resource, record) : Object.fromEntries(picked);
  for (const [name, change] of changes.flatMap(({ members }) => Object.entries(members)))
    if (out[name] !== undefined) out[name] = change(out[name]);
  return out;
}

/** The same with fields emptied that are filled only when asked for. */
export function withoutHeavy(resource: Resource, record: Shown, filled: readonly string[] = []): Shown {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      resource.fields[name]?.heavy && !filled.includes(name) ? "" : value,
    ]),
  );
}

/** The body of an answer, byte for byte: compact, with nothing after it. */
export function expectedBody(resource: Resource, records: readonly Shown[]): string {
  return JSON.stringify(resource.envelope === "array" ? records : { [resource.envelope.key]: records });
}

const unknown = (value: unknown): boolean => value === undefined || value === null || value === "";

function expectedValue(field: Field, value: unknown, look: Look): Json | undefined {
  switch (field.kind) {
    case "text":
    case "word":
    case "day":
    case "clock":
    case "decimal":
      return unknown(value) ? (field.optional ? undefined : "") : (value as string);
    case "integer":
      return unknown(value) || value === 0 ? (field.optional ? undefined : 0) : Math.floor(value as number);
    case "flag":
      return value === true;
    case "instant":
      return printed(look.zone, secondsOf(value));
    case "cusip":
      return expectedCusip(value, look);
    case "list":
      return ((value ?? []) as Given[]).map((item) => expectedItem(field, item, look));
    case "list of text":
      return (value ?? []) as string[];
    case "object":
      return (value ?? {}) as Shown;
    default:
      throw new Error(`say here what a ${field.kind} must look like`);
  }
}

function expectedItem(list: Field, item: Given, look: Look): Shown {
  const out: Shown = {};
  for (const [name, member] of Object.entries(list.members ?? {})) {
    const value = member.shown === "always" ? expectedValue(member, item[name], look) : undefined;
    if (value !== undefined) out[name] = value;
  }
  return out;
}

/** An integer is filled up to nine digits; answered as an integer when there are only digits, else left out. */
function expectedCusip(value: unknown, { cusip }: Look): Json | undefined {
  if (unknown(value) || value === 0) return undefined;
  const text = typeof value === "number" ? String(value).padStart(9, "0") : (value as string);
  if (cusip === "string") return text;
  return /^\d+$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

function completed(given: Given, resource: Resource, now: number): Given {
  const later = resource.fields.created === undefined ? now : given.created;
  const updated = unknown(given.updated) || secondsOf(given.updated) === 0 ? later : given.updated;
  return { ...given, updated, ...(resource.fields.country === undefined ? {} : { country: expectedCountry(given) }) };
}

const countries = new Intl.DisplayNames("en", { type: "region" });
const alpha2: Readonly<Record<string, string>> = {
  ...{ US: "US", USA: "US", DEU: "DE", JP: "JP", CAN: "CA" },
  "CÔTE D'IVOIRE": "CI",
};

/** A country that is understood is shown by its English name; a code stands in for a country that is not given. */
function expectedCountry({ country, country_code }: Given): string {
  const text = unknown(country) ? String(country_code ?? "") : String(country);
  const code = text.trim().toUpperCase();
  if (code === "EMU") return "Euro Area";
  const region = alpha2[code];
  return region === undefined ? text : String(countries.of(region));
}

/** Unix seconds of any form in which a moment is imported. */
export const secondsOf = (value: unknown): number =>
  Math.floor(typeof value === "number" ? value : Date.parse(String(value)) / 1000);

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number): string => String(value).padStart(2, "0");

export const moment = (zone: string, seconds: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone);

/** `Tue, 05 Nov 2024 09:30:00 -0500` */
export function printed(zone: string, seconds: number): string {
  const at = moment(zone, seconds);
  const day = `${weekdays[at.dayOfWeek - 1]}, ${two(at.day)} ${months[at.month - 1]} ${at.year}`;
  return `${day} ${two(at.hour)}:${two(at.minute)}:${two(at.second)} ${at.offset.replace(":", "")}`;
}
