// Lists beside the catalogue's own: read from the same tables, shown in a form of their own. Extensions of the interface.

import type { Row, Served } from "../record/row.ts";
import { checkReferences, referencesOf } from "./references.ts";
import { columnsOf, type Resource } from "./resource.ts";

/** What a plan reads: a table of records, and how it is walked. */
export type Table = Pick<
  Resource,
  "name" | "fields" | "order" | "indexes" | "coarse" | "counted" | "together" | "packed" | "links" | "places" | "sold"
> & {
  /** The table is not kept: its rows are days, each with how many records of these resources are listed for it. */
  readonly daysOf?: readonly Resource[];
};

/** One record for each value of a column, or of a kind of link: the newest that has it. */
export type NewestOf = { readonly column: string } | { readonly link: string };

/** What is served at a path. */
type Shown = Pick<
  Resource,
  "name" | "title" | "doc" | "path" | "envelope" | "formats" | "fields" | "rules" | "order" | "notes"
>;

export type Extension = Shown & {
  readonly table: Table;
  /** Names of the resources whose records it tells of. */
  readonly resources: readonly string[];
  readonly newestOf?: NewestOf;
  /** What is answered for the records that were read; as they are kept when it is not said. */
  readonly shows?: (rows: readonly Row[]) => readonly Served[];
  /** Names of the versions that an answer depends on. */
  readonly versions: readonly string[];
};

export type Listing = Resource | Extension;

/**
 * Puts the fields in their order on the wire, and fills in what most lists leave out. Fails when a rule reads what the
 * table doesn't have.
 */
export function extension(
  description: Omit<Extension, "formats" | "notes"> & Partial<Pick<Extension, "formats" | "notes">>,
): Extension {
  const { name, table, rules } = description;
  checkReferences({ ...table, name, fields: columnFields(table) }, referencesOf(rules));
  return {
    formats: ["json"],
    notes: [],
    ...description,
    fields: Object.fromEntries(Object.entries(description.fields).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Fields that have a column: of a resource those in its indexes, of a list with a table to itself all. */
function columnFields(table: Table): Table["fields"] {
  if (table.indexes.length === 0) return table.fields;
  const columns = new Set(columnsOf(table));
  return Object.fromEntries(Object.entries(table.fields).filter(([name]) => columns.has(name)));
}

/** A list whose table is its own: a name, fields, an order and what is sold by say all of it. */
export const ownTable = (table: Pick<Table, "name" | "fields" | "order" | "sold" | "daysOf">): Table => ({
  indexes: [],
  coarse: [],
  links: {},
  places: {},
  ...table,
});

/** The resources that a key must have been sold one of. */
export const resourcesOf = (listing: Listing): readonly string[] =>
  "resources" in listing ? listing.resources : [listing.name];

export const tableRead = (listing: Listing): Table => ("table" in listing ? listing.table : listing);

/** Whether a segment of the path is a name that stands for a value: `/api/v2/news/{id}`. */
export const hasNames = ({ path }: Pick<Listing, "path">): boolean => path.includes("{");
