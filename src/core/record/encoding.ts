// Rows ↔ the JSON they are served as. Attributes that it doesn't show are stored separately, so that nothing is lost.
import type { Overrides } from "../catalog/extension.ts";
import { asStored, emptyRow, type Field, neverLossy, type Rendering } from "../catalog/field.ts";
import { heavyFields, type Resource } from "../catalog/resource.ts";
import { type Json, type Row, templateOf, type WireRecord } from "./row.ts";

export type EncodedRecord = {
  /** The JSON of the record, split at the value of each heavy field: one more fragment than heavy fields. */
  readonly fragments: readonly string[];
  /** JSON of the heavy values, in order. */
  readonly heavy: readonly string[];
  /** JSON of the fields that the fragments don't show, or show with a loss; empty if there are none. */
  readonly hidden: string;
};

export function encodeRecord(resource: Pick<Resource, "fields">, row: Row, rendering: Rendering): EncodedRecord {
  const { fields, templates } = layoutOf(resource);
  const fragments: string[] = [];
  const heavy: string[] = [];
  const hidden: Record<string, Json> = {};
  let isAnyHidden = false;
  // Members since the last heavy value: one call of JSON.stringify for all of them is several times faster.
  let members: Members = { ...templates[0] };
  let opening = "{";
  for (const { name, field, isShown, isPlain } of fields) {
    const value = row[name] ?? field.empty;
    if (isPlain) {
      members[name] = value;
      continue;
    }
    if (isShown ? field.lossy(value, rendering) : !isEmpty(value, field.empty)) {
      hidden[name] = value;
      isAnyHidden = true;
    }
    if (!isShown) continue;
    const emitted = field.emit(value, rendering);
    if (field.heavy) {
      const before = JSON.stringify(members).slice(1, -1);
      fragments.push(`${opening}${before}${before === "" ? "" : ","}${JSON.stringify(name)}:`);
      heavy.push(JSON.stringify(emitted));
      members = { ...templates[heavy.length] };
      opening = ",";
    } else members[name] = emitted;
  }
  const last = JSON.stringify(members);
  fragments.push(opening === "{" ? last : last === "{}" ? "}" : `,${last.slice(1)}`);
  return { fragments, heavy, hidden: isAnyHidden ? JSON.stringify(hidden) : "" };
}

/** JSON omits members that are undefined. */
type Members = Record<string, Json | undefined>;

/** What depends only on the fields, computed once. */
type Layout = {
  readonly fields: readonly {
    readonly name: string;
    readonly field: Field;
    readonly isShown: boolean;
    /** Whether responses contain the value as it is stored. */
    readonly isPlain: boolean;
  }[];
  /** The members between heavy fields. */
  readonly templates: readonly Row[];
};

const layouts = new WeakMap<Resource["fields"], Layout>();

function layoutOf({ fields }: Pick<Resource, "fields">): Layout {
  let layout = layouts.get(fields);
  if (layout === undefined) {
    const templates: Record<string, Json>[] = [{}];
    for (const [name, { shown, heavy }] of Object.entries(fields)) {
      if (heavy) templates.push({});
      else if (shown === "always") Object.assign(templates.at(-1) ?? {}, { [name]: null });
    }
    layout = {
      fields: Object.entries(fields).map(([name, field]) => {
        const isShown = field.shown === "always";
        const isPlain = isShown && !field.heavy && field.emit === asStored && field.lossy === neverLossy;
        return { name, field, isShown, isPlain };
      }),
      templates: templates.map(templateOf),
    };
    layouts.set(fields, layout);
  }
  return layout;
}

/** The inverse of `encodeRecord`; `json` includes the heavy values. */
export function decodeRecord(resource: Pick<Resource, "name" | "fields">, json: string, beside: string): Row {
  const served = JSON.parse(json) as WireRecord;
  const hidden = beside === "" ? {} : (JSON.parse(beside) as Row);
  const row: Record<string, Json> = { ...emptyRow(resource.fields) };
  for (const { name, field } of layoutOf(resource).fields) {
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
  for (const { name, field } of layoutOf(resource).fields) {
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
  for (const { name, field } of layoutOf(resource).fields) {
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
