// `serve --mirror`: runs the mirror alongside the server, in the primary process. It never stops the server.
import type { Config } from "../../config.ts";
import { mirror } from "../../mirror/mirror.ts";
import { StoreError } from "../../store/store.ts";
import { mirrorOptions } from "../mirror/options.ts";
import { openLog } from "../shared/log.ts";
import { openStore } from "../shared/open-store.ts";
import { stopSignal } from "../shared/stop-signal.ts";

/** Delay between attempts to reach an unavailable database. */
const retryMs = 2000;

/** Small transactions, so that other writers don't wait long. */
const batchSize = 100;

/** Runs the work alongside a mirror if an upstream is configured. */
export async function withMirror<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const options = mirrorOptions(config);
  if (options === undefined) return work();
  const stopped = new AbortController();
  void stopSignal().then(() => stopped.abort());
  const { signal } = stopped;
  const log = openLog(config);
  const warn = (text: string) => log.warn({ upstream: options.base.host }, `mirror: ${text}`);

  const run = async (): Promise<void> => {
    // By name, which excludes replicas: they may not have what was just written.
    const store = await openStore(config, "create", "database", config.get("database"));
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
            log: warn,
            onIngested: () => {},
          });
          return;
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          warn(`the database is not ready, retrying: ${error.message}`);
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
      "the mirror failed; the server continues without it",
    );
  });
  try {
    return await work();
  } finally {
    stopped.abort();
    await mirroring;
  }
}
