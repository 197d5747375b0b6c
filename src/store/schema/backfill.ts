// Columns that a migration adds to a table that may hold records, and how those records are found and encoded.
//
// Such a column holds a marker where no value was written yet: in records from before the migration, and in those that a
// server of the previous version still writes alongside this one. So a backfill can stop anywhere and resume, and the last
// server that is replaced leaves nothing unfilled. Nothing that clients see changes: no version, no log entry, no bytes.
import type { Field, Rendering } from "../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import type { CompareKey } from "../../core/record/row.ts";
import type { Migration } from "../migrate.ts";
import { decodeRow, encodeRow, type StoredRow, type Tables, tablesOf } from "../rows/row-encoding.ts";

/** Columns of one table that may hold markers. */
export type Backfill = {
  readonly tables: Tables;
  readonly columns: readonly string[];
  /** SQL that is true of a record `r` with a marker. */
  readonly unfilled: string;
};

/** Records encoded in one transaction: other writers wait that long. */
export const backfillBatch = 1000;

export function backfillsOf(catalog: readonly Resource[], migrations: readonly Migration[]): Backfill[] {
  return catalog.flatMap((resource) => {
    const tables = tablesOf(resource);
    const added = migrations.flatMap(({ adds }) => adds?.[tables.table] ?? []);
    // A later migration may have dropped it again.
    const columns = tables.columns.filter((column) => added.includes(column));
    const unfilled = columns.map((column) => `r.${column} ${isMarked(fieldOf(resource, column))}`).join(" or ");
    return columns.length === 0 ? [] : [{ tables, columns, unfilled: `(${unfilled})` }];
  });
}

/** Null, or where that is a value too, the empty text, which then is none. */
const isMarked = (field: Field): string => (isNullable(field) ? "= ''" : "is null");

/** Whether null is one of the values that the column of a field holds. */
const isNullable = (field: Field): boolean => field.compareKey(field.empty) === null;

/** The definition of an added column after its name and type. */
export const markerDefault = (field: Field): string => (isNullable(field) ? " default ''" : "");

/** The values of the added columns, as the write path encodes them. */
export function encodeAdded({ tables, columns }: Backfill, stored: StoredRow, rendering: Rendering): CompareKey[] {
  const encoded = encodeRow(tables, decodeRow(tables, stored), rendering);
  return columns.map((name) => encoded.columns[tables.columns.indexOf(name)] ?? null);
}
