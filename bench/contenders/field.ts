// All contenders, each started on first use and running until the end, so that memory covers the whole run.
import type { BenchData } from "../records/database.ts";
import { type PostgresData, postgresData } from "../records/postgres.ts";
import type { ContenderName } from "../workloads/workload.ts";
import { startBare } from "./bare.ts";
import { startBellwire, withoutCache } from "./bellwire.ts";
import type { Contender } from "./contender.ts";
import { plainSqlite } from "./handler/fill-sqlite.ts";
import { startHandler } from "./handler/handler.ts";
import { startJsonServer, startPostGraphile } from "./rivals.ts";

export type Field = {
  /** Starts a contender, or returns the running one; undefined, with the reason logged, if it isn't available. */
  get(name: ContenderName): Promise<Contender | undefined>;
  /** A contender that is running. */
  running(name: ContenderName): Promise<Contender | undefined> | undefined;
  /** Starts another instance, which the caller stops. */
  fresh(name: ContenderName, database?: string): Promise<Contender | undefined>;
  stop(): Promise<void>;
};

/** `grown` is a larger data set, for the contender that uses it. */
export function makeField(data: BenchData, say: (line: string) => void, grown?: BenchData): Field {
  const started = new Map<ContenderName, Promise<Contender | undefined>>();
  let server: Promise<PostgresData> | undefined;
  const postgres = () => {
    server ??= postgresData(data, say);
    return server;
  };

  const starters: Record<ContenderName, (database: string) => Promise<Contender>> = {
    bare: () => startBare(),
    bellwire: (database) => startBellwire(database),
    "bellwire with two workers": (database) => startBellwire(database, ["--workers", "2"]),
    "bellwire without cache": (database) => startBellwire(database, withoutCache()),
    "bellwire on grown data": async () => {
      if (grown === undefined) throw new Error("there is no grown data");
      return startBellwire(grown.file, withoutCache());
    },
    handler: async () => startHandler(await plainSqlite(data, say), "ranked"),
    "handler newest first": async () => startHandler(await plainSqlite(data, say), "newest"),
    "bellwire on PostgreSQL": async () => {
      const { url, pid } = await postgres();
      return startBellwire(url, [], [pid]);
    },
    "handler on PostgreSQL": async () => {
      const { plainUrl, pid } = await postgres();
      return startHandler(plainUrl, "ranked", [pid]);
    },
    PostGraphile: async () => startPostGraphile(await postgres(), say),
    "json-server": () => startJsonServer(data, say),
  };
  const fresh: Field["fresh"] = async (name, database = data.file) => {
    try {
      return await starters[name](database);
    } catch (error) {
      say(`${name} is left out: ${(error as Error).message}`);
      return undefined;
    }
  };
  return {
    get: (name) => {
      let contender = started.get(name);
      if (contender === undefined) {
        contender = fresh(name);
        started.set(name, contender);
      }
      return contender;
    },
    running: (name) => started.get(name),
    fresh,
    stop: async () => {
      const all = await Promise.all(started.values());
      await Promise.all(all.map((contender) => contender?.stop()));
      await server?.then((each) => each.remove()).catch(() => {});
    },
  };
}
