// Imports into SQLite, and plain inserts of the same rows: a prepared statement per table, in one transaction.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { DemoRecord } from "../../demo/demo.ts";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { validateRecord } from "../../src/core/record/validate.ts";
import { searchablePassages } from "../../src/core/text/searchable-text.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { packKey } from "../../src/store/rows/packed-key.ts";
import { tablesOf } from "../../src/store/rows/row-encoding.ts";
import { searchText } from "../../src/store/sqlite/dialect.ts";
import type { Load, LoadFile } from "./bulk.ts";
import { type Comparison, importFile, Meter, sum } from "./cost.ts";

export async function compareSqlite(
  loads: readonly Load[],
  folder: string,
  say: (line: string) => void,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const load of loads) {
    const files = ["imported.db", "plain.db"].map((name) => join(folder, name)) as [string, string];
    // Created in advance, so that it isn't measured.
    for (const file of files) {
      const store = openSqlite({ file });
      await store.prepare();
      await store.close();
    }
    comparisons.push(...(await compare(load, ...files, say)));
    for (const file of files) for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  }
  return comparisons;
}

async function compare(
  { resource, first, more }: Load,
  importedFile: string,
  plainFile: string,
  say: (line: string) => void,
): Promise<Comparison[]> {
  const { name } = resource;
  const plain = new PlainDatabase(resource, plainFile, importedFile);
  try {
    const comparisons: Comparison[] = [];
    for (const [size, file] of [
      ["empty", first],
      ["large", more],
    ] as const) {
      const imported = await importFile(name, file.path, file.count, importedFile);
      const rows = await plain.insertRows(size === "empty");
      const search = plain.isSearched ? await plain.insertSearchText(file) : undefined;
      const what = `SQLite, ${size}: ${name}`;
      const shared = { what, records: file.count, imported };
      const baseline = size === "empty" ? "insert, indexes afterward" : "insert, indexes in place";
      const target = size === "empty" ? 0.5 : 0.8;
      if (search === undefined) comparisons.push({ ...shared, baseline, plain: rows, target });
      else if (size === "empty")
        comparisons.push(
          { ...shared, baseline: "FTS5 alone", plain: search, target },
          { ...shared, baseline: `${baseline}, FTS5`, plain: sum(rows, search) },
        );
      else comparisons.push({ ...shared, baseline: `${baseline}, FTS5`, plain: sum(rows, search), target });
      say(
        `${what}: import ${imported.seconds.toFixed(1)} s, insert ${sum(rows, ...(search ? [search] : [])).seconds.toFixed(1)} s`,
      );
    }
    return comparisons;
  } finally {
    plain.close();
  }
}

/** Rows are read in chunks, which isn't measured. */
const chunkSize = 5000;

/** The tables of a resource, filled with the rows that an import wrote elsewhere. */
class PlainDatabase {
  readonly isSearched: boolean;
  readonly #resource: Resource;
  readonly #table: string;
  readonly #db: DatabaseSync;
  readonly #source: DatabaseSync;

  constructor(resource: Resource, file: string, source: string) {
    this.#resource = resource;
    this.#table = tablesOf(resource).table;
    this.isSearched = tablesOf(resource).places.length > 0;
    this.#db = new DatabaseSync(file);
    // As the import's connection.
    this.#db.exec("pragma synchronous = full; pragma wal_autocheckpoint = 4000; pragma cache_size = -65536");
    this.#db.exec("pragma temp_store = memory");
    this.#source = new DatabaseSync(source, { readOnly: true });
    this.#source.exec(`attach '${file}' as plain`);
  }

  /** Inserts what it doesn't have yet. `rebuild`: drops all indexes, and creates them afterward. */
  async insertRows(rebuild: boolean): Promise<Meter> {
    const meter = new Meter();
    // Counts of the first load are updated by the next, which takes next to no time.
    const tables = this.#tables().filter((table) => rebuild || table !== `${this.#table}_count`);
    const indexes = rebuild ? this.#indexesOf(tables) : [];
    for (const { name } of indexes) this.#db.exec(`drop index ${name}`);
    this.#db.exec("begin");
    for (const table of tables) await this.#insertAll(meter, table, this.#newRows(table));
    await meter.measure(() => {
      for (const { sql } of indexes) this.#db.exec(sql);
      this.#commit();
    });
    return meter;
  }

  async insertSearchText(file: LoadFile): Promise<Meter> {
    const meter = new Meter();
    this.#db.exec("begin");
    const columns = ["rowid", ...tablesOf(this.#resource).places].join(", ");
    await this.#insertAll(meter, `${this.#table}_search (${columns})`, searchRows(this.#resource, file.records()));
    await meter.measure(() => this.#commit());
    return meter;
  }

  close(): void {
    this.#source.close();
    this.#db.close();
  }

  /** All but the search index, which can't be read back. */
  #tables(): string[] {
    const names = this.#source
      .prepare("select name from main.sqlite_schema where type = 'table' and (name = ?1 or name glob ?1 || '_*')")
      .all(this.#table)
      .map(({ name }) => String(name));
    return [...names.filter((name) => !name.startsWith(`${this.#table}_search`)), "change"];
  }

  #indexesOf(tables: readonly string[]): { name: string; sql: string }[] {
    return this.#db
      .prepare("select name, tbl_name as tableName, sql from sqlite_schema where type = 'index' and sql is not null")
      .all()
      .filter(({ tableName }) => tables.includes(String(tableName)))
      .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  }

  #newRows(table: string): Iterable<SQLInputValue[]> {
    const [column, known] = table === "change" ? ["seq", "change"] : ["key", this.#table];
    const isCount = table === `${this.#table}_count`;
    const statement = this.#source.prepare(
      `select * from main.${table}${isCount ? "" : ` where ${column} not in (select ${column} from plain.${known})`}`,
    );
    statement.setReturnArrays(true);
    // Packed keys don't fit a double.
    statement.setReadBigInts(this.#resource.packedKey !== undefined);
    return statement.iterate() as unknown as Iterable<SQLInputValue[]>;
  }

  async #insertAll(meter: Meter, into: string, rows: Iterable<SQLInputValue[]>): Promise<void> {
    let insert: StatementSync | undefined;
    for (const chunk of chunks(rows)) {
      await meter.measure(() => {
        if (insert === undefined) {
          insert = this.#db.prepare(`insert into ${into} values (${chunk[0]?.map(() => "?").join(", ")})`);
          // The result contains the last key.
          insert.setReadBigInts(true);
        }
        for (const row of chunk) insert.run(...row);
      });
    }
  }

  /** With the checkpoint that an import makes when it closes the file. */
  #commit(): void {
    this.#db.exec("commit");
    this.#db.exec("pragma wal_checkpoint(truncate)");
  }
}

function* chunks<T>(items: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === chunkSize) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

function* searchRows(resource: Resource, records: Iterable<DemoRecord>): Generator<SQLInputValue[]> {
  for (const record of records) {
    const accepted = validateRecord(resource, record, 1_740_000_000);
    if (!("row" in accepted)) throw new Error("a record of the benchmark was refused");
    const { row } = accepted;
    yield [packKey(Number(row.created), Number(row.id)), ...searchablePassages(resource, row).map(searchText)];
  }
}
