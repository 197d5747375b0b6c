// Resource definitions: fields, rules, orders, and indexes, independent of HTTP, SQL, and file formats.

import type { EventDescription } from "../output/calendar-event.ts";
import type { EntryDescription } from "../output/feed-entry.ts";
import { type Format, withFormats } from "../output/format.ts";
import type { Order } from "../query/plan.ts";
import type { Json, Row, WireRecord } from "../record/row.ts";
import type { Display } from "./display.ts";
import type { Field, Reject } from "./field.ts";
import type { Intake } from "./intake.ts";
import { checkReferences, type Reference, referencesOf } from "./references.ts";
import type { Rule, Transform } from "./rule.ts";

/** What encloses the records of a page. */
export type Envelope =
  | "array"
  | {
      readonly key: string;
      /** A second key with the same records. */
      readonly alsoKey?: string;
      /** Further members, before the records. */
      readonly members?: WireRecord;
    };

export type Resource = {
  /** As in `bellwire import conference-calls`. */
  readonly name: string;
  /** One record, in words: `rating`. Names the builder of the test kit. */
  readonly recordName: string;
  readonly title: string;
  readonly doc: string;
  readonly path: string;
  readonly envelope: Envelope;
  readonly formats: readonly Format[];
  readonly fields: Readonly<Record<string, Field>>;
  /** Other names of fields in files. */
  readonly aliases: Readonly<Record<string, string>>;
  /** In order of precedence: the first rule that specifies an order wins. */
  readonly rules: readonly Rule[];
  /** Default order. Ends with the ID. */
  readonly order: readonly Order[];
  /** Trailing columns are for filters that are tested inside the index. */
  readonly indexes: readonly (readonly string[])[];
  /** Indexed columns of few values, used as access path only if no other column is filtered by. */
  readonly lowSelectivity: readonly string[];
  /**
   * Columns of few values by which records are counted per period of the default order. Lists filtered only by these and
   * by day find deep pages without scanning. Undefined: no counts.
   */
  readonly countedBy?: readonly string[];
  /** The column that most requests filter by: records with the same value are stored together, if worthwhile. */
  readonly clusteredBy?: string;
  /** Two integer columns of at most 32 bits, packed into one 64-bit key in the default order. */
  readonly packedKey?: readonly [high: string, low: string];
  /** Values inside a record that it can be filtered by, for each kind of link. */
  readonly links: Readonly<Record<string, (row: Row) => readonly string[]>>;
  /** Passages to search in, most important field first. A phrase never spans two passages. */
  readonly searchFields: Readonly<Record<string, (row: Row) => readonly string[]>>;
  /** Transforms that its rules may choose from. */
  readonly transforms: readonly Transform[];
  /** Completes an imported record. */
  readonly fillDefaults: (row: Row) => Row;
  /** Rejects a record whose values are valid alone but not together. Stored records may predate the check. */
  readonly validateRow: (row: Row, reject: Reject) => void;
  /** `updated` defaults to the time of import. */
  readonly stampedOnImport: boolean;
  readonly display?: Display;
  /** How a record becomes an event; undefined if its list is no calendar. */
  readonly event?: EventDescription;
  /** How a record becomes an entry; undefined if its list is no feed. */
  readonly entry?: EntryDescription;
  /** Further paragraphs of the reference page. */
  readonly notes: readonly string[];
  readonly entitlements: Entitlements;
  /** How a mirror reads it. */
  readonly intake: Intake;
  /** Its stream over WebSocket, besides the one at its own path. */
  readonly messages?: Messages;
};

type Messages = {
  /** Another path at which existing clients expect it. */
  readonly path: string;
  /** Of every message. */
  readonly kind: string;
  /** Filters besides those of the list. */
  readonly rules: readonly Rule[];
  /** The form that older clients know. `revision` increases with every change. */
  readonly story?: { readonly kind: string; readonly content: (row: Row, revision: number) => Json };
};

/** The columns that the terms of a key are compared with. */
type Entitlements = {
  /** A day or a timestamp. */
  readonly history: string;
  /** When the record appeared; undefined if unknown. */
  readonly delay?: string;
  /** The timestamp that clients poll for changes, if it is another one. */
  readonly pollColumn?: string;
  /** The record's resource, in lists of several. */
  readonly resource?: string;
};

export type ResourceDefinition = Pick<
  Resource,
  "name" | "title" | "doc" | "path" | "envelope" | "fields" | "rules" | "order" | "indexes" | "entitlements" | "intake"
> &
  Partial<Resource>;

/** Adds defaults and sorts the fields by name. Throws if a rule reads something that records don't have. */
export function resource(description: ResourceDefinition): Resource {
  const references = referencesOf(description.rules);
  const { links = {}, searchFields = {} } = description;
  checkReferences({ ...description, links, searchFields }, references);
  return {
    recordName: description.name,
    aliases: {},
    lowSelectivity: [],
    links: {},
    searchFields: {},
    transforms: [],
    fillDefaults: (row) => row,
    validateRow: () => {},
    stampedOnImport: false,
    notes: [],
    ...description,
    ...withFormats(description),
    indexes: [...description.indexes, ...ruleIndexes(description, references)],
    fields: Object.fromEntries(Object.entries(description.fields).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Indexes of columns that rules read and no other index has: a filter needs one line, and is fast. */
function ruleIndexes(description: ResourceDefinition, references: readonly Reference[]): string[][] {
  const known = new Set(columnsOf(description));
  const indexes: string[][] = [];
  for (const each of references) {
    const columns = "column" in each ? [each.column] : "order" in each ? each.order : [];
    if (columns.every((column) => known.has(column))) continue;
    const order = "order" in each ? [] : description.order.map(({ column }) => column);
    indexes.push([...new Set([...columns, ...order])]);
    for (const column of columns) known.add(column);
  }
  return indexes;
}

/** Columns of a resource, in the order in which indexes first mention them. */
export function columnsOf(each: Pick<Resource, "packedKey" | "indexes">): string[] {
  return [...new Set(["id", ...(each.packedKey ?? []), ...each.indexes.flat()])];
}

/** Columns of the index that records are clustered by. */
export const clusteredColumns = ({
  clusteredBy,
  indexes,
}: Pick<Resource, "clusteredBy" | "indexes">): readonly string[] =>
  clusteredBy === undefined ? [] : (indexes.find(([first]) => first === clusteredBy) ?? []);

export function fieldOf(each: Pick<Resource, "name" | "fields">, name: string): Field {
  const field = each.fields[name];
  if (field === undefined) throw new Error(`${each.name} has no field ${name}`);
  return field;
}

export const heavyFields = (each: Pick<Resource, "fields">): string[] =>
  Object.keys(each.fields).filter((name) => each.fields[name]?.heavy);

export const derivedFields = (each: Pick<Resource, "fields">): string[] =>
  Object.keys(each.fields).filter((name) => each.fields[name]?.derive !== undefined);

/** The smallest valid record, made of examples. */
export const minimalRecord = ({ fields }: Pick<Resource, "fields">): WireRecord =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { required }]) => required)
      .map(([name, { example }]) => [name, example]),
  );
