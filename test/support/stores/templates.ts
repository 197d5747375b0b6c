// Template databases, created once and copied by every test: creating a cluster takes seconds, and migrating a database
// takes longer than most tests.
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { schemaHash } from "../../../src/core/record/schema-hash.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { openPostgres } from "../../../src/store/postgres/postgres.ts";
import { Connection } from "../../../src/store/sqlite/connection.ts";
import { execute, makeTemplate } from "./postgres.ts";

/** The database in the template cluster with the latest schema and no records. */
export const templateDatabase = "bellwire_template";

const sqliteFile = "template.db";

/** Options for tests, with timeouts long enough for a busy machine. */
export const testPostgres = {
  replicas: [],
  replicaStalenessSeconds: 1,
  maxStalenessSeconds: 0,
  poolSize: 3,
  queueSize: 1000,
  statementSeconds: 120,
  // Responses would have an Age header whenever a probe takes seconds.
  lateMs: 600_000,
  prepare: true,
  catalog,
} as const;

/** Returns the directory for BELLWIRE_TEST_CLUSTER, to be removed after the run. */
export async function prepareClusterTemplate(): Promise<string> {
  const folder = await makeTemplate(async ({ url }) => {
    await execute(url, `create database ${templateDatabase}`);
    const own = new URL(url);
    own.pathname = `/${templateDatabase}`;
    const store = openPostgres({ ...testPostgres, url: own.href });
    await store.prepare();
    await store.close();
  });
  makeSqlite(join(folder, sqliteFile));
  return folder;
}

/** Closing it removes the WAL. */
function makeSqlite(file: string): void {
  const connection = new Connection(file, { readOnly: false });
  migrate(connection.db);
  connection.run("insert into setting (name, value) values ('form', ?)", schemaHash(catalog));
  connection.close();
}

let own: string | undefined;

function sqliteTemplate(): string {
  if (own !== undefined) return own;
  const shared = process.env.BELLWIRE_TEST_CLUSTER;
  const folder = shared ?? mkdtempSync(join(tmpdir(), "bellwire-template-"));
  own = join(folder, sqliteFile);
  if (shared === undefined) {
    makeSqlite(own);
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
  return own;
}

/** An empty SQLite file with the latest schema and a new identity. */
export function copySqlite(file: string): void {
  copyFileSync(sqliteTemplate(), file);
  const db = new DatabaseSync(file);
  db.exec(`pragma synchronous = off; ${renaming().sql}`);
  db.close();
}

/** Changes a database's identity, so that a copy differs from its original. */
export function renaming(): { readonly name: string; readonly sql: string } {
  const name = randomBytes(6).toString("hex");
  return { name, sql: `update setting set value = '${name}' where name = 'database'` };
}
