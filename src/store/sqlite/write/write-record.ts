// Writes one record to SQLite: row, links, search text, and words. The caller opens the transaction, logs the change, and
// writes the count delta at its end.
import type { Rendering } from "../../../core/catalog/field.ts";
import { fieldOf } from "../../../core/catalog/resource.ts";
import type { CompareKey } from "../../../core/record/row.ts";
import type { NewEntry } from "../../rows/record-history.ts";
import {
  decodeEncoded,
  decodeRow,
  encodeRow,
  isUnchanged,
  storedRecord,
  type Tables,
} from "../../rows/row-encoding.ts";
import type { CountDelta } from "../../sql/count-delta.ts";
import type { IncomingRow, Outcome } from "../../store.ts";
import type { Connection, SqlRow, SqlValue } from "../connection.ts";
import { addRemoval, logChanges } from "./change-log.ts";
import { encodedOf, idOf, type PreparedRow, prepareRow, sideRows } from "./prepare-row.ts";
import { type Statements, statementsFor } from "./statements.ts";

/** Adds the log entry of a record that was written to `entries`. */
export function writeRow(
  connection: Connection,
  delta: CountDelta,
  incoming: IncomingRow,
  rendering: Rendering,
  entries: NewEntry[],
): Outcome {
  const { tables } = delta;
  const { row, stamped } = incoming;
  const old = findStored(connection, tables, row.id as string | number);
  if (old !== undefined) {
    // A different time of import alone is no change: an identical record retains its old one.
    const compared = stamped ? { ...row, updated: Number(old.updated) } : row;
    if (isUnchanged(tables, old, encodeRow(tables, compared, rendering))) return "unchanged";
  }
  return replaceRow(connection, delta, old, prepareRow(tables, incoming, rendering), entries);
}

/** Like `writeRow`, for a record that another thread prepared. */
export function writePrepared(
  connection: Connection,
  delta: CountDelta,
  prepared: PreparedRow,
  rendering: Rendering,
  entries: NewEntry[],
): Outcome {
  const { tables } = delta;
  const [, , stamped] = prepared;
  const encoded = encodedOf(tables, prepared);
  if (stamped) return writeRow(connection, delta, { row: decodeEncoded(tables, encoded), stamped }, rendering, entries);
  const old = findStored(connection, tables, idOf(tables, prepared));
  if (old !== undefined && isUnchanged(tables, old, encoded)) return "unchanged";
  return replaceRow(connection, delta, old, prepared, entries);
}

function replaceRow(
  connection: Connection,
  delta: CountDelta,
  old: ExistingRow | undefined,
  row: PreparedRow,
  entries: NewEntry[],
): Outcome {
  const { tables } = delta;
  if (old !== undefined) deleteRow(connection, delta, old);
  insertRow(connection, delta, row, old?.key);
  const kind = old === undefined ? "created" : "updated";
  entries.push({ id: String(idOf(tables, row)), kind, before: old && storedRecord(tables, old) });
  return kind;
}

export function removeRow(connection: Connection, delta: CountDelta, id: string, at: number): boolean {
  const { resource } = delta.tables;
  const old = findStored(connection, delta.tables, fieldOf(resource, "id").fromCsv(id) as string | number);
  if (old === undefined) return false;
  deleteRow(connection, delta, old);
  const before = storedRecord(delta.tables, old);
  logChanges(connection, resource.name, [{ id: String(old.id), kind: "removed", before }], at);
  addRemoval(connection, resource.name, String(old.id), at);
  return true;
}

/** Renders a stored record again. Its content doesn't change, so nothing is logged. */
export function renderRow(connection: Connection, delta: CountDelta, id: string | number, rendering: Rendering): void {
  const { tables } = delta;
  const old = findStored(connection, tables, id);
  if (old === undefined) return;
  const row = decodeRow(tables, old);
  deleteRow(connection, delta, old);
  insertRow(connection, delta, prepareRow(tables, { row, stamped: false }, rendering), old.key);
}

/** Called once at the end of a transaction that changed records of the resource. */
export function bumpVersion(connection: Connection, name: string): void {
  connection.run(
    `insert into version (name, seq) values (?, coalesce((select max(seq) from change), 1))
     on conflict (name) do update set seq = max(excluded.seq, version.seq + 1)`,
    name,
  );
}

type ExistingRow = SqlRow & { key: number | bigint };

// Packed keys don't fit a double, so all integers of the row are read as bigints.
function findStored(connection: Connection, tables: Tables, id: string | number): ExistingRow | undefined {
  const statement = connection.prepare(statementsFor(tables).find);
  statement.setReadBigInts(true);
  return statement.get(id) as ExistingRow | undefined;
}

/** Inserts a record that isn't stored. */
export function insertRow(
  connection: Connection,
  delta: CountDelta,
  [values, heavy, , links, words, search]: PreparedRow,
  oldKey?: number | bigint,
  sql: Statements = statementsFor(delta.tables),
): void {
  const [packedKey, ...rest] = values;
  delta.add({ key: (packedKey ?? undefined) as bigint | undefined, columns: rest as CompareKey[] });
  const assignedKey = packedKey ?? oldKey ?? null;
  const statement = connection.prepare(sql.insert);
  statement.setReadBigInts(true);
  const { lastInsertRowid } = statement.run(assignedKey, ...rest);
  const key = assignedKey ?? lastInsertRowid;
  if (heavy !== undefined) connection.run(sql.insertText, key, ...heavy);
  insertPairs(connection, sql.insertLink, links, key);
  if (search.length > 0) connection.run(sql.insertSearch, key, ...search);
  insertPairs(connection, sql.insertWord, words, key);
}

/** A row per run: one statement for several rows takes twice as long. */
function insertPairs(connection: Connection, sql: string, pairs: readonly (string | number)[], key: SqlValue): void {
  if (pairs.length === 0) return;
  const statement = connection.prepare(sql);
  // The result includes the last key, and packed keys don't fit a double.
  statement.setReadBigInts(true);
  for (let at = 0; at < pairs.length; at += 2) statement.run(pairs[at] ?? null, pairs[at + 1] ?? null, key);
}

function deleteRow(connection: Connection, delta: CountDelta, old: ExistingRow): void {
  const { tables } = delta;
  const { table } = tables;
  delta.subtract(old);
  const isSearched = tables.places.length > 0;
  if (tables.hasLinks || isSearched) {
    const [links, words] = sideRows(tables, decodeRow(tables, old));
    for (let at = 0; at < links.length; at += 2) {
      const [kind, value] = links.slice(at, at + 2);
      connection.run(`delete from ${table}_link where kind = ? and value = ? and key = ?`, kind, value, old.key);
    }
    if (isSearched) connection.run(`delete from ${table}_search where rowid = ?`, old.key);
    for (let at = 0; at < words.length; at += 2) {
      const [word, place] = words.slice(at, at + 2);
      connection.run(`delete from ${table}_word where word = ? and place = ? and key = ?`, word, place, old.key);
    }
  }
  if (tables.heavy.length > 0) connection.run(`delete from ${table}_text where key = ?`, old.key);
  connection.run(`delete from ${table} where key = ?`, old.key);
}
