// Limits concurrent reads per key. Excess requests wait in a queue per key, so that a busy client delays nobody else.
import { ProblemError } from "../response/problem-error.ts";
import { busy } from "./large-page-queue.ts";

export type KeyConcurrency = {
  /** Runs the work once the key is below its limit; throws if the client has disconnected by then. */
  run<T>(key: string, isAborted: () => boolean, work: () => Promise<T>): Promise<T>;
  /** Queued requests of all keys. */
  readonly waiting: number;
};

type Queue = { inFlight: number; readonly waiting: (() => void)[] };

/** 0: unlimited. */
export function limitKeyConcurrency(max: number): KeyConcurrency {
  const queues = new Map<string, Queue>();
  let waiting = 0;

  /** Hands the slot to the request that has waited longest. */
  const finish = (key: string, queue: Queue): void => {
    const next = queue.waiting.shift();
    if (next !== undefined) {
      waiting--;
      next();
      return;
    }
    queue.inFlight--;
    if (queue.inFlight === 0) queues.delete(key);
  };

  return {
    run: async (key, isAborted, work) => {
      if (max === 0) return work();
      let queue = queues.get(key);
      if (queue === undefined) {
        queue = { inFlight: 0, waiting: [] };
        queues.set(key, queue);
      }
      const own = queue;
      if (own.inFlight < max) own.inFlight++;
      else {
        waiting++;
        await new Promise<void>((resolve) => own.waiting.push(resolve));
      }
      try {
        if (isAborted()) throw new ProblemError(busy("The client has disconnected."));
        return await work();
      } finally {
        finish(key, own);
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
