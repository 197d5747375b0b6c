// Runs a server as its settings say: in this process or in several, with a mirror beside it or without.
import type { Config } from "../../config.ts";
import { type Store, StoreError } from "../../store/store.ts";
import { checkOpenFiles } from "../checks/open-files.ts";
import { complain } from "../command.ts";
import { openStore } from "../shared/open-store.ts";
import { placesOf } from "./addresses.ts";
import { loadDemo } from "./load-demo.ts";
import type { Listening } from "./server-process.ts";
import { greet } from "./startup-message.ts";
import { isWorker, runWorkers, tellListening } from "./workers.ts";

/** Gives the exit status. */
export async function serve(config: Config): Promise<number> {
  // Said once, before anything is loaded or any worker is started.
  placesOf(config);
  if (!isWorker()) warn(config);
  let demoKey: string | undefined;
  const fillEmpty = async (store: Store) => {
    // A mirror is filled by its upstream.
    if (config.get("demo") === "true" && config.get("mirror") === "") demoKey = await loadDemo(store);
  };
  const onListening = (listening: Listening, store: Store) => greet(listening, store, demoKey);
  const workers = Number(config.get("workers"));
  if (isWorker()) await work(config);
  else if (workers > 1) return besideMirror(config, () => keepWorkers(config, workers, fillEmpty, onListening));
  else await besideMirror(config, async () => (await server()).serveHere(config, fillEmpty, onListening));
  return 0;
}

function warn(config: Config): void {
  if (config.given("read-thread") !== undefined)
    complain("warning: --read-thread has no effect any longer; SQLite always runs in separate threads");
  const files = checkOpenFiles(config);
  if (files !== undefined) complain(`warning: ${files.found}; ${files.advice}`);
}

/** Not loaded by a process that only keeps others. */
const server = () => import("./server-process.ts");

async function besideMirror<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if (config.get("mirror") === "") return work();
  const { withMirror } = await import("./mirror.ts");
  return withMirror(config, work);
}

async function keepWorkers(
  config: Config,
  count: number,
  fillEmpty: (store: Store) => Promise<void>,
  onListening: (listening: Listening, store: Store) => Promise<void>,
): Promise<number> {
  const store = await openStore(config);
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
    const { serveHere } = await server();
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
