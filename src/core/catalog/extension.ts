// Extensions: lists that the interface doesn't define, derived from the tables of the resources.

import { withFormats } from "../output/format.ts";
import type { Plan } from "../query/plan.ts";
import type { Json, Row, WireRecord } from "../record/row.ts";
import type { Rendering } from "./field.ts";
import { checkReferences, referencesOf } from "./references.ts";
import { columnsOf, type Resource } from "./resource.ts";

/** What a plan reads. */
export type Table = Pick<
  Resource,
  | "name"
  | "fields"
  | "order"
  | "indexes"
  | "lowSelectivity"
  | "countedBy"
  | "clusteredBy"
  | "packedKey"
  | "links"
  | "searchFields"
  | "entitlements"
> & {
  /** A virtual table of days with their number of records of each of these resources. */
  readonly dayCountsOf?: readonly Resource[];
};

/** Only the newest record for each value of a column or kind of link. */
export type LatestPerGroup = { readonly column: string } | { readonly link: string };

export type Extension = Pick<
  Resource,
  | "name"
  | "title"
  | "doc"
  | "path"
  | "envelope"
  | "formats"
  | "fields"
  | "rules"
  | "order"
  | "notes"
  | "event"
  | "entry"
> & {
  readonly table: Table;
  /** A key needs access to one of these. */
  readonly resources: readonly string[];
  readonly latestPer?: LatestPerGroup;
  readonly computed?: Computed;
  /** Maps the records read to those of the response; the stored ones by default. */
  readonly toResponse?: (rows: readonly Row[]) => readonly WireRecord[];
  /** Fields in another form than the stored one, from the stored values; undefined if the stored form is the right one. */
  readonly overrides?: (rendering: Rendering) => Overrides | undefined;
  /** Names of the data versions that its ETags depend on. */
  readonly versions: readonly string[];
};

/** A list computed in memory from records of others. */
export type Computed = {
  /** What to read for a plan, and which fields of it. */
  readonly sources: (plan: Plan) => readonly ListSource[];
  /** From the records of each source, a function that returns those of a page. */
  readonly index: (read: readonly SourceRecords[]) => (plan: Plan) => readonly WireRecord[];
};

export type ListSource = { readonly plan: Plan; readonly fields: readonly string[] };
export type SourceRecords = { readonly resource: string; readonly records: readonly WireRecord[] };

/** By field; undefined omits the field. */
export type Overrides = Readonly<Record<string, (value: Json) => Json | undefined>>;

export type Listing = Resource | Extension;

/** Adds defaults and sorts the fields by name. Throws if a rule reads something that the table doesn't have. */
export function extension(
  description: Omit<Extension, "formats" | "notes"> & Partial<Pick<Extension, "formats" | "notes">>,
): Extension {
  const { name, table, rules } = description;
  checkReferences({ ...table, name, fields: columnFields(table) }, referencesOf(rules));
  return {
    notes: [],
    ...description,
    ...withFormats(description),
    fields: Object.fromEntries(Object.entries(description.fields).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Fields with a column: for a resource those in its indexes, for a standalone table all. */
function columnFields(table: Table): Table["fields"] {
  if (table.indexes.length === 0) return table.fields;
  const columns = new Set(columnsOf(table));
  return Object.fromEntries(Object.entries(table.fields).filter(([name]) => columns.has(name)));
}

/** The table of a list that is not derived from that of a resource. */
export const standaloneTable = (
  table: Pick<Table, "name" | "fields" | "order" | "entitlements" | "dayCountsOf">,
): Table => ({
  indexes: [],
  lowSelectivity: [],
  links: {},
  searchFields: {},
  ...table,
});

export const resourcesOf = (listing: Listing): readonly string[] =>
  "resources" in listing ? listing.resources : [listing.name];

export const tableOf = (listing: Listing): Table => ("table" in listing ? listing.table : listing);

/** Such as `{id}` in `/api/v2/news/{id}`. */
export const hasPathParameters = ({ path }: Pick<Listing, "path">): boolean => path.includes("{");
