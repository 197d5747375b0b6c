// How many requests of one key may read at once. Further ones wait in a queue of that key alone: whoever sends many at
// once delays nobody else.
import { ProblemError } from "../response/problem-error.ts";
import { busy } from "./large-page-queue.ts";

export type KeyQueues = {
  /** Does the work once fewer requests of the key than the limit are in flight; throws if its client has left by then. */
  run<T>(key: string, isGone: () => boolean, work: () => Promise<T>): Promise<T>;
  /** Requests that wait, of all keys. */
  readonly waiting: number;
};

type Queue = { inFlight: number; readonly waiting: (() => void)[] };

/** 0: any number. */
export function keyQueues(most: number): KeyQueues {
  const queues = new Map<string, Queue>();
  let waiting = 0;

  /** Whoever waits longest takes over the place of whoever has finished. */
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
    run: async (key, isGone, work) => {
      if (most === 0) return work();
      let queue = queues.get(key);
      if (queue === undefined) {
        queue = { inFlight: 0, waiting: [] };
        queues.set(key, queue);
      }
      const own = queue;
      if (own.inFlight < most) own.inFlight++;
      else {
        waiting++;
        await new Promise<void>((resolve) => own.waiting.push(resolve));
      }
      try {
        if (isGone()) throw new ProblemError(busy("The client has disconnected."));
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
