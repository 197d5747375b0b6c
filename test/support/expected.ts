// The expected rendering of a record, derived from its import form by the decision records, independently of the
// service's own rendering code.
import type { Field } from "../../src/core/catalog/field.ts";
import type { Resource } from "../../src/core/catalog/resource.ts";
import type { View } from "../../src/core/query/planner.ts";
import type { Json } from "../../src/core/record/row.ts";
import type { RecordInput } from "./clients/api.ts";

export type Look = { readonly zone: string; readonly cusip: "integer" | "string" };

/** The default rendering. */
export const firstLook: Look = { zone: "America/New_York", cusip: "integer" };

export type Shown = Record<string, Json>;

/** Every field that can be shown, including those shown only on request; keys in alphabetical order. */
export function expectedRecord(resource: Resource, imported: RecordInput, look: Look, now: number): Shown {
  const record = completed(imported, resource, now);
  const out: Shown = {};
  for (const name of Object.keys(resource.fields).sort()) {
    const field = resource.fields[name] as Field;
    if (field.shown === "never") continue;
    const value = expectedValue(field, record[name], look);
    if (value !== undefined) out[name] = value;
  }
  // Derived fields apply only if the record has no explicit value.
  for (const [name, { derive }] of Object.entries(resource.fields)) {
    if (derive !== undefined && out[name] === "") out[name] = derive.compute(...derive.from.map((each) => out[each]));
  }
  return out;
}

/** The fields shown by default. */
export function byDefault(resource: Resource, record: Shown): Shown {
  return Object.fromEntries(Object.entries(record).filter(([name]) => resource.fields[name]?.shown === "always"));
}

/** The record as returned for a request with selected fields or transformed values. */
export function viewed(resource: Resource, record: Shown, { selectedFields, transforms }: View): Shown {
  const picked = selectedFields && Object.entries(record).filter(([name]) => selectedFields.includes(name));
  const out = picked === undefined ? byDefault(resource, record) : Object.fromEntries(picked);
  for (const [name, change] of transforms.flatMap(({ members }) => Object.entries(members)))
    if (out[name] !== undefined) out[name] = change(out[name]);
  return out;
}

/** The record without heavy fields, unless they are requested. */
export function withoutHeavy(resource: Resource, record: Shown, filled: readonly string[] = []): Shown {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      resource.fields[name]?.heavy && !filled.includes(name) ? "" : value,
    ]),
  );
}

/** The response body, byte for byte: compact, without a trailing newline. */
export function expectedBody(resource: Resource, records: readonly Shown[]): string {
  return JSON.stringify(resource.envelope === "array" ? records : { [resource.envelope.key]: records });
}

const unknown = (value: unknown): boolean => value === undefined || value === null || value === "";

function expectedValue(field: Field, value: unknown, look: Look): Json | undefined {
  switch (field.kind) {
    case "word":
      return field.allowedValues?.find((each) => each.toLowerCase() === String(value).toLowerCase()) ?? "";
    case "text":
    case "day":
    case "clock":
    case "decimal":
      return unknown(value) ? (field.optional ? undefined : "") : (value as string);
    case "integer":
    case "stamp":
      return unknown(value) || value === 0 ? (field.optional ? undefined : 0) : Math.floor(value as number);
    case "flag":
      return value === true;
    case "instant":
      return printed(look.zone, secondsOf(value));
    case "cusip":
      return expectedCusip(value, look);
    case "list":
      return ((value ?? []) as RecordInput[]).map((item) => expectedItem(field, item, look));
    case "list of text":
      return (value ?? []) as string[];
    case "object":
      return (value ?? {}) as Shown;
    default:
      throw new Error(`define the expected rendering of ${field.kind} here`);
  }
}

function expectedItem(list: Field, item: RecordInput, look: Look): Shown {
  const out: Shown = {};
  for (const [name, member] of Object.entries(list.members ?? {})) {
    const value = member.shown === "always" ? expectedValue(member, item[name], look) : undefined;
    if (value !== undefined) out[name] = value;
  }
  return out;
}

/** Integers are padded to nine digits; shown as an integer if it has only digits, else omitted. */
function expectedCusip(value: unknown, { cusip }: Look): Json | undefined {
  if (unknown(value) || value === 0) return undefined;
  const text = typeof value === "number" ? String(value).padStart(9, "0") : (value as string);
  if (cusip === "string") return text;
  return /^\d+$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

function completed(imported: RecordInput, resource: Resource, now: number): RecordInput {
  const later = resource.fields.created === undefined ? now : imported.created;
  const updated = unknown(imported.updated) || secondsOf(imported.updated) === 0 ? later : imported.updated;
  return {
    ...imported,
    updated,
    ...(resource.fields.country === undefined ? {} : { country: expectedCountry(imported) }),
  };
}

const countries = new Intl.DisplayNames("en", { type: "region" });
const alpha2: Readonly<Record<string, string>> = {
  ...{ US: "US", USA: "US", DEU: "DE", JP: "JP", CAN: "CA" },
  "CÔTE D'IVOIRE": "CI",
};

/** A known country is shown by its English name; the code is the fallback for a missing country. */
function expectedCountry({ country, country_code }: RecordInput): string {
  const text = unknown(country) ? String(country_code ?? "") : String(country);
  const code = text.trim().toUpperCase();
  if (code === "EMU") return "Euro Area";
  const region = alpha2[code];
  return region === undefined ? text : String(countries.of(region));
}

/** Unix seconds of a timestamp in any import form. */
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
