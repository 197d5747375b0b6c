// Imports into PostgreSQL, and plain COPY of the same rows into the same tables with their indexes in place.
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import copy from "pg-copy-streams";
import { catalog } from "../../src/resources/catalog.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { tablesOf } from "../../src/store/rows/row-encoding.ts";
import { makePostgres, makeSchema } from "../../test/support/stores/postgres.ts";
import type { Load } from "./bulk.ts";
import { type Comparison, importFile, Meter } from "./cost.ts";

// As in production: durable before it is acknowledged. No checkpoint and no vacuum falls into a measurement.
const settings = ["fsync=on", "shared_buffers=256MB", "max_wal_size=8GB", "checkpoint_timeout=1h", "autovacuum=off"];

export async function comparePostgres(
  loads: readonly Load[],
  folder: string,
  say: (line: string) => void,
): Promise<Comparison[]> {
  const server = await makePostgres(undefined, settings);
  try {
    await server.start();
    const pid = Number(readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n", 1)[0]);
    const comparisons: Comparison[] = [];
    for (const load of loads) {
      const imported = await makeTables(server.url, "imported");
      const plain = await makeTables(server.url, "plain");
      const client = new pg.Client(server.url);
      await client.connect();
      comparisons.push(...(await compare(load, imported.url, client, pid, folder, say)));
      await client.end();
      await imported.drop();
      await plain.drop();
    }
    return comparisons;
  } finally {
    await server.remove();
  }
}

async function makeTables(server: string, name: string): Promise<{ url: string; drop(): Promise<void> }> {
  const schema = await makeSchema(server, name);
  const store = openPostgres({
    url: schema.url,
    replicas: [],
    replicaStalenessSeconds: 1,
    maxStalenessSeconds: 0,
    poolSize: 1,
    queueSize: 10,
    statementSeconds: 60,
    prepare: true,
    catalog,
  });
  await store.prepare();
  await store.close();
  return schema;
}

async function compare(
  { resource, first, more }: Load,
  url: string,
  client: pg.Client,
  server: number,
  folder: string,
  say: (line: string) => void,
): Promise<Comparison[]> {
  const { table } = tablesOf(resource);
  const comparisons: Comparison[] = [];
  for (const [size, file] of [
    ["empty", first],
    ["large", more],
  ] as const) {
    const what = `PostgreSQL, ${size}: ${resource.name}`;
    await client.query("checkpoint");
    const imported = await importFile(resource.name, file.path, file.count, url, server);
    // Counts of the first load are updated by the next, which takes next to no time.
    const tables = (await tablesIn(client, table)).filter((name) => size === "empty" || name !== `${table}_count`);
    const rowsOf = (name: string) => join(folder, `${name}.copy`);
    for (const name of tables) {
      const rows = client.query(copy.to(`copy (${newRowsSql(table, name)}) to stdout`));
      await pipeline(rows, createWriteStream(rowsOf(name)));
    }
    await client.query("checkpoint");
    const plain = new Meter();
    await plain.measure(async () => {
      await client.query("begin");
      for (const name of tables)
        await pipeline(createReadStream(rowsOf(name)), client.query(copy.from(`copy plain.${name} from stdin`)));
      await client.query("commit");
    }, server);
    comparisons.push({ what, records: file.count, imported, baseline: "COPY, indexes in place", plain, target: 0.5 });
    say(`${what}: import ${imported.seconds.toFixed(1)} s, COPY ${plain.seconds.toFixed(1)} s`);
  }
  return comparisons;
}

async function tablesIn(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query(
    "select table_name as name from information_schema.tables where table_schema = 'imported' and table_type = 'BASE TABLE'",
  );
  const names = rows.map(({ name }) => String(name));
  return names.filter((name) => name === table || name.startsWith(`${table}_`) || name === "change");
}

/** Rows of the import that the plain tables don't have yet. */
function newRowsSql(table: string, name: string): string {
  if (name === `${table}_count`) return `select * from imported.${name}`;
  const [column, known] = name === "change" ? ["seq", "change"] : ["key", table];
  return `select r.* from imported.${name} r
    where not exists (select from plain.${known} k where k.${column} = r.${column})`;
}
