// Writing records to SQLite: row, links, search text and change line together. The caller holds the transaction.
import type { Rendering } from "../../core/field.ts";
import { type Kept, keep, recall } from "../../core/record.ts";
import { columnsOf, fieldOf, heavyFields, type Resource } from "../../core/resource.ts";
import type { Row } from "../../core/row.ts";
import { words } from "../../core/words.ts";
import { piecesOf, tableOf } from "../sql.ts";
import type { Change, Incoming, Outcome } from "../store.ts";
import type { Connection, SqlRow } from "./connection.ts";
import { packKey, passageBreak, searchWord } from "./dialect.ts";

/** The names and statements of one resource's tables, made once. */
type Tables = {
  readonly resource: Resource;
  readonly columns: readonly string[];
  readonly heavy: readonly string[];
  readonly pieces: readonly string[];
  readonly links: readonly [kind: string, values: (row: Row) => readonly string[]][];
  readonly places: readonly ((row: Row) => readonly string[])[];
  readonly find: string;
  readonly insert: string;
  readonly insertText: string;
  readonly insertSearch: string;
  readonly table: string;
};

const known = new Map<Resource, Tables>();

function tablesOf(resource: Resource): Tables {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const table = tableOf(resource);
  const columns = columnsOf(resource).filter((name) => name !== resource.packed?.[0]);
  const heavy = heavyFields(resource);
  const pieces = piecesOf(resource);
  const places = Object.keys(resource.places);
  const marks = (count: number): string => Array(count).fill("?").join(", ");
  const all = ["key", ...columns, ...pieces, "beside"];
  const texts = heavy.map((name) => `, x.${name} as ${name}`).join("");
  const made: Tables = {
    resource,
    table,
    columns,
    heavy,
    pieces,
    links: Object.entries(resource.links),
    places: Object.values(resource.places),
    find: `select r.*${texts} from ${table} r${heavy.length > 0 ? ` left join ${table}_text x on x.key = r.key` : ""} where r.id = ?`,
    insert: `insert into ${table} (${all.join(", ")}) values (${marks(all.length)})`,
    insertText: `insert into ${table}_text (key, ${heavy.join(", ")}) values (${marks(heavy.length + 1)})`,
    insertSearch: `insert into ${table}_search (rowid, ${places.join(", ")}) values (${marks(places.length + 1)})`,
  };
  known.set(resource, made);
  return made;
}

export function writeRow(
  connection: Connection,
  resource: Resource,
  incoming: Incoming,
  rendering: Rendering,
  at: number,
): Outcome {
  const tables = tablesOf(resource);
  const id = incoming.row.id as string | number;
  const old = findOld(connection, tables, id);
  let { row } = incoming;
  if (old !== undefined) {
    // The time of import alone is no change: an identical record keeps its old stamp.
    if (incoming.stamped) row = { ...row, updated: Number(old.updated) };
    if (sameAs(old, tables, keep(resource, row, rendering))) return "unchanged";
    deleteRow(connection, tables, old);
  }
  insertRow(connection, tables, incoming.row, rendering, old?.key);
  logChange(connection, resource, String(id), old === undefined ? "created" : "updated", at);
  return old === undefined ? "created" : "updated";
}

export function removeRow(connection: Connection, resource: Resource, id: string, at: number): boolean {
  const tables = tablesOf(resource);
  const old = findOld(connection, tables, fieldOf(resource, "id").fromText(id) as string | number);
  if (old === undefined) return false;
  deleteRow(connection, tables, old);
  logChange(connection, resource, id, "removed", at);
  return true;
}

/** Renders a stored record again; what it says does not change, so no change line is written. */
export function renderRow(connection: Connection, resource: Resource, id: string | number, rendering: Rendering): void {
  const tables = tablesOf(resource);
  const old = findOld(connection, tables, id);
  if (old === undefined) return;
  const row = recallOld(old, tables);
  deleteRow(connection, tables, old);
  insertRow(connection, tables, row, rendering, old.key);
}

export function logChange(
  connection: Connection,
  resource: Resource,
  id: string,
  kind: Change["kind"],
  at: number,
): void {
  connection.run("insert into change (resource, id, kind, at) values (?, ?, ?, ?)", resource.name, id, kind, at);
}

/** Called once at the end of a transaction that changed records of the resource. */
export function moveVersion(connection: Connection, name: string): void {
  connection.run(
    `insert into version (name, seq) values (?, coalesce((select max(seq) from change), 0))
     on conflict (name) do update set seq = max(excluded.seq, version.seq + 1)`,
    name,
  );
}

type Old = SqlRow & { key: number | bigint };

// Packed keys do not fit a double, so they are read as big integers, and with them every integer of the row.
function findOld(connection: Connection, tables: Tables, id: string | number): Old | undefined {
  const statement = connection.prepare(tables.find);
  statement.setReadBigInts(true);
  return statement.get(id) as Old | undefined;
}

const heavyJson = (old: Old, tables: Tables): string[] => tables.heavy.map((name) => String(old[name] ?? '""'));

function sameAs(old: Old, tables: Tables, kept: Kept): boolean {
  return (
    old.beside === kept.beside &&
    tables.pieces.every((piece, index) => old[piece] === kept.pieces[index]) &&
    heavyJson(old, tables).every((value, index) => value === kept.heavy[index])
  );
}

function recallOld(old: Old, tables: Tables): Row {
  const heavy = heavyJson(old, tables);
  const json = tables.pieces.map((piece, index) => `${old[piece]}${heavy[index] ?? ""}`).join("");
  return recall(tables.resource, json, String(old.beside));
}

function insertRow(
  connection: Connection,
  tables: Tables,
  row: Row,
  rendering: Rendering,
  oldKey: number | bigint | undefined,
): void {
  const { resource } = tables;
  const kept = keep(resource, row, rendering);
  const [high, low] = resource.packed ?? [];
  const given =
    high === undefined || low === undefined ? (oldKey ?? null) : packKey(Number(row[high]), Number(row[low]));
  const columns = tables.columns.map((name) => fieldOf(resource, name).compare(row[name] ?? ""));
  const statement = connection.prepare(tables.insert);
  statement.setReadBigInts(true);
  const { lastInsertRowid } = statement.run(given, ...columns, ...kept.pieces, kept.beside);
  const key = given ?? lastInsertRowid;
  if (kept.heavy.some((value) => value !== '""')) connection.run(tables.insertText, key, ...kept.heavy);
  const links = tables.links.flatMap(([kind, values]) => values(row).map((value) => [kind, value]));
  // One statement for all of them: running a statement costs more than inserting a row.
  const marks = links.map((_, index) => `(?${2 * index + 2}, ?${2 * index + 3}, ?1)`).join(", ");
  if (links.length > 0) {
    connection.run(
      `insert or ignore into ${tables.table}_link (kind, value, key) values ${marks}`,
      key,
      ...links.flat(),
    );
  }
  if (tables.places.length > 0) {
    connection.run(tables.insertSearch, key, ...tables.places.map((passages) => searchText(passages(row))));
  }
}

function deleteRow(connection: Connection, tables: Tables, old: Old): void {
  const { table } = tables;
  if (tables.links.length > 0) {
    const row = recallOld(old, tables);
    for (const [kind, values] of tables.links) {
      for (const value of values(row)) {
        connection.run(`delete from ${table}_link where kind = ? and value = ? and key = ?`, kind, value, old.key);
      }
    }
  }
  if (tables.places.length > 0) connection.run(`delete from ${table}_search where rowid = ?`, old.key);
  if (tables.heavy.length > 0) connection.run(`delete from ${table}_text where key = ?`, old.key);
  connection.run(`delete from ${table} where key = ?`, old.key);
}

/** The words of each passage, with a break between passages. */
function searchText(passages: readonly string[]): string {
  return passages
    .map((passage) => words(passage).map(searchWord).join(" "))
    .filter((text) => text !== "")
    .join(` ${passageBreak} `);
}
