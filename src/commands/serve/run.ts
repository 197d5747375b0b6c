// Runs a server as configured: in one process or several, with or without a mirror.
import type { Config } from "../../config.ts";
import { type Store, StoreError } from "../../store/store.ts";
import { checkOpenFiles } from "../checks/open-files.ts";
import { printError } from "../command.ts";
import { openStore } from "../shared/open-store.ts";
import { listenAddresses } from "./addresses.ts";
import { loadDemo } from "./load-demo.ts";
import type { Listening } from "./server-process.ts";
import { printStartupMessage } from "./startup-message.ts";
import { isWorker, reportFailure, reportListening, runWorkers } from "./workers.ts";

/** Returns the exit status. */
export async function serve(config: Config): Promise<number> {
  // Validated once, before anything is loaded or any worker is started.
  listenAddresses(config);
  if (!isWorker()) warn(config);
  let demoKey: string | undefined;
  const loadDemoIfEmpty = async (store: Store) => {
    // A mirror gets its records from the upstream.
    if (config.get("demo") === "true" && config.get("mirror") === "") demoKey = await loadDemo(store);
  };
  const onListening = (listening: Listening, store: Store) => printStartupMessage(listening, store, demoKey);
  const workers = Number(config.get("workers"));
  if (isWorker()) return runWorker(config);
  if (workers > 1) return withOptionalMirror(config, () => runPrimary(config, workers, loadDemoIfEmpty, onListening));
  await withOptionalMirror(config, async () =>
    (await loadServer()).runServer({ config, onReady: loadDemoIfEmpty, onListening }),
  );
  return 0;
}

function warn(config: Config): void {
  if (config.provided("read-thread") !== undefined)
    printError("warning: --read-thread no longer has any effect; SQLite always runs in separate threads");
  const files = checkOpenFiles(config);
  if (files !== undefined) printError(`warning: ${files.found}; ${files.advice}`);
}

/** Not loaded by a primary process with workers. */
const loadServer = () => import("./server-process.ts");

async function withOptionalMirror<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if (config.get("mirror") === "") return work();
  const { withMirror } = await import("./mirror.ts");
  return withMirror(config, work);
}

async function runPrimary(
  config: Config,
  count: number,
  onReady: (store: Store) => Promise<void>,
  onListening: (listening: Listening, store: Store) => Promise<void>,
): Promise<number> {
  const store = await openStore(config);
  try {
    // The workers wait for an unavailable database; the demo is then left for another start.
    await store
      .prepare()
      .then(() => onReady(store))
      .catch(ignoreStoreError);
    return await runWorkers(count, (listening) => onListening(listening, store));
  } finally {
    await store.close();
  }
}

async function runWorker(config: Config): Promise<number> {
  try {
    const { runServer } = await loadServer();
    const onListening = async (listening: Listening) => reportListening(listening);
    await runServer({ config, onReady: async () => {}, onListening, isWorker: true });
    return 0;
  } catch (error) {
    await reportFailure(error);
    return 1;
  } finally {
    // The IPC channel would keep the process alive; closing it would end the process with status 0.
    process.channel?.unref();
  }
}

function ignoreStoreError(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}
