// Change log retention: prunes changes and removals older than the setting `change-days`, in batches.
import { setTimeout } from "node:timers/promises";
import type { Log } from "../../http/observe/log.ts";
import { type Store, StoreError } from "../../store/store.ts";

/** How often one of all processes prunes, and in what batches, so that other writers don't wait. */
const everySeconds = 3600;
const batchSize = 500;
const pauseMs = 20;

type Retention = {
  /** 0: nothing is pruned. */
  readonly days: number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** Prunes if it is this process's turn; returns the number of pruned changes and removals. */
export async function pruneChanges(store: Store, { days, now, signal }: Retention): Promise<number> {
  if (days === 0 || !(await store.claimPeriodicJob("forget changes", everySeconds))) return 0;
  const before = Math.floor(now()) - days * 86_400;
  let total = 0;
  while (!signal.aborted) {
    const gone = await store.pruneChanges({ before }, batchSize);
    if (gone === 0) break;
    total += gone;
    await wait(pauseMs, signal);
  }
  return total;
}

/** Prunes now and then every hour until stopped. Database errors are retried the next hour. */
export async function pruneRegularly(store: Store, retention: Retention, log: Log): Promise<void> {
  while (!retention.signal.aborted) {
    try {
      const gone = await pruneChanges(store, retention);
      if (gone > 0) log.info({ lines: gone, days: retention.days }, "pruned old changes");
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ error: error.message }, "could not prune old changes");
    }
    await wait(everySeconds * 1000, retention.signal);
  }
}

/** Ends early when aborted, and doesn't keep the process alive. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});
