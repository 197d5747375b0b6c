// `serve --mirror`: the mirror beside the server, in the process that keeps the others. It never ends the server.
import type { Config } from "../../config.ts";
import { mirror } from "../../mirror/mirror.ts";
import { StoreError } from "../../store/store.ts";
import { mirrorOptions } from "../mirror/options.ts";
import { logOf } from "../shared/log.ts";
import { openStore } from "../shared/open-store.ts";
import { stopSignal } from "../shared/stop-signal.ts";

/** Between two attempts to reach a database that is away. */
const retryMs = 2000;

/** Rows written at once: requests of this process wait meanwhile. */
const batchSize = 100;

/** Runs the work with a mirror beside it, where the settings name an upstream. */
export async function withMirror<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const options = mirrorOptions(config);
  if (options === undefined) return work();
  const stopped = new AbortController();
  void stopSignal().then(() => stopped.abort());
  const { signal } = stopped;
  const log = logOf(config);
  const say = (text: string) => log.warn({ upstream: options.base.host }, `mirror: ${text}`);

  const run = async (): Promise<void> => {
    // By its name: what was just written must be read, and a replica may not have it yet.
    const store = await openStore(config, "make", "database", config.get("database"));
    try {
      while (!signal.aborted) {
        try {
          await store.prepare();
          await mirror({
            ...options,
            store,
            batchSize,
            once: false,
            adopt: false,
            signal,
            log: say,
            onIngested: () => {},
          });
          return;
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          say(`the database is not ready; trying again: ${error.message}`);
          await options.clock.sleep(retryMs, signal);
        }
      }
    } finally {
      await store.close();
    }
  };

  const mirroring = run().catch((error: Error) => {
    log.error(
      { upstream: options.base.host, error: error.stack ?? error.message },
      "the mirror ended; the server goes on without it",
    );
  });
  try {
    return await work();
  } finally {
    stopped.abort();
    await mirroring;
  }
}
