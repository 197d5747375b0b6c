// The stores under test: how each is opened, and how a test gets an empty database of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { formOf } from "../../src/core/form.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { isPostgres } from "../../src/settings/setting.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { makeSchema } from "./postgres.ts";

export type StoreName = "sqlite" | "postgres";

/** PostgreSQL takes part when the run has a server; `npm test` always has. */
export const stores: readonly StoreName[] =
  process.env.BELLWIRE_TEST_DATABASE === undefined ? ["sqlite"] : ["sqlite", "postgres"];

/** Opens a database by its name, as the commands do. */
export async function openTestStore(database: string, now: () => number): Promise<Store> {
  if (!isPostgres(database)) return openSqlite({ file: database, catalog, now });
  const store = openPostgres({
    url: database,
    replicas: [],
    maxStalenessSeconds: 1,
    poolSize: 3,
    queueSize: 1000,
    statementSeconds: 30,
    prepare: true,
    catalog,
    now,
  });
  await store.prepare();
  return store;
}

export type TestDatabase = {
  readonly name: string /** Removes it, or leaves it for the next test. */;
  release(): Promise<void>;
};

export function sqliteDatabase(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-test-"));
  return { name: join(folder, "test.db"), release: async () => rmSync(folder, { recursive: true, force: true }) };
}

let schema: Awaited<ReturnType<typeof makeSchema>> | undefined;

/** One schema for each test file; each test finds it empty. */
export async function postgresDatabase(): Promise<TestDatabase> {
  const server = process.env.BELLWIRE_TEST_DATABASE ?? "";
  if (schema === undefined) {
    schema = await makeSchema(server, `test_${process.pid}_${Date.now().toString(36)}`);
    const store = await openTestStore(schema.url, () => 0);
    await store.close();
  }
  const { url } = schema;
  return { name: url, release: () => empty(url) };
}

export async function dropSchema(): Promise<void> {
  await schema?.drop();
  schema = undefined;
}

/** Puts a schema back to what a fresh migration leaves; deleting a few rows is much faster than making the tables anew. */
async function empty(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(
      "select tablename from pg_tables where schemaname = current_schema() and tablename <> 'migration'",
    );
    const names = rows.map(({ tablename }) => String(tablename));
    const deletes = names.filter((name) => name !== "setting").map((name) => `delete from ${name}`);
    await client.query(
      [...deletes, "delete from setting where name <> 'database'", "alter sequence change_seq_seq restart"].join(";"),
    );
    await client.query("insert into setting (name, value) values ('form', $1)", [formOf(catalog)]);
  } finally {
    await client.end();
  }
}
