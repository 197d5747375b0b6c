// The writer thread's side of a load: one transaction, in which the indexes of a table that is small relative to the load
// are dropped, and built again once the table is filled.
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Rendering } from "../../../core/catalog/field.ts";
import type { Resource } from "../../../core/catalog/resource.ts";
import type { NewEntry } from "../../rows/record-history.ts";
import { type Tables, tablesOf } from "../../rows/row-encoding.ts";
import { CountDelta } from "../../sql/count-delta.ts";
import type { LoadOptions, LoadResult, Outcome } from "../../store.ts";
import { type Connection, translateErrors } from "../connection.ts";
import { readState } from "../state.ts";
import { deleteRemovals, logChanges } from "../write/change-log.ts";
import { idOf, type PreparedRow } from "../write/prepare-row.ts";
import { type Statements, statementsFor } from "../write/statements.ts";
import { writeCounts } from "../write/write-counts.ts";
import { bumpVersion, insertRow, writePrepared } from "../write/write-record.ts";
import { IdFilter } from "./id-filter.ts";

/** Page cache. Building indexes afterward writes pages in order, and sorting takes as much memory again. */
const cacheKb = { rebuilding: 12_288, inPlace: 65_536 };

/** Each statement for several rows ends a segment of the full-text index, and segments have to be merged. */
const changesPerStatement = 5000;
/** Characters of replaced records. */
const maxVersionText = 1024 * 1024;

export class BulkWriter {
  readonly #connection: Connection;
  readonly #resource: Resource;
  readonly #delta: CountDelta;
  readonly #rendering: Rendering;
  /** The time of log entries; undefined to log nothing. */
  readonly #at: number | undefined;
  readonly #result: LoadResult = { created: 0, updated: 0, unchanged: 0 };
  /** IDs so far, while there is no index to find them with. */
  readonly #ids: IdFilter | undefined;
  /** SQL of what remains to be done after the last batch. */
  readonly #steps: readonly string[];
  readonly #statements: Statements;
  /** Whether records can be found by ID. */
  #isIndexed: boolean;
  /** Changes that aren't logged yet. */
  #entries: NewEntry[] = [];
  /** Characters of the records that they replaced. */
  #versionText = 0;

  /** Begins the transaction on a connection that nothing else uses. */
  constructor(connection: Connection, resource: Resource, at: number, options: LoadOptions) {
    const { log = true, rebuild = false, records } = options;
    this.#connection = connection;
    this.#resource = resource;
    this.#delta = new CountDelta(tablesOf(resource));
    this.#at = log ? at : undefined;
    const { db } = connection;
    // Sorting for an index may take more memory than there is. Its files are as large as the index, so they belong where
    // the database has space.
    const folder = dirname(db.location() ?? "").replaceAll("'", "''");
    const cache = rebuild ? cacheKb.rebuilding : cacheKb.inPlace;
    db.exec(`pragma cache_size = -${cache}; pragma temp_store = file; pragma temp_store_directory = '${folder}'`);
    translateErrors(() => db.exec("begin immediate"));
    this.#rendering = readState(connection).rendering;
    this.#ids = rebuild ? this.#knownIds(records) : undefined;
    const staged = rebuild ? stagedTables(this.#delta.tables) : [];
    for (const { create } of staged) db.exec(create);
    this.#statements = Object.assign(
      {},
      statementsFor(this.#delta.tables),
      ...staged.map(({ statement }) => statement),
    );
    this.#steps = rebuild
      ? [...staged.map(({ fill }) => fill), ...this.#dropIndexes(), ...optimizeSql(this.#delta.tables)]
      : [];
    this.#isIndexed = !rebuild;
  }

  put(rows: readonly PreparedRow[]): void {
    translateErrors(() => {
      for (const row of rows) {
        const id = idOf(this.#delta.tables, row);
        if (this.#ids === undefined || this.#ids.add(id)) this.#write(row, String(id));
        else this.#setAside(row);
      }
    });
  }

  get steps(): number {
    return this.#steps.length;
  }

  /** Builds one index, or fills one table. */
  step(index: number): void {
    translateErrors(() => this.#connection.db.exec(this.#steps[index] ?? ""));
  }

  commit(): LoadResult {
    return translateErrors(() => {
      this.#isIndexed = true;
      this.#writeSetAside();
      this.#log();
      writeCounts(this.#connection, this.#delta);
      if (this.#result.created + this.#result.updated > 0) bumpVersion(this.#connection, this.#resource.name);
      this.#connection.db.exec("commit");
      this.#emptyLog();
      return this.#result;
    });
  }

  rollback(): void {
    if (this.#connection.db.isTransaction) this.#connection.db.exec("rollback");
  }

  /** The WAL is as large as the load. If readers need it right now, a later checkpoint of another connection empties it. */
  #emptyLog(): void {
    try {
      this.#connection.db.exec("pragma busy_timeout = 1000; pragma wal_checkpoint(truncate)");
    } catch {
      // Such as a full disk: the load is committed, and its records can be read from the WAL.
    }
  }

  #write(row: PreparedRow, id: string): void {
    const before = this.#entries.length;
    let outcome: Outcome = "created";
    if (this.#isIndexed) outcome = writePrepared(this.#connection, this.#delta, row, this.#rendering, this.#entries);
    else {
      insertRow(this.#connection, this.#delta, row, undefined, this.#statements);
      this.#entries.push({ id, kind: "created" });
    }
    this.#result[outcome]++;
    for (const entry of this.#entries.slice(before)) this.#versionText += entry.before?.json.length ?? 0;
    if (this.#entries.length >= changesPerStatement || this.#versionText >= maxVersionText) this.#log();
  }

  #log(): void {
    const entries = this.#entries;
    const { name } = this.#resource;
    if (this.#at !== undefined) logChanges(this.#connection, name, entries, this.#at);
    const created = entries.flatMap(({ id, kind }) => (kind === "created" ? [id] : []));
    deleteRemovals(this.#connection, name, created);
    this.#entries = [];
    this.#versionText = 0;
  }

  #knownIds(expected: number | undefined): IdFilter {
    const ids = new IdFilter(expected);
    const stored = this.#connection.db.prepare(`select id from ${this.#delta.tables.table}`);
    for (const { id } of stored.iterate()) ids.add(id as string | number);
    return ids;
  }

  /** Returns the SQL that creates them again. */
  #dropIndexes(): string[] {
    const indexes = this.#connection.all(
      "select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null",
      this.#delta.tables.table,
    );
    for (const { name } of indexes) this.#connection.db.exec(`drop index ${name}`);
    return indexes.map(({ sql }) => String(sql));
  }

  /** Sets aside a record whose ID may be known: the ID can't be found before the index is built. */
  #setAside(row: PreparedRow): void {
    this.#connection.run("create temp table if not exists set_aside (key integer primary key, value blob)");
    this.#connection.run("insert into set_aside (value) values (?)", serialize(row));
  }

  /** In the order in which they came: of several records with an ID, the last one wins. */
  #writeSetAside(): void {
    if (this.#connection.get("select 1 from temp.sqlite_schema where name = 'set_aside'") === undefined) return;
    const rows = this.#connection.db.prepare("select value from set_aside order by key");
    for (const { value } of rows.iterate()) {
      const row = deserialize(value as Uint8Array) as PreparedRow;
      this.#write(row, String(idOf(this.#delta.tables, row)));
    }
    this.#connection.db.exec("drop table set_aside");
  }
}

/** Merges the segments of the full-text index: a search reads every one. */
const optimizeSql = ({ table, places }: Tables): string[] =>
  places.length === 0 ? [] : [`insert into ${table}_search (${table}_search) values ('optimize')`];

/** Tables that are their own index: rows are collected in a temporary table, and inserted in order at the end. */
function stagedTables({ table, hasLinks, places }: Tables) {
  const staged = (name: string, columns: string, statement: keyof Statements) => ({
    create: `create temp table load_${name} (${columns})`,
    statement: { [statement]: `insert into temp.load_${name} (${columns}) values (?, ?, ?)` },
    fill: `insert into ${table}_${name} (${columns}) select ${columns} from temp.load_${name} order by ${columns};
      drop table temp.load_${name}`,
  });
  return [
    ...(hasLinks ? [staged("link", "kind, value, key", "insertLink")] : []),
    ...(places.length > 0 ? [staged("word", "word, place, key", "insertWord")] : []),
  ];
}
