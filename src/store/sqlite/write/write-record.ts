// Writes one record to SQLite: row, links, search text, words, and change log entry. The caller opens the transaction, and
// writes the count delta at its end.
import type { Rendering } from "../../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../../core/catalog/resource.ts";
import type { Row } from "../../../core/record/row.ts";
import {
  decodeRow,
  type EncodedRow,
  encodeRow,
  hasHeavy,
  isUnchanged,
  linksOf,
  passagesOf,
  selectRowSql,
  type Tables,
  wordsBeforeLast,
} from "../../rows/row-encoding.ts";
import type { CountDelta } from "../../sql/count-delta.ts";
import type { Change, IncomingRow, Outcome } from "../../store.ts";
import type { Connection, SqlRow } from "../connection.ts";
import { searchText, searchWord } from "../dialect.ts";
import { addRemoval } from "./change-log.ts";

export function writeRow(
  connection: Connection,
  delta: CountDelta,
  incoming: IncomingRow,
  rendering: Rendering,
  /** The time of the log entry; undefined to log nothing. */
  at: number | undefined,
): Outcome {
  const { tables } = delta;
  const id = incoming.row.id as string | number;
  const old = findStored(connection, tables, id);
  if (old === undefined) {
    insertRow(connection, delta, incoming.row, encodeRow(tables, incoming.row, rendering), undefined);
    if (at !== undefined) logChange(connection, tables.resource, String(id), "created", at);
    return "created";
  }
  // A different time of import alone is no change: an identical record retains its old one.
  const compared = incoming.stamped ? { ...incoming.row, updated: Number(old.updated) } : incoming.row;
  if (isUnchanged(tables, old, encodeRow(tables, compared, rendering))) return "unchanged";
  deleteRow(connection, delta, old);
  insertRow(connection, delta, incoming.row, encodeRow(tables, incoming.row, rendering), old.key);
  if (at !== undefined) logChange(connection, tables.resource, String(id), "updated", at);
  return "updated";
}

export function removeRow(connection: Connection, delta: CountDelta, id: string, at: number): boolean {
  const { resource } = delta.tables;
  const old = findStored(connection, delta.tables, fieldOf(resource, "id").fromCsv(id) as string | number);
  if (old === undefined) return false;
  deleteRow(connection, delta, old);
  logChange(connection, resource, String(old.id), "removed", at);
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
  insertRow(connection, delta, row, encodeRow(tables, row, rendering), old.key);
}

function logChange(connection: Connection, resource: Resource, id: string, kind: Change["kind"], at: number): void {
  connection.run("insert into change (resource, id, kind, at) values (?, ?, ?, ?)", resource.name, id, kind, at);
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
  const statement = connection.prepare(`${selectRowSql(tables)} where r.id = ?`);
  statement.setReadBigInts(true);
  return statement.get(id) as ExistingRow | undefined;
}

/** Pairs per statement: running one costs more than inserting a row, but SQLite limits its parameters. */
const maxPairs = 1000;

const placeholders = (count: number): string => Array(count).fill("?").join(", ");

function insertRow(
  connection: Connection,
  delta: CountDelta,
  row: Row,
  encoded: EncodedRow,
  oldKey: number | bigint | undefined,
): void {
  const { tables } = delta;
  const { resource, table } = tables;
  delta.add(encoded);
  const names = ["key", ...tables.columns, ...tables.fragments, "beside"];
  const assignedKey = encoded.key ?? oldKey ?? null;
  const statement = connection.prepare(
    `insert into ${table} (${names.join(", ")}) values (${placeholders(names.length)})`,
  );
  statement.setReadBigInts(true);
  const { lastInsertRowid } = statement.run(assignedKey, ...encoded.columns, ...encoded.fragments, encoded.hidden);
  const key = assignedKey ?? lastInsertRowid;
  if (hasHeavy(encoded)) {
    const heavy = tables.heavy.join(", ");
    connection.run(
      `insert into ${table}_text (key, ${heavy}) values (${placeholders(tables.heavy.length + 1)})`,
      key,
      ...encoded.heavy,
    );
  }
  insertPairs(connection, `${table}_link (kind, value, key)`, linksOf(resource, row), key);
  if (tables.places.length > 0) {
    const places = tables.places.join(", ");
    const passages = passagesOf(resource, row);
    connection.run(
      `insert into ${table}_search (rowid, ${places}) values (${placeholders(tables.places.length + 1)})`,
      key,
      ...passages.map(searchText),
    );
    insertPairs(connection, `${table}_word (word, place, key)`, indexedWords(passages), key);
  }
}

function insertPairs(
  connection: Connection,
  into: string,
  pairs: readonly (readonly [string, string | number])[],
  key: number | bigint,
): void {
  for (let at = 0; at < pairs.length; at += maxPairs) {
    const chunk = pairs.slice(at, at + maxPairs);
    const values = chunk.map((_, index) => `(?${2 * index + 2}, ?${2 * index + 3}, ?1)`).join(", ");
    connection.run(`insert into ${into} values ${values}`, key, ...chunk.flat());
  }
}

/** Encoded as in the full-text index, so that both are queried alike. */
const indexedWords = (passages: ReturnType<typeof passagesOf>): [string, number][] =>
  wordsBeforeLast(passages).map(([word, place]) => [searchWord(word), place]);

function deleteRow(connection: Connection, delta: CountDelta, old: ExistingRow): void {
  const { tables } = delta;
  const { resource, table } = tables;
  delta.subtract(old);
  const isSearched = tables.places.length > 0;
  const row = tables.hasLinks || isSearched ? decodeRow(tables, old) : undefined;
  if (tables.hasLinks && row !== undefined) {
    for (const [kind, value] of linksOf(resource, row)) {
      connection.run(`delete from ${table}_link where kind = ? and value = ? and key = ?`, kind, value, old.key);
    }
  }
  if (isSearched && row !== undefined) {
    connection.run(`delete from ${table}_search where rowid = ?`, old.key);
    for (const [word, place] of indexedWords(passagesOf(resource, row)))
      connection.run(`delete from ${table}_word where word = ? and place = ? and key = ?`, word, place, old.key);
  }
  if (tables.heavy.length > 0) connection.run(`delete from ${table}_text where key = ?`, old.key);
  connection.run(`delete from ${table} where key = ?`, old.key);
}
