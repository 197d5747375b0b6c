// Queue for large pages, bounded in length and time: at most one starts per event loop iteration, so that small pages
// aren't delayed by several in a row.
import { type Problem, problem } from "../../core/problem.ts";
import type { Plan } from "../../core/query/plan.ts";

export type LargePageLimits = {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly timeoutMs: number;
};

export const defaultLargePageLimits: LargePageLimits = { concurrency: 1, maxWaiting: 64, timeoutMs: 5000 };

/** Longest pause between two large pages, if small ones are requested. */
const maxPauseMs = 50;

/** Most records of a small page; records with body text count twice. */
const maxSmallRecords = 200;

export const isLarge = ({ limit, include }: Plan): boolean => limit * (include.length > 0 ? 2 : 1) > maxSmallRecords;

export type LargePageQueue = {
  /** While small pages are being read, large ones leave them as much time as they take. */
  countSmall(): void;
  /** A problem if the queue is full, the wait too long, or the client gone; otherwise `release` must follow. */
  acquire(isAborted: () => boolean): Promise<Problem | undefined>;
  release(): void;
  readonly waiting: number;
  readonly refused: number;
};

export function largePageQueue(
  { concurrency, maxWaiting, timeoutMs }: LargePageLimits,
  detail = "Too many large pages are requested at once.",
): LargePageQueue {
  const queue: { admit(): void }[] = [];
  let startedAt = 0;
  let small = 0;
  let inFlight = 0;
  let refused = 0;

  /** Disconnected clients don't count as refused. */
  const refuse = (isDisconnected: boolean): Problem => {
    if (!isDisconnected) refused++;
    return busy(detail);
  };

  const admitNext = (): void => {
    const next = queue.shift();
    startedAt = performance.now();
    small = 0;
    if (next === undefined) inFlight--;
    else next.admit();
  };

  return {
    acquire: (isAborted) => {
      if (inFlight < concurrency) {
        inFlight++;
        startedAt = performance.now();
        small = 0;
        return Promise.resolve(undefined);
      }
      if (queue.length >= maxWaiting) return Promise.resolve(refuse(false));
      return new Promise((resolve) => {
        const limit = setTimeout(() => {
          queue.splice(queue.indexOf(entry), 1);
          resolve(refuse(isAborted()));
        }, timeoutMs);
        const admit = () => {
          clearTimeout(limit);
          // Nothing is read for a disconnected client.
          const isDisconnected = isAborted();
          resolve(isDisconnected ? refuse(true) : undefined);
          if (isDisconnected) admitNext();
        };
        const entry = { admit };
        queue.push(entry);
      });
    },
    release: () => {
      // Other requests go first; if there are small pages among them, they get as much time as this page took.
      setImmediate(() => {
        if (small === 0) admitNext();
        else setTimeout(admitNext, Math.min(maxPauseMs, performance.now() - startedAt));
      });
    },
    countSmall: () => {
      small++;
    },
    get waiting() {
      return queue.length;
    },
    get refused() {
      return refused;
    },
  };
}

export const busy = (detail: string): Problem =>
  problem("server.busy", `${detail} Try again in a moment.`, { headers: { "retry-after": "1" } });

export const overloaded = busy("This server is overloaded.");
