// When the next request may be sent: never more of them than the budget in any stretch of its period.
import type { Clock } from "../clock.ts";

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
  /** Resolves when a request may be sent, and counts it. False: the signal came first, and nothing may be sent. */
  take(signal: AbortSignal): Promise<boolean>;
  /** No request for so long, whatever the budget says: the upstream has asked for quiet. */
  hold(ms: number): void;
  /** Requests of the last period. */
  used(): number;
  readonly total: number;
};

/** `quietMs` is how long ago an earlier mirror may have sent its last request; it may have used up the budget just then. */
export function budget({ requests, periodMs }: Rate, clock: Clock, quietMs = Number.POSITIVE_INFINITY): Budget {
  /** When the last requests were sent, oldest first; as many as the budget has. */
  const sent: number[] = [];
  let held = clock.ticks() + Math.max(0, periodMs - quietMs);
  let total = 0;
  /** Those who wait are served in turn. */
  let turn = Promise.resolve();

  const wait = async (signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      if (signal.aborted) return false;
      const now = clock.ticks();
      // One more than the period: both ends of a stretch may have a request on them.
      const free = sent.length < requests ? now : (sent[0] as number) + periodMs + 1;
      const pause = Math.max(free, held) - now;
      if (pause > 0) await clock.sleep(pause, signal);
      else {
        if (sent.length >= requests) sent.shift();
        sent.push(now);
        total++;
        return true;
      }
    }
  };

  return {
    take: (signal) => {
      const mine = turn.then(() => wait(signal));
      turn = mine.then(() => {});
      return mine;
    },
    hold: (ms) => {
      held = Math.max(held, clock.ticks() + ms);
    },
    used: () => sent.filter((at) => at > clock.ticks() - periodMs).length,
    get total() {
      return total;
    },
  };
}
