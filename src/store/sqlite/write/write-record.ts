// Writing records to SQLite: row, links, search text, words and change line together. The caller holds the transaction, and
// writes what was tallied at its end.
import type { Rendering } from "../../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../../core/catalog/resource.ts";
import type { Row } from "../../../core/record/row.ts";
import {
  hasHeavy,
  linksOf,
  type Prepared,
  passagesOf,
  prepare,
  recallStored,
  sameAs,
  selectStored,
  type Tables,
  wordsBeforeLast,
} from "../../rows/row-encoding.ts";
import type { Tally } from "../../sql/count-delta.ts";
import type { Change, IncomingRow, Outcome } from "../../store.ts";
import type { Connection, SqlRow } from "../connection.ts";
import { searchText, searchWord } from "../dialect.ts";
import { addRemoval } from "./change-log.ts";

export function writeRow(
  connection: Connection,
  tally: Tally,
  incoming: IncomingRow,
  rendering: Rendering,
  /** When the change is logged; undefined: it is not. */
  at: number | undefined,
): Outcome {
  const { tables } = tally;
  const id = incoming.row.id as string | number;
  const old = findOld(connection, tables, id);
  if (old === undefined) {
    insertRow(connection, tally, incoming.row, prepare(tables, incoming.row, rendering), undefined);
    if (at !== undefined) logChange(connection, tables.resource, String(id), "created", at);
    return "created";
  }
  // The time of import alone is no change: an identical record keeps its old stamp.
  const compared = incoming.stamped ? { ...incoming.row, updated: Number(old.updated) } : incoming.row;
  if (sameAs(tables, old, prepare(tables, compared, rendering))) return "unchanged";
  deleteRow(connection, tally, old);
  insertRow(connection, tally, incoming.row, prepare(tables, incoming.row, rendering), old.key);
  if (at !== undefined) logChange(connection, tables.resource, String(id), "updated", at);
  return "updated";
}

export function removeRow(connection: Connection, tally: Tally, id: string, at: number): boolean {
  const { resource } = tally.tables;
  const old = findOld(connection, tally.tables, fieldOf(resource, "id").fromText(id) as string | number);
  if (old === undefined) return false;
  deleteRow(connection, tally, old);
  logChange(connection, resource, String(old.id), "removed", at);
  addRemoval(connection, resource.name, String(old.id), at);
  return true;
}

/** Renders a stored record again; what it says does not change, so no change line is written. */
export function renderRow(connection: Connection, tally: Tally, id: string | number, rendering: Rendering): void {
  const { tables } = tally;
  const old = findOld(connection, tables, id);
  if (old === undefined) return;
  const row = recallStored(tables, old);
  deleteRow(connection, tally, old);
  insertRow(connection, tally, row, prepare(tables, row, rendering), old.key);
}

function logChange(connection: Connection, resource: Resource, id: string, kind: Change["kind"], at: number): void {
  connection.run("insert into change (resource, id, kind, at) values (?, ?, ?, ?)", resource.name, id, kind, at);
}

/** Called once at the end of a transaction that changed records of the resource. */
export function moveVersion(connection: Connection, name: string): void {
  connection.run(
    `insert into version (name, seq) values (?, coalesce((select max(seq) from change), 1))
     on conflict (name) do update set seq = max(excluded.seq, version.seq + 1)`,
    name,
  );
}

type Old = SqlRow & { key: number | bigint };

// Packed keys do not fit a double, so they are read as big integers, and with them every integer of the row.
function findOld(connection: Connection, tables: Tables, id: string | number): Old | undefined {
  const statement = connection.prepare(`${selectStored(tables)} where r.id = ?`);
  statement.setReadBigInts(true);
  return statement.get(id) as Old | undefined;
}

/** Pairs written by one statement: running one costs more than inserting a row, and it takes only so many values. */
const mostPairs = 1000;

const marks = (count: number): string => Array(count).fill("?").join(", ");

function insertRow(
  connection: Connection,
  tally: Tally,
  row: Row,
  prepared: Prepared,
  oldKey: number | bigint | undefined,
): void {
  const { tables } = tally;
  const { resource, table } = tables;
  tally.add(prepared);
  const names = ["key", ...tables.columns, ...tables.pieces, "beside"];
  const given = prepared.key ?? oldKey ?? null;
  const statement = connection.prepare(`insert into ${table} (${names.join(", ")}) values (${marks(names.length)})`);
  statement.setReadBigInts(true);
  const { lastInsertRowid } = statement.run(given, ...prepared.columns, ...prepared.pieces, prepared.beside);
  const key = given ?? lastInsertRowid;
  if (hasHeavy(prepared)) {
    const heavy = tables.heavy.join(", ");
    connection.run(
      `insert into ${table}_text (key, ${heavy}) values (${marks(tables.heavy.length + 1)})`,
      key,
      ...prepared.heavy,
    );
  }
  insertPairs(connection, `${table}_link (kind, value, key)`, linksOf(resource, row), key);
  if (tables.places.length > 0) {
    const places = tables.places.join(", ");
    const passages = passagesOf(resource, row);
    connection.run(
      `insert into ${table}_search (rowid, ${places}) values (${marks(tables.places.length + 1)})`,
      key,
      ...passages.map(searchText),
    );
    insertPairs(connection, `${table}_word (word, place, key)`, keptWords(passages), key);
  }
}

function insertPairs(
  connection: Connection,
  into: string,
  pairs: readonly (readonly [string, string | number])[],
  key: number | bigint,
): void {
  for (let at = 0; at < pairs.length; at += mostPairs) {
    const some = pairs.slice(at, at + mostPairs);
    const values = some.map((_, index) => `(?${2 * index + 2}, ?${2 * index + 3}, ?1)`).join(", ");
    connection.run(`insert into ${into} values ${values}`, key, ...some.flat());
  }
}

/** As the full-text index has them, so that both are asked alike. */
const keptWords = (passages: ReturnType<typeof passagesOf>): [string, number][] =>
  wordsBeforeLast(passages).map(([word, place]) => [searchWord(word), place]);

function deleteRow(connection: Connection, tally: Tally, old: Old): void {
  const { tables } = tally;
  const { resource, table } = tables;
  tally.take(old);
  const isSearched = tables.places.length > 0;
  const row = tables.linked || isSearched ? recallStored(tables, old) : undefined;
  if (tables.linked && row !== undefined) {
    for (const [kind, value] of linksOf(resource, row)) {
      connection.run(`delete from ${table}_link where kind = ? and value = ? and key = ?`, kind, value, old.key);
    }
  }
  if (isSearched && row !== undefined) {
    connection.run(`delete from ${table}_search where rowid = ?`, old.key);
    for (const [word, place] of keptWords(passagesOf(resource, row)))
      connection.run(`delete from ${table}_word where word = ? and place = ? and key = ?`, word, place, old.key);
  }
  if (tables.heavy.length > 0) connection.run(`delete from ${table}_text where key = ?`, old.key);
  connection.run(`delete from ${table} where key = ?`, old.key);
}
