// Opens the store for a database: a SQLite file or a PostgreSQL URL.
import { existsSync } from "node:fs";
import { type Config, UsageError } from "../../config.ts";
import { catalog } from "../../resources/catalog.ts";
import { isPostgres, parseList } from "../../settings/setting.ts";
import type { Store } from "../../store/store.ts";

/** Only commands that write create a database: a mistyped name must not look like an empty one. */
type OpenMode = "create" | "must exist";

const addressForm =
  "postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters in the password percent-encoded";

/** Options of a store that serves requests. */
type ServeOptions = {
  /** Unix seconds. */
  readonly now: () => number;
};

/** Loads only the driver of the configured database. */
export async function openStore(
  config: Config,
  opening: OpenMode = "create",
  flag = "database",
  database?: string,
  serving?: ServeOptions,
): Promise<Store> {
  const named = database ?? config.get("database");
  if (isPostgres(named)) {
    // The invalid part may be the password, so the URL is not repeated.
    if (!URL.canParse(named)) throw new UsageError(`--${flag}: expected ${addressForm}`);
    const { openPostgres } = await import("../../store/postgres/postgres.ts");
    return openPostgres({
      url: named,
      // Replicas belong to the configured database, not to one passed by name.
      replicas: database === undefined ? parseList(config.get("replicas")) : [],
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
  if (/^[a-z]+:\/\//i.test(named)) throw new UsageError(`--${flag}: expected a SQLite file or a postgres:// URL`);
  if (named === "" || named === ":memory:")
    throw new UsageError(`--${flag}: expected a SQLite file or a postgres:// URL`);
  if (opening === "must exist" && !existsSync(named)) {
    throw new UsageError(
      `--${flag}: there is no database at "${named}"; serve, import, and keys create will create one`,
    );
  }
  const { openSqlite } = await import("../../open-sqlite.ts");
  const store = openSqlite({
    file: named,
    statementSeconds: statementSeconds(config, 2),
    ...serving,
    isServing: serving !== undefined,
  });
  // A server listens while its database is prepared.
  if (serving === undefined)
    await store.prepare().catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
  return store;
}

/** The configured statement timeout, or the database's default. */
const statementSeconds = (config: Config, fallback: number): number =>
  Number(config.provided("statement-seconds") ?? fallback);

/** Runs the work with an open, prepared store, then closes the store. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>, opening?: OpenMode): Promise<T> {
  const store = await openStore(config, opening);
  try {
    await store.prepare();
    return await work(store);
  } finally {
    await store.close();
  }
}
