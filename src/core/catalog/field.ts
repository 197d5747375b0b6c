// What a field is: its value said once. Import checks, answers, columns and schemas all come from it.
// The kinds of field are made in `kinds.ts` and `lists.ts`.
import type { Compared, Json, Row } from "../record/row.ts";
import type { Zone } from "../value/time-zone.ts";

/** Settings of the service that shape every answer. */
export type Rendering = { readonly zone: Zone; readonly cusip: "integer" | "string" };

export type Schema = { readonly [key: string]: Json };

/** Called for each thing wrong with a value; `at` is a path inside it, such as `[0].name`. */
export type Refuse = (expected: string, given: unknown, at?: string) => void;

/** When a field is part of an answer. */
export type Shown = "always" | "on request" | "with *" | "never";

export type Field = {
  readonly kind: string;
  readonly doc: string;
  /** A value in import form. */
  readonly example: Json;
  readonly empty: Json;
  readonly column: "text" | "integer";
  readonly shown: Shown;
  readonly required: boolean;
  /** Left out of the answer when empty, rather than answered empty. */
  readonly optional: boolean;
  /** Large: kept apart from the record and read only when a request fills it. */
  readonly heavy: boolean;
  /** Range or words that rules and schemas read, so that they stand in one place. */
  readonly range?: { readonly min: number; readonly max: number };
  readonly words?: readonly string[];
  /** All values that `compare` gives, where they are few and `range` does not say. */
  readonly compared?: readonly number[];
  readonly members?: Readonly<Record<string, Field>>;
  /** What is said when the value is unknown but follows from other fields of the record, as they are answered. */
  readonly derive?: {
    readonly from: readonly string[];
    readonly by: (...values: readonly (Json | undefined)[]) => Json;
  };
  readonly accept: (value: unknown, refuse: Refuse) => Json;
  /** A CSV cell, which is always text, as the loose value that `accept` expects. */
  readonly fromText: (text: string) => unknown;
  readonly emit: (value: Json, rendering: Rendering) => Json | undefined;
  /** True when `accept(emit(value))` would not give the value back, so that it must be kept beside the answer. */
  readonly lossy: (value: Json, rendering: Rendering) => boolean;
  /** The value in import form; by default as it is answered, or as it is kept where the answer would lose something. */
  readonly exported: (value: Json, rendering: Rendering) => Json | undefined;
  readonly compare: (value: Json) => Compared;
  readonly schema: Schema;
};

/** Longest text that is asked by: it stands in indexes. */
export const mostIndexed = 255;

export type FieldOptions = Partial<
  Pick<Field, "shown" | "required" | "optional" | "heavy" | "derive" | "compare" | "compared" | "example" | "column">
>;

export type Kind = Pick<Field, "kind" | "example" | "empty" | "column" | "accept" | "schema"> & Partial<Field>;

/** A field of a kind, with what the resource says differently. */
export function field(doc: string, kind: Kind, options: FieldOptions): Field {
  const { emit = (value) => value, lossy = () => false } = kind;
  return {
    doc,
    shown: "always",
    required: false,
    optional: false,
    heavy: false,
    fromText: (text) => text,
    emit,
    lossy,
    exported: (value, rendering) => (lossy(value, rendering) ? value : emit(value, rendering)),
    compare: (value) => value as string | number,
    ...kind,
    ...options,
  };
}

/** Checks the attributes of an object against fields; unknown names, missing and wrong values are each refused. */
export function acceptMembers(
  given: Record<string, unknown>,
  fields: Readonly<Record<string, Field>>,
  refuse: Refuse,
  at = "",
): Row {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(fields, name)) refuse("no such attribute", given[name], `${at}${name}`);
  }
  const row: Record<string, Json> = {};
  for (const [name, each] of Object.entries(fields)) {
    const value = given[name];
    const unknown = value === undefined || value === null;
    if (each.required && (unknown || value === "")) refuse("a value: it is required", value, `${at}${name}`);
    else if (!unknown) {
      const stored = each.accept(value, (expected, wrong, inside = "") =>
        refuse(expected, wrong, `${at}${name}${inside}`),
      );
      // Members of lists are kept only when known; a row holds every field.
      if (at === "" || stored !== each.empty || each.required) row[name] = stored;
    } else if (at === "") row[name] = each.empty;
  }
  return row;
}
