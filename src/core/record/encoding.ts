// A row ↔ the bytes it is answered with. What the bytes do not show is kept beside them, so nothing is lost or kept twice.
import type { Field, Rendering } from "../catalog/field.ts";
import { heavyFields, type Resource } from "../catalog/resource.ts";
import type { Json, Row, Served } from "./row.ts";

/** A row ready to be stored. */
export type Kept = {
  /** The JSON of the record, cut where each heavy field's value belongs: one more piece than heavy fields. */
  readonly pieces: readonly string[];
  /** JSON of the heavy values, in the order of the cuts. */
  readonly heavy: readonly string[];
  /** JSON of the fields that the pieces do not show or show with a loss; empty when there are none. */
  readonly beside: string;
};

export function keep(resource: Pick<Resource, "fields">, row: Row, rendering: Rendering): Kept {
  const pieces: string[] = [];
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
      pieces.push(piece);
      heavy.push(JSON.stringify(emitted));
      piece = "";
    } else piece += JSON.stringify(emitted);
  }
  pieces.push(`${piece}}`);
  return { pieces, heavy, beside: Object.keys(beside).length === 0 ? "" : JSON.stringify(beside) };
}

/** The row that was kept: the inverse of `keep`, given the whole JSON with its heavy values filled in. */
export function recall(resource: Pick<Resource, "name" | "fields">, json: string, beside: string): Row {
  const served = JSON.parse(json) as Served;
  const hidden = beside === "" ? {} : (JSON.parse(beside) as Row);
  const row: Record<string, Json> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = served[name];
    row[name] =
      hidden[name] ??
      (value === undefined
        ? field.empty
        : field.accept(value, (expected) => {
            throw new Error(
              `stored ${resource.name} record holds ${name} ${JSON.stringify(value)}, expected ${expected}`,
            );
          }));
  }
  return row;
}

/** Everything a record can answer, on-request fields included; fields that are never shown stay away. */
export function wholeRecord(
  resource: Pick<Resource, "fields">,
  json: string,
  beside: string,
  rendering: Rendering,
): Served {
  const served = JSON.parse(json) as Served;
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

const derivedOf = ({ derive, empty }: Field, served: Served): Json =>
  derive === undefined ? empty : derive.by(...derive.from.map((name) => served[name]));

/** A row in import form: known attributes only, hidden ones included. */
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

export const heavyBlanks = (resource: Pick<Resource, "fields">): string[] =>
  heavyFields(resource).map((name) => JSON.stringify(resource.fields[name]?.empty ?? ""));

function isEmpty(value: Json, empty: Json): boolean {
  if (value === empty) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
