// The writer thread's side of a load: one transaction, in which the indexes of a table that is small relative to the load
// are dropped, and built again once the table is filled.
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Rendering } from "../../../core/catalog/field.ts";
import type { Resource } from "../../../core/catalog/resource.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import { CountDelta } from "../../sql/count-delta.ts";
import type { LoadOptions, LoadResult, Outcome } from "../../store.ts";
import { type Connection, translateErrors } from "../connection.ts";
import { readState } from "../state.ts";
import { deleteRemovals, logChanges } from "../write/change-log.ts";
import { idOf, type PreparedRow } from "../write/prepare-row.ts";
import { writeCounts } from "../write/write-counts.ts";
import { bumpVersion, insertRow, writePrepared } from "../write/write-record.ts";
import { IdFilter } from "./id-filter.ts";

/** Page cache of a load. Sorting for an index takes as much again. */
const cacheKb = 24_576;

type LoggedChange = [id: string, kind: "created" | "updated"];

type Index = { readonly name: string; readonly sql: string };

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
  readonly #indexes: readonly Index[];
  /** Whether records can be found by ID. */
  #isIndexed: boolean;

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
    db.exec(`pragma cache_size = -${cacheKb}; pragma temp_store = file; pragma temp_store_directory = '${folder}'`);
    translateErrors(() => db.exec("begin immediate"));
    this.#rendering = readState(connection).rendering;
    this.#ids = rebuild ? this.#knownIds(records) : undefined;
    this.#indexes = rebuild ? this.#dropIndexes() : [];
    this.#isIndexed = !rebuild;
  }

  put(rows: readonly PreparedRow[]): void {
    translateErrors(() => {
      const changes: LoggedChange[] = [];
      for (const row of rows) {
        const id = idOf(this.#delta.tables, row);
        if (this.#ids === undefined || this.#ids.add(id)) this.#write(row, String(id), changes);
        else this.#setAside(row);
      }
      this.#log(changes);
    });
  }

  /** What remains to be done after the last batch, in steps of some seconds. */
  get steps(): number {
    return this.#indexes.length;
  }

  /** Builds one index. */
  step(index: number): void {
    translateErrors(() => this.#connection.db.exec(this.#indexes[index]?.sql ?? ""));
  }

  commit(): LoadResult {
    return translateErrors(() => {
      this.#isIndexed = true;
      this.#writeSetAside();
      writeCounts(this.#connection, this.#delta);
      if (this.#result.created + this.#result.updated > 0) bumpVersion(this.#connection, this.#resource.name);
      this.#connection.db.exec("commit");
      // The WAL is as large as the load. If readers need it right now, a later checkpoint of another connection empties it.
      this.#connection.db.exec("pragma busy_timeout = 1000; pragma wal_checkpoint(truncate)");
      return this.#result;
    });
  }

  rollback(): void {
    if (this.#connection.db.isTransaction) this.#connection.db.exec("rollback");
  }

  #write(row: PreparedRow, id: string, changes: LoggedChange[]): void {
    let outcome: Outcome = "created";
    if (this.#isIndexed) outcome = writePrepared(this.#connection, this.#delta, row, this.#rendering);
    else insertRow(this.#connection, this.#delta, row);
    this.#result[outcome]++;
    if (outcome !== "unchanged") changes.push([id, outcome]);
  }

  #log(changes: readonly LoggedChange[]): void {
    const { name } = this.#resource;
    if (this.#at !== undefined) logChanges(this.#connection, name, changes, this.#at);
    const created = changes.flatMap(([id, kind]) => (kind === "created" ? [id] : []));
    deleteRemovals(this.#connection, name, created);
  }

  #knownIds(expected: number | undefined): IdFilter {
    const ids = new IdFilter(expected);
    const stored = this.#connection.db.prepare(`select id from ${this.#delta.tables.table}`);
    for (const { id } of stored.iterate()) ids.add(id as string | number);
    return ids;
  }

  #dropIndexes(): Index[] {
    const indexes = this.#connection.all(
      "select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null",
      this.#delta.tables.table,
    ) as Index[];
    for (const { name } of indexes) this.#connection.db.exec(`drop index ${name}`);
    return indexes;
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
      const changes: LoggedChange[] = [];
      this.#write(row, String(idOf(this.#delta.tables, row)), changes);
      this.#log(changes);
    }
    this.#connection.db.exec("drop table set_aside");
  }
}
