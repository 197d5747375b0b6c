// Opens the store that a database's name stands for: a SQLite file or a PostgreSQL address.
import { existsSync } from "node:fs";
import { type Config, isPostgres, listOf, UsageError } from "../config.ts";
import { catalog } from "../resources/catalog.ts";
import { openPostgres } from "../store/postgres/postgres.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";

/** Only commands that write make a database: a mistyped name must not pass for an empty one. */
export type Opening = "make" | "must exist";

export function openStore(config: Config, opening: Opening = "make", database = config.get("database")): Store {
  if (isPostgres(database)) {
    return openPostgres({
      url: database,
      replicas: listOf(config.get("replicas")),
      maxStalenessSeconds: Number(config.get("replica-staleness")),
      poolSize: Number(config.get("pool-size")),
      queueSize: Number(config.get("pool-queue")),
      statementSeconds: Number(config.get("statement-seconds")),
      prepare: config.get("prepare-statements") === "true",
      catalog,
    });
  }
  if (/^[a-z]+:\/\//i.test(database))
    throw new UsageError("--database: expected a SQLite file or a postgres:// address");
  if (opening === "must exist" && !existsSync(database)) {
    throw new UsageError(`--database: there is no database at "${database}"; serve, import and keys create make one`);
  }
  return openSqlite({ file: database, catalog });
}

/** Runs with an open store, ready for use, and closes it whatever happens. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>, opening?: Opening): Promise<T> {
  const store = openStore(config, opening);
  try {
    await store.prepare();
    return await work(store);
  } finally {
    await store.close();
  }
}
