// `serve`: one process or several; on an empty database the demo first.
import type { Config } from "../config.ts";
import { type Store, StoreError } from "../store/store.ts";
import type { Command } from "./command.ts";
import { loadDemo } from "./demo.ts";
import { greet } from "./greeting.ts";
import { openStore } from "./open-store.ts";
import { placesOf } from "./places.ts";
import { withMirror } from "./serve-mirror.ts";
import { type Listening, serveHere } from "./server-process.ts";
import { isWorker, runWorkers, tellListening } from "./workers.ts";

export const serveCommand: Command = {
  usage: "serve",
  help: "serves the API; on an empty database it first loads demo data and makes a key, unless --no-demo",
  mostWords: 0,
  settings: [
    "database",
    "host",
    "port",
    "admin-host",
    "admin-port",
    "workers",
    "demo",
    "zone",
    "calendar-cusip",
    "cors-origins",
    "cache-mb",
    "log-level",
    "log-format",
    "change-days",
    "write-megabytes",
    "atomic-megabytes",
    "stop-seconds",
    "metrics-open",
    "test-mode",
    "proxies",
    "connections",
    "address-connections",
    "wrong-tokens",
    "busy-ms",
    "waiting-megabytes",
    "replicas",
    "replica-staleness",
    "pool-size",
    "pool-queue",
    "statement-seconds",
    "read-thread",
    "prepare-statements",
    "mirror",
    "mirror-token",
    "mirror-token-in",
    "mirror-resources",
    "mirror-from",
    "mirror-budget",
    "mirror-every",
    "mirror-via",
    "mirror-recheck-days",
    "mirror-learn",
  ],
  run: async ({ config }) => {
    // Said once, before anything is loaded or any worker is started.
    placesOf(config);
    let demoKey: string | undefined;
    const fillEmpty = async (store: Store) => {
      // A mirror is filled by its upstream.
      if (config.get("demo") === "true" && config.get("mirror") === "") demoKey = await loadDemo(store);
    };
    const onListening = (listening: Listening, store: Store) => greet(listening, store, demoKey);
    const workers = Number(config.get("workers"));
    if (isWorker()) await work(config);
    else if (workers > 1) return withMirror(config, () => keepWorkers(config, workers, fillEmpty, onListening));
    else await withMirror(config, () => serveHere(config, fillEmpty, onListening));
    return 0;
  },
};

async function keepWorkers(
  config: Config,
  count: number,
  fillEmpty: (store: Store) => Promise<void>,
  onListening: (listening: Listening, store: Store) => Promise<void>,
): Promise<number> {
  const store = openStore(config);
  try {
    // A database that is away is waited for by the workers; the demo is then left for another start.
    await store
      .prepare()
      .then(() => fillEmpty(store))
      .catch(forgiveAbsence);
    return await runWorkers(count, (listening) => onListening(listening, store));
  } finally {
    await store.close();
  }
}

async function work(config: Config): Promise<void> {
  try {
    await serveHere(
      config,
      async () => {},
      async (listening) => tellListening(listening),
      true,
    );
  } finally {
    // The channel to the process that keeps this one would hold it alive; to close it would end it with status 0.
    process.channel?.unref();
  }
}

function forgiveAbsence(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}
