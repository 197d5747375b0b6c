// Fields: the definition that validation, responses, columns, and schemas are derived from.

import { type CompareKey, type Json, type Row, templateOf } from "../record/row.ts";
import type { Zone } from "../value/time-zone.ts";
import type { Coercion } from "./coercions.ts";

/** Settings that affect every response. */
export type Rendering = { readonly zone: Zone; readonly cusip: "integer" | "string" };

export type Schema = { readonly [key: string]: Json };

/** Called for each error in a value; `at` is a path inside it, such as `[0].name`. */
export type Reject = (expected: string, received: unknown, at?: string) => void;

/** When a field is part of a response. */
type Shown = "always" | "on request" | "with *" | "never";

export type Field = {
  readonly kind: string;
  readonly doc: string;
  /** In import form. */
  readonly example: Json;
  readonly empty: Json;
  readonly column: "text" | "integer";
  readonly shown: Shown;
  readonly required: boolean;
  /** Omitted from responses while empty. */
  readonly optional: boolean;
  /** Large: stored separately, and read only if a request includes it. */
  readonly heavy: boolean;
  readonly range?: { readonly min: number; readonly max: number };
  readonly allowedValues?: readonly string[];
  /** All results of `compareKey`, if they are few and there is no `range`. */
  readonly compareKeys?: readonly number[];
  readonly members?: Readonly<Record<string, Field>>;
  /** The member that stands for a whole object of the list, in formats whose values are plain text. */
  readonly mainMember?: string;
  /** Computes an unknown value from other fields, as they are in the response. */
  readonly derive?: {
    readonly from: readonly string[];
    readonly compute: (...values: readonly (Json | undefined)[]) => Json;
  };
  readonly validate: (value: unknown, reject: Reject) => Json;
  /** Converts a CSV cell to what `validate` expects. */
  readonly fromCsv: (text: string) => unknown;
  /** Converts other spellings, as in files, to what `validate` expects. Most fields have none. */
  readonly coerce?: Coercion;
  readonly emit: (value: Json, rendering: Rendering) => Json | undefined;
  /** Whether `validate(emit(value))` would lose information, so that the value is stored with the hidden attributes. */
  readonly lossy: (value: Json, rendering: Rendering) => boolean;
  /** The value in import form; by default as in the response, unless that is lossy. */
  readonly exported: (value: Json, rendering: Rendering) => Json | undefined;
  /** The form in which the value is stored in a column, compared, and sorted. */
  readonly compareKey: (value: Json) => CompareKey;
  readonly schema: Schema;
};

/** Longest text of an indexed field. */
export const maxIndexedLength = 255;

export type FieldOptions = Partial<
  Pick<
    Field,
    | "shown"
    | "required"
    | "optional"
    | "heavy"
    | "derive"
    | "compareKey"
    | "compareKeys"
    | "example"
    | "column"
    | "coerce"
    | "mainMember"
  >
>;

type FieldKind = Pick<Field, "kind" | "example" | "empty" | "column" | "validate" | "schema"> & Partial<Field>;

export const asStored = (value: Json): Json => value;
export const neverLossy = (): boolean => false;

export function field(doc: string, kind: FieldKind, options: FieldOptions): Field {
  const { emit = asStored, lossy = neverLossy } = kind;
  return {
    doc,
    shown: "always",
    required: false,
    optional: false,
    heavy: false,
    fromCsv: (text) => text,
    emit,
    lossy,
    exported: (value, rendering) => (lossy(value, rendering) ? value : emit(value, rendering)),
    compareKey: (value) => value as string | number,
    ...kind,
    ...options,
  };
}

/** Validates the attributes of an object; unknown names, missing values, and invalid values are each rejected. */
export function validateMembers(
  object: Record<string, unknown>,
  fields: Readonly<Record<string, Field>>,
  reject: Reject,
  at = "",
): Row {
  const members = membersOf(fields);
  return acceptMembers(object, members, at === "") ?? explainMembers(object, members, reject, at);
}

/** What depends only on the fields, computed once. */
type Members = {
  readonly fields: ReadonlyMap<string, Field>;
  readonly empty: Row;
};

const cachedMembers = new WeakMap<Readonly<Record<string, Field>>, Members>();

function membersOf(fields: Readonly<Record<string, Field>>): Members {
  let members = cachedMembers.get(fields);
  if (members === undefined) {
    const entries = Object.entries(fields);
    members = {
      fields: new Map(entries),
      empty: templateOf(Object.fromEntries(entries.map(([name, { empty }]) => [name, empty]))),
    };
    cachedMembers.set(fields, members);
  }
  return members;
}

/** A row of unknown values, to be copied. */
export const emptyRow = (fields: Readonly<Record<string, Field>>): Row => membersOf(fields).empty;

/** Returns undefined if anything is invalid, which nearly nothing is. */
function acceptMembers(object: Record<string, unknown>, members: Members, isRecord: boolean): Row | undefined {
  const { fields } = members;
  for (const name in object) if (!fields.has(name)) return undefined;
  // A row has every field; members of lists are stored only if known.
  const row: Record<string, Json> = isRecord ? { ...members.empty } : {};
  let isValid = true;
  const reject = (): void => {
    isValid = false;
  };
  for (const [name, field] of fields) {
    const value = object[name];
    if (field.required ? value === undefined || value === null || value === "" : value === field.empty) {
      if (field.required) return undefined;
      continue;
    }
    if (value === undefined || value === null) continue;
    const stored = field.validate(value, reject);
    if (isRecord || stored !== field.empty || field.required) row[name] = stored;
  }
  return isValid ? row : undefined;
}

/** The same, with every reason. */
function explainMembers(object: Record<string, unknown>, { fields }: Members, reject: Reject, at: string): Row {
  for (const name of Object.keys(object)) {
    if (!fields.has(name)) reject("no such attribute", object[name], `${at}${name}`);
  }
  const row: Record<string, Json> = {};
  for (const [name, each] of fields) {
    const value = object[name];
    const unknown = value === undefined || value === null;
    if (each.required && (unknown || value === "")) reject("a value: it is required", value, `${at}${name}`);
    else if (!unknown) {
      const stored = each.validate(value, (expected, received, inside = "") =>
        reject(expected, received, `${at}${name}${inside}`),
      );
      if (at === "" || stored !== each.empty || each.required) row[name] = stored;
    } else if (at === "") row[name] = each.empty;
  }
  return row;
}
