// The stores under test: opening them, and empty databases for tests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after } from "node:test";
import pg from "pg";
import { schemaHash } from "../../../src/core/record/schema-hash.ts";
import { openSqlite } from "../../../src/open-sqlite.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { isPostgres } from "../../../src/settings/setting.ts";
import { openPostgres } from "../../../src/store/postgres/postgres.ts";
import { channel } from "../../../src/store/postgres/replicas/node-state.ts";
import type { Store } from "../../../src/store/store.ts";
import { cloneDatabase, execute, makeSchema } from "./postgres.ts";
import { copySqlite, renaming, templateDatabase, testPostgres } from "./templates.ts";

export type StoreName = "sqlite" | "postgres";

/** Includes PostgreSQL if the run has a server; `npm test` always does. */
export const stores: readonly StoreName[] =
  process.env.BELLWIRE_TEST_DATABASE === undefined ? ["sqlite"] : ["sqlite", "postgres"];

/** Opens a database by its name, as the commands do. */
export async function openTestStore(
  database: string,
  now: () => number,
  replicas: readonly string[] = [],
  maxStalenessSeconds = 0,
  lateMs: number = testPostgres.lateMs,
): Promise<Store> {
  // Replicas serve reads however stale, so that tests don't depend on timing.
  const staleness = { replicaStalenessSeconds: 300, maxStalenessSeconds, lateMs };
  const store = isPostgres(database)
    ? openPostgres({ ...testPostgres, url: database, replicas, ...staleness, now })
    : openSqlite({ file: database, now });
  await store.prepare();
  return store;
}

export type TestDatabase = {
  readonly name: string /** Removes it, or leaves it for the next test. */;
  release(): Promise<void>;
};

/** A fresh file with the latest schema, or none at all. */
export function sqliteDatabase({ isMade = true } = {}): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-test-"));
  const name = join(folder, "test.db");
  if (isMade) copySqlite(name);
  return { name, release: async () => rmSync(folder, { recursive: true, force: true }) };
}

export type OwnPostgres = { readonly url: string; drop(): Promise<void> };

let made = 0;
const nameOf = (topic: string): string => `${topic}_${process.pid}_${++made}_${Date.now().toString(36)}`;

const server = (): string => process.env.BELLWIRE_TEST_DATABASE ?? "";

/** An empty schema, as before the first start. */
export const bareSchema = (topic: string): Promise<OwnPostgres> => makeSchema(server(), nameOf(topic));

/** An empty database with the latest schema: a copy of the template if there is one, else a migrated schema. */
export async function ownPostgres(topic: string): Promise<OwnPostgres> {
  const copy = await cloneDatabase(server(), templateDatabase, nameOf(topic));
  if (copy !== undefined) {
    await execute(copy.url, renaming().sql);
    return copy;
  }
  const schema = await bareSchema(topic);
  const store = await openTestStore(schema.url, () => 0);
  await store.close();
  return schema;
}

/** Shared by all tests of a process, sequentially. */
let shared: (OwnPostgres & { readonly connections: pg.Pool }) | undefined;

/** One database per process; each test finds it empty. */
export async function postgresDatabase(): Promise<TestDatabase> {
  if (shared === undefined) {
    const own = await ownPostgres("test");
    shared = { ...own, connections: new pg.Pool({ connectionString: own.url, max: 1, allowExitOnIdle: true }) };
    shared.connections.on("error", () => {});
  }
  const { url, connections } = shared;
  return {
    name: url,
    release: async () => {
      if (shared?.url === url) await empty(connections);
    },
  };
}

export async function dropSchema(): Promise<void> {
  const over = shared;
  shared = undefined;
  await over?.connections.end();
  await over?.drop();
}

// At the end of the process, which may run several test files.
after(dropSchema);

/** Skips empty tables, which takes a tenth of the time. */
const deleting = (except: string): string => `
  do $$ declare each text; found boolean; begin
    for each in select tablename from pg_tables where schemaname = current_schema() and tablename not in (${except}) loop
      execute 'select exists (select from ' || each || ')' into found;
      if found then execute 'delete from ' || each; end if;
    end loop;
  end $$;
  alter sequence change_seq_seq restart`;

/** Resets a database to its state after migration. */
async function empty(connections: pg.Pool): Promise<void> {
  await connections.query(`${deleting("'migration', 'setting'")}; delete from setting where name <> 'database'`);
  await connections.query("insert into setting (name, value) values ('form', $1)", [schemaHash(catalog)]);
}

/** Prevents deadlocks: the service updates rows of these tables in the background, in another order. */
const lockUsage = "lock table usage, spent, link_use in share row exclusive mode";

/** What a mirror has stored in a database. */
const deleteMirror = "delete from setting where name like 'note:mirror%'";

/**
 * Empties the database of this process under a running service, except for its keys, and returns the new identity: no
 * cached response of the service is valid for it.
 */
export async function emptyPostgres(): Promise<string> {
  const { name, sql } = renaming();
  const retained = "'migration', 'setting', 'api_key', 'version'";
  await shared?.connections.query(
    `begin; ${lockUsage}; ${deleting(retained)}; ${deleteMirror}; ${sql}; select pg_notify('${channel}', ''); commit`,
  );
  return name;
}

/** The same for a file. */
export async function emptySqlite(file: string): Promise<string> {
  const { name, sql } = renaming();
  // The store under test may still be writing usage.
  const db = new DatabaseSync(file, { timeout: 60_000 });
  const tables = db
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob '*_search*'
       and name not in ('migration', 'setting', 'api_key', 'version')`,
    )
    .all();
  const deletes = tables.map((table) => `delete from ${table.name};`).join(" ");
  const searches = "insert into news_search (news_search) values ('delete-all');";
  db.exec(`pragma synchronous = off; begin immediate; ${deletes} ${searches} ${deleteMirror}; ${sql}; commit`);
  db.close();
  return name;
}
