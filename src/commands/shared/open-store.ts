// Opens the store that a database's name stands for: a SQLite file or a PostgreSQL address.
import { existsSync } from "node:fs";
import { type Config, UsageError } from "../../config.ts";
import { catalog } from "../../resources/catalog.ts";
import { isPostgres, listOf } from "../../settings/setting.ts";
import type { Store } from "../../store/store.ts";

/** Only commands that write make a database: a mistyped name must not pass for an empty one. */
export type Opening = "make" | "must exist";

const addressForm =
  "postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of a password percent-encoded";

/** How a server wants its store. */
export type Serving = {
  /** Unix seconds. */
  readonly now: () => number;
};

/** Loads the one database that is named, and not the other. */
export async function openStore(
  config: Config,
  opening: Opening = "make",
  flag = "database",
  database?: string,
  serving?: Serving,
): Promise<Store> {
  const named = database ?? config.get("database");
  if (isPostgres(named)) {
    // What is wrong with it may be in the password: it is not repeated.
    if (!URL.canParse(named)) throw new UsageError(`--${flag}: expected ${addressForm}`);
    const { openPostgres } = await import("../../store/postgres/postgres.ts");
    return openPostgres({
      url: named,
      // Replicas are those of the database that is served; a copy has two others.
      replicas: database === undefined ? listOf(config.get("replicas")) : [],
      replicaStalenessSeconds: Number(config.get("replica-staleness")),
      maxStalenessSeconds: Number(config.get("max-staleness")),
      poolSize: Number(config.get("pool-size")),
      queueSize: Number(config.get("pool-queue")),
      statementSeconds: statementSeconds(config, 10),
      prepare: config.get("prepare-statements") === "true",
      catalog,
      ...(serving && { now: serving.now }),
    });
  }
  if (/^[a-z]+:\/\//i.test(named)) throw new UsageError(`--${flag}: expected a SQLite file or a postgres:// address`);
  if (named === "" || named === ":memory:")
    throw new UsageError(`--${flag}: expected a SQLite file or a postgres:// address`);
  if (opening === "must exist" && !existsSync(named)) {
    throw new UsageError(`--${flag}: there is no database at "${named}"; serve, import and keys create make one`);
  }
  const { openSqlite } = await import("../../open-sqlite.ts");
  const store = openSqlite({
    file: named,
    statementSeconds: statementSeconds(config, 2),
    ...serving,
    isServing: serving !== undefined,
  });
  // A server does other things meanwhile.
  if (serving === undefined)
    await store.prepare().catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
  return store;
}

/** A read of SQLite may keep its process from anything else: less time is given to it unless the setting says otherwise. */
const statementSeconds = (config: Config, own: number): number => Number(config.given("statement-seconds") ?? own);

/** Runs with an open store, ready for use, and closes it whatever happens. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>, opening?: Opening): Promise<T> {
  const store = await openStore(config, opening);
  try {
    await store.prepare();
    return await work(store);
  } finally {
    await store.close();
  }
}
