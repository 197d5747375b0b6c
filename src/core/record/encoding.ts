// Rows ↔ the JSON they are served as. Attributes that it doesn't show are stored separately, so that nothing is lost.
import type { Overrides } from "../catalog/extension.ts";
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
  const hidden: Record<string, Json> = {};
  let isAnyHidden = false;
  // Members since the last heavy value: one call of JSON.stringify for all of them is several times faster.
  let members: Record<string, Json> = {};
  let opening = "{";
  for (const [name, field] of fieldsOf(resource)) {
    const value = row[name] ?? field.empty;
    if (field.shown !== "always" ? !isEmpty(value, field.empty) : field.lossy(value, rendering)) {
      hidden[name] = value;
      isAnyHidden = true;
    }
    if (field.shown !== "always") continue;
    const emitted = field.emit(value, rendering);
    if (emitted === undefined) continue;
    if (field.heavy) {
      const before = JSON.stringify(members).slice(1, -1);
      fragments.push(`${opening}${before}${before === "" ? "" : ","}${JSON.stringify(name)}:`);
      heavy.push(JSON.stringify(emitted));
      members = {};
      opening = ",";
    } else members[name] = emitted;
  }
  const last = JSON.stringify(members);
  fragments.push(opening === "{" ? last : last === "{}" ? "}" : `,${last.slice(1)}`);
  return { fragments, heavy, hidden: isAnyHidden ? JSON.stringify(hidden) : "" };
}

type Fields = Resource["fields"];

const entries = new WeakMap<Fields, readonly (readonly [string, Field])[]>();

/** Cached: writing a record needs the list of fields several times. */
function fieldsOf({ fields }: Pick<Resource, "fields">): readonly (readonly [string, Field])[] {
  let list = entries.get(fields);
  if (list === undefined) {
    list = Object.entries(fields);
    entries.set(fields, list);
  }
  return list;
}

/** The inverse of `encodeRecord`; `json` includes the heavy values. */
export function decodeRecord(resource: Pick<Resource, "name" | "fields">, json: string, beside: string): Row {
  const served = JSON.parse(json) as WireRecord;
  const hidden = beside === "" ? {} : (JSON.parse(beside) as Row);
  const row: Record<string, Json> = {};
  for (const [name, field] of fieldsOf(resource)) {
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

/** All fields that a response can have, including those on request. Overrides compute a field from its stored value. */
export function fullRecord(
  resource: Pick<Resource, "fields">,
  json: string,
  beside: string,
  rendering: Rendering,
  overrides: Overrides = {},
): WireRecord {
  const served = JSON.parse(json) as WireRecord;
  const hidden = beside === "" ? {} : (JSON.parse(beside) as Row);
  const whole: Record<string, Json> = {};
  for (const [name, field] of fieldsOf(resource)) {
    if (field.shown === "never") continue;
    const override = overrides[name];
    if (override !== undefined) {
      const value = override(storedValue(field, served[name], hidden[name]));
      if (value !== undefined) whole[name] = value;
      continue;
    }
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

const storedValue = (field: Field, served: Json | undefined, hidden: Json | undefined): Json =>
  hidden ?? (served === undefined ? field.empty : field.validate(served, () => {}));

const derivedOf = ({ derive, empty }: Field, served: WireRecord): Json =>
  derive === undefined ? empty : derive.compute(...derive.from.map((name) => served[name]));

/** A row in import form, including hidden attributes and without unknown values. */
export function exported(resource: Resource, row: Row, rendering: Rendering): Record<string, Json> {
  const out: Record<string, Json> = {};
  for (const [name, field] of fieldsOf(resource)) {
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
