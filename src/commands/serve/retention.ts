// Keeps the change log short: lines and removals older than the setting `change-days` are forgotten, some at a time.
import type { Log } from "../../http/observe/log.ts";
import { type Store, StoreError } from "../../store/store.ts";

/** How often one of all processes looks, and how much it forgets at once, so that nobody waits for it. */
const everySeconds = 3600;
const atOnce = 500;
const pauseMs = 20;

export type Retention = {
  /** 0: nothing is forgotten. */
  readonly days: number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** Forgets what is due now, if it is this process's turn. Gives how many lines and removals went. */
export async function forgetOld(store: Store, { days, now, signal }: Retention): Promise<number> {
  if (days === 0 || !(await store.claimPeriodicJob("forget changes", everySeconds))) return 0;
  const before = Math.floor(now()) - days * 86_400;
  let total = 0;
  while (!signal.aborted) {
    const gone = await store.pruneChanges({ before }, atOnce);
    if (gone === 0) break;
    total += gone;
    await wait(pauseMs, signal);
  }
  return total;
}

/** Forgets at once and then every hour, until the signal. A database that is away is tried again the next hour. */
export async function keepForgetting(store: Store, retention: Retention, log: Log): Promise<void> {
  while (!retention.signal.aborted) {
    try {
      const gone = await forgetOld(store, retention);
      if (gone > 0) log.info({ lines: gone, days: retention.days }, "forgot old changes");
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ error: error.message }, "old changes could not be forgotten");
    }
    await wait(everySeconds * 1000, retention.signal);
  }
}

/** Ends with the signal too, and does not keep the process. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
