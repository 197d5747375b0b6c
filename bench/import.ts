// Import through the whole pipeline (file, format, validation, store) relative to the database's own bulk load of the
// same rows into the same tables with the same indexes.
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import copy from "pg-copy-streams";
import { openRecords } from "../src/ingest/formats/open.ts";
import { importRecords } from "../src/ingest/import.ts";
import { openSqlite } from "../src/open-sqlite.ts";
import { catalog } from "../src/resources/catalog.ts";
import { ratings } from "../src/resources/ratings.ts";
import { openPostgres } from "../src/store/postgres/postgres.ts";
import type { Store } from "../src/store/store.ts";
import { makePostgres, makeSchema } from "../test/support/stores/postgres.ts";
import {
  type Benchmark,
  inFolder,
  interleaved,
  type Measurement,
  measurement,
  type Options,
  printMeasurements,
  timed,
} from "./benchmark.ts";
import { writeRatings } from "./records/ratings.ts";

/** Tables that an import of ratings fills. */
const tables = ["ratings", "change"] as const;

export const importBenchmark: Benchmark = {
  name: "import",
  about: "import of ratings from NDJSON, against the database's own bulk load of the finished rows",
  run: (options) =>
    inFolder(async (folder) => {
      const records = options.records ?? (options.quick ? 10_000 : 200_000);
      const rounds = options.rounds ?? (options.quick ? 1 : 3);
      const file = join(folder, "ratings.ndjson");
      await writeRatings(file, records);
      const measurements = [
        ...(await onPostgres(file, folder, rounds, options)),
        ...(await onSqlite(file, folder, rounds, options)),
      ];
      const missed = measurements.filter(({ ratio, target }) => target !== undefined && ratio < target).length;
      return { sizes: { records, rounds }, text: printMeasurements(measurements), missed, figures: { measurements } };
    }),
};

/** A fast import that rejects records doesn't count. */
async function productImport(store: Store, file: string): Promise<void> {
  const { records } = openRecords(file, (_column, text) => text);
  const report = await importRecords(store, ratings, records, { now: 1_740_000_000, onRefused: () => {} });
  if (report.created !== report.read) throw new Error(`of ${report.read} records ${report.created} were created`);
}

// As in production: durable before it is acknowledged, with enough WAL that no checkpoint falls into a round.
const settings = ["fsync=on", "shared_buffers=256MB", "max_wal_size=8GB", "checkpoint_timeout=1h"];

async function onPostgres(file: string, folder: string, rounds: number, { say }: Options): Promise<Measurement[]> {
  const server = await makePostgres(undefined, settings);
  await server.start();
  const open = (url: string) =>
    openPostgres({
      url,
      replicas: [],
      replicaStalenessSeconds: 1,
      maxStalenessSeconds: 0,
      poolSize: 10,
      queueSize: 200,
      statementSeconds: 60,
      prepare: true,
      catalog,
    });
  /** Works in a schema with fresh tables, after a checkpoint. */
  const fresh = async <T>(work: (store: Store, client: pg.Client) => Promise<T>): Promise<T> => {
    const schema = await makeSchema(server.url, "bench");
    const store = open(schema.url);
    const client = new pg.Client(schema.url);
    try {
      await store.prepare();
      await client.connect();
      await client.query("checkpoint");
      return await work(store, client);
    } finally {
      await store.close();
      await client.end();
      await schema.drop();
    }
  };
  const rowsOf = (table: string) => join(folder, `${table}.copy`);
  const plain = (...names: readonly (typeof tables)[number][]) =>
    fresh((_store, client) =>
      timed(async () => {
        for (const name of names)
          await pipeline(createReadStream(rowsOf(name)), client.query(copy.from(`copy ${name} from stdin`)));
      }),
    );
  try {
    // The first import creates the rows, and warms up both programs.
    await fresh(async (store, client) => {
      await productImport(store, file);
      for (const table of tables)
        await pipeline(client.query(copy.to(`copy ${table} to stdout`)), createWriteStream(rowsOf(table)));
    });
    const seconds = await interleaved(
      rounds,
      {
        "PostgreSQL, import": () => fresh((store) => timed(() => productImport(store, file))),
        "PostgreSQL, COPY of the records": () => plain("ratings"),
        "PostgreSQL, COPY of records and change log": () => plain("ratings", "change"),
      },
      say,
    );
    const product = seconds["PostgreSQL, import"];
    return [
      measurement("PostgreSQL", "COPY, records", product, seconds["PostgreSQL, COPY of the records"], 1 / 3),
      measurement("", "COPY, change log too", product, seconds["PostgreSQL, COPY of records and change log"]),
    ];
  } finally {
    await server.remove();
  }
}

async function onSqlite(file: string, folder: string, rounds: number, { say }: Options): Promise<Measurement[]> {
  let count = 0;
  const fresh = async <T>(work: (store: Store, database: string) => Promise<T>): Promise<T> => {
    const database = join(folder, `bench-${count++}.db`);
    const store = openSqlite({ file: database });
    try {
      return await work(store, database);
    } finally {
      await store.close();
    }
  };
  const rows = await fresh(async (store, database) => {
    await productImport(store, file);
    const db = new DatabaseSync(database, { readOnly: true });
    const all = tables.map((table) => {
      const statement = db.prepare(`select * from ${table}`);
      statement.setReturnArrays(true);
      return { table, values: statement.all() as unknown as SQLInputValue[][] };
    });
    db.close();
    return all;
  });
  const plain = (...names: readonly (typeof tables)[number][]) =>
    fresh(async (_store, database) => {
      const db = new DatabaseSync(database);
      db.exec("pragma synchronous = full; pragma wal_autocheckpoint = 4000; pragma cache_size = -32768");
      const took = await timed(() => {
        db.exec("begin");
        for (const { table, values } of rows.filter((each) => names.includes(each.table))) {
          const statement = db.prepare(
            `insert into ${table} values (${Array(values[0]?.length).fill("?").join(", ")})`,
          );
          for (const row of values) statement.run(...row);
        }
        db.exec("commit");
      });
      db.close();
      return took;
    });
  const seconds = await interleaved(
    rounds,
    {
      "SQLite, import": () => fresh((store) => timed(() => productImport(store, file))),
      "SQLite, insert of the records": () => plain("ratings"),
      "SQLite, insert of records and change log": () => plain("ratings", "change"),
    },
    say,
  );
  const product = seconds["SQLite, import"];
  return [
    measurement("SQLite", "insert, records", product, seconds["SQLite, insert of the records"]),
    measurement("", "insert, change log too", product, seconds["SQLite, insert of records and change log"]),
  ];
}
