// Request budget: a sliding-window limit on requests to the upstream.
import type { Clock } from "../../lease/clock.ts";

export type Rate = { readonly requests: number; readonly periodMs: number };

const periods: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `5/s`, `100/m`, `1000/h`. */
export function parseRate(text: string): Rate | undefined {
  const [, count, unit] = /^([1-9]\d{0,5})\/([smh])$/.exec(text) ?? [];
  const periodMs = periods[unit ?? ""];
  return periodMs === undefined ? undefined : { requests: Number(count), periodMs };
}

export function printRate({ requests, periodMs }: Rate): string {
  const unit = Object.keys(periods).find((name) => periods[name] === periodMs);
  return `${requests}/${unit ?? `${periodMs} ms`}`;
}

export type Budget = {
  /** Resolves to true when a request may be sent, and counts it; to false when aborted first. */
  acquire(signal: AbortSignal): Promise<boolean>;
  /** Blocks all requests for this long, because the upstream throttles. */
  pause(ms: number): void;
  /** Requests in the last period. */
  used(): number;
  readonly total: number;
};

/** `quietMs`: time since an earlier mirror may have sent its last request and used up the budget. */
export function requestBudget({ requests, periodMs }: Rate, clock: Clock, quietMs = Number.POSITIVE_INFINITY): Budget {
  /** Times of the last requests, oldest first; at most as many as the budget allows. */
  const sent: number[] = [];
  let pausedUntil = clock.ticks() + Math.max(0, periodMs - quietMs);
  let total = 0;
  /** Waiters are served in order. */
  let queue = Promise.resolve();

  const wait = async (signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      if (signal.aborted) return false;
      const now = clock.ticks();
      // One millisecond more: both ends of a window may have a request on them.
      const free = sent.length < requests ? now : (sent[0] as number) + periodMs + 1;
      const delay = Math.max(free, pausedUntil) - now;
      if (delay > 0) await clock.sleep(delay, signal);
      else {
        if (sent.length >= requests) sent.shift();
        sent.push(now);
        total++;
        return true;
      }
    }
  };

  return {
    acquire: (signal) => {
      const mine = queue.then(() => wait(signal));
      queue = mine.then(() => {});
      return mine;
    },
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, clock.ticks() + ms);
    },
    used: () => sent.filter((at) => at > clock.ticks() - periodMs).length,
    get total() {
      return total;
    },
  };
}
