// A freshly migrated database has exactly the tables, columns, and indexes that the catalog requires.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { catalog } from "../../../src/resources/catalog.ts";
import { expectedTables } from "../../../src/store/expected-schema.ts";
import { migrate, migrations } from "../../../src/store/migrate.ts";
import { lateColumns } from "../../../src/store/schema/compare.ts";
import { type FoundTable, tableIn } from "../../../src/store/sqlite/tables.ts";
import {
  dropSchema,
  openTestStore,
  postgresDatabase,
  sqliteDatabase,
  stores,
  type TestDatabase,
} from "../../support/stores/stores.ts";

type Found = Record<string, string | number>;

describe("schema [sqlite]", () => {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-schema-"));
  const db = new DatabaseSync(join(folder, "schema.db"));
  migrate(db);
  after(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });

  for (const resource of catalog) {
    for (const expected of expectedTables(resource)) {
      test(`table ${expected.name} is the one that ${resource.name} requires`, () => {
        const { carrying, ...table } = expected;
        const indexes = [...expected.indexes, ...(carrying === undefined ? [] : [carrying])];
        assert.deepEqual(asSets(tableIn(db, expected.name)), asSets(withMarkers({ ...table, indexes })));
      });
    }
    test(`${resource.name} has a search table exactly if it is searchable`, () => {
      const name = `${resource.name.replaceAll("-", "_")}_search`;
      const places = (db.prepare("select name from pragma_table_info(?)").all(name) as Found[]).map((row) => row.name);
      assert.deepEqual(places, Object.keys(resource.searchFields));
    });
    test(`${resource.name} has a word table exactly if it is searchable`, () => {
      const { columns } = tableIn(db, `${resource.name.replaceAll("-", "_")}_word`);
      const isSearched = Object.keys(resource.searchFields).length > 0;
      assert.deepEqual(
        columns.map(({ name }) => name),
        isSearched ? ["word", "place", "key"] : [],
      );
    });
  }

  test("there are no other tables", () => {
    const service = [
      "setting",
      "change",
      "version",
      "api_key",
      "link",
      "link_use",
      "webhook",
      "webhook_delivery",
      "removal",
      "record_version",
      "usage",
      "last_use",
      "spent",
      "sqlite_sequence",
    ];
    const known = new Set([...catalog.flatMap(expectedTables).map(({ name }) => name), ...service]);
    const tables = db.prepare("select name from sqlite_schema where type = 'table'").all() as Found[];
    const strange = tables
      .map(({ name }) => String(name))
      .filter((name) => !known.has(name) && !/_search|_word$/.test(name));
    assert.deepEqual(strange, []);
  });

  test("migrating again changes nothing", () => {
    const schema = () => JSON.stringify(db.prepare("select sql from sqlite_schema order by name").all());
    const before = schema();
    migrate(db);
    assert.equal(schema(), before);
  });

  test("a database of a newer version is rejected with an explanation", () => {
    const newer = new DatabaseSync(":memory:");
    newer.exec(`pragma user_version = ${migrations.length + 1}`);
    assert.throws(() => migrate(newer), /made by a newer Bellwire/);
    newer.close();
  });
});

describe("schema [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await postgresDatabase();
    client = new pg.Client(database.name);
    await client.connect();
  });
  after(async () => {
    await client.end();
    await dropSchema();
  });

  for (const expected of catalog.flatMap(expectedTables)) {
    test(`table ${expected.name} is the one that the catalog requires`, async () => {
      const { carrying: _, ...table } = expected;
      assert.deepEqual(asSets(await tableInPostgres(client, expected.name)), asSets(withMarkers(table)));
    });
  }

  test("every text column compares by code point", async () => {
    const { rows } = await client.query(`select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C' and table_name <> 'migration'`);
    assert.deepEqual(rows, []);
  });
});

/** Columns and indexes by name: those that a migration adds come last. */
const asSets = ({ name, columns, indexes }: FoundTable) => ({
  name,
  columns: Object.fromEntries(columns.map(({ name, ...column }) => [name, column])),
  indexes: indexes.toSorted((a, b) => (a.join() < b.join() ? -1 : 1)),
});

/** In a column that was added later, null marks a record without a value yet. */
const withMarkers = (table: FoundTable): FoundTable => ({
  ...table,
  columns: table.columns.map((column) => ({
    ...column,
    nullable: column.nullable || late.has(`${table.name}.${column.name}`),
  })),
});

const late = lateColumns(migrations);

async function tableInPostgres(client: pg.Client, name: string): Promise<FoundTable> {
  const columns = await client.query(
    `select column_name, data_type, is_nullable from information_schema.columns
     where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [name],
  );
  const indexes = await client.query(
    `select (select array_agg(a.attname::text order by k.n) from unnest(i.indkey) with ordinality k (attnum, n)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns
     from pg_index i where i.indrelid = $1::regclass`,
    [name],
  );
  return {
    name,
    columns: columns.rows.map((row) => ({
      name: row.column_name,
      type: row.data_type === "bigint" ? "integer" : row.data_type,
      nullable: row.is_nullable === "YES",
    })),
    // The index of the primary key is not listed.
    indexes: indexes.rows.map((row) => row.columns as string[]).filter((names) => names.join() !== "key"),
  };
}

test("only its owner can read or write a new database, including its write-ahead log", {
  skip: process.platform === "win32",
}, async () => {
  const { name, release } = sqliteDatabase({ isMade: false });
  const store = await openTestStore(name, () => 0);
  const modes = ["", "-wal", "-shm"].map((end) => (statSync(name + end).mode & 0o777).toString(8));
  assert.deepEqual(modes, ["600", "600", "600"]);
  await store.close();
  await release();
});
