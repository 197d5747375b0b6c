// Rows ↔ the JSON they are served as. Attributes that it doesn't show are stored separately, so that nothing is lost.
import type { Field, Rendering } from "../catalog/field.ts";
import { heavyFields, type Resource } from "../catalog/resource.ts";
import type { Json, Row, WireRecord } from "./row.ts";

export type EncodedRecord = {
  /** The JSON of the record, split at the value of each heavy field: one more fragment than heavy fields. */
  readonly fragments: readonly string[];
  /** JSON of the heavy values, in order. */
  readonly heavy: readonly string[];
  /** JSON of the fields that the fragments don't show, or show with a loss; empty if there are none. */
  readonly hidden: string;
};

export function encodeRecord(resource: Pick<Resource, "fields">, row: Row, rendering: Rendering): EncodedRecord {
  const fragments: string[] = [];
  const heavy: string[] = [];
  const beside: Record<string, Json> = {};
  let piece = "{";
  let first = true;
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row[name] ?? field.empty;
    if (field.shown !== "always") {
      if (!isEmpty(value, field.empty)) beside[name] = value;
      continue;
    }
    if (field.lossy(value, rendering)) beside[name] = value;
    const emitted = field.emit(value, rendering);
    if (emitted === undefined) continue;
    piece += `${first ? "" : ","}${JSON.stringify(name)}:`;
    first = false;
    if (field.heavy) {
      fragments.push(piece);
      heavy.push(JSON.stringify(emitted));
      piece = "";
    } else piece += JSON.stringify(emitted);
  }
  fragments.push(`${piece}}`);
  return { fragments, heavy, hidden: Object.keys(beside).length === 0 ? "" : JSON.stringify(beside) };
}

/** The inverse of `encodeRecord`; `json` includes the heavy values. */
export function decodeRecord(resource: Pick<Resource, "name" | "fields">, json: string, beside: string): Row {
  const served = JSON.parse(json) as WireRecord;
  const hidden = beside === "" ? {} : (JSON.parse(beside) as Row);
  const row: Record<string, Json> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = served[name];
    row[name] =
      hidden[name] ??
      (value === undefined
        ? field.empty
        : field.validate(value, (expected) => {
            throw new Error(
              `stored ${resource.name} record has ${name} ${JSON.stringify(value)}, expected ${expected}`,
            );
          }));
  }
  return row;
}

/** All fields that a response can have, including those on request. */
export function fullRecord(
  resource: Pick<Resource, "fields">,
  json: string,
  beside: string,
  rendering: Rendering,
): WireRecord {
  const served = JSON.parse(json) as WireRecord;
  const hidden = beside === "" ? {} : (JSON.parse(beside) as Row);
  const whole: Record<string, Json> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.shown === "never") continue;
    if (field.shown === "always") {
      if (served[name] !== undefined) whole[name] = served[name];
      continue;
    }
    const known = hidden[name];
    const emitted = known === undefined ? derivedOf(field, served) : field.emit(known, rendering);
    if (emitted !== undefined) whole[name] = emitted;
  }
  return whole;
}

const derivedOf = ({ derive, empty }: Field, served: WireRecord): Json =>
  derive === undefined ? empty : derive.compute(...derive.from.map((name) => served[name]));

/** A row in import form, including hidden attributes and without unknown values. */
export function exported(resource: Resource, row: Row, rendering: Rendering): Record<string, Json> {
  const out: Record<string, Json> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row[name] ?? field.empty;
    if (isEmpty(value, field.empty) && !field.required) continue;
    const form = field.exported(value, rendering);
    if (form !== undefined) out[name] = form;
  }
  return out;
}

export const emptyHeavyValues = (resource: Pick<Resource, "fields">): string[] =>
  heavyFields(resource).map((name) => JSON.stringify(resource.fields[name]?.empty ?? ""));

function isEmpty(value: Json, empty: Json): boolean {
  if (value === empty) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
