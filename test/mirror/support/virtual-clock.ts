// A clock that advances only when something sleeps: hours pass instantly, exact to the millisecond.
import type { Clock } from "../../../src/lease/clock.ts";

export type VirtualClock = Clock & {
  time: number;
  /** Wraps an object so that the clock stands still while one of its calls is in flight. */
  waitsFor<T extends object>(worker: T): T;
};

type Sleeper = { readonly at: number; readonly wake: () => void; readonly moves: boolean };

/**
 * Sleepers wake in order, each at its exact time. Sleeps of `heartbeatMs` don't advance the clock: they run in the
 * background and would let time pass while the work waits for a response.
 */
export function virtualClock(start = 1_768_478_400_000, heartbeatMs?: number): VirtualClock {
  let sleepers: Sleeper[] = [];
  let moving = false;
  let working = 0;
  const move = () => {
    moving = false;
    const next = sleepers.filter(({ moves }) => moves).sort((a, b) => a.at - b.at)[0];
    if (next === undefined) return;
    const [first = next] = sleepers.filter(({ at }) => at < next.at).sort((a, b) => a.at - b.at);
    if (working === 0) {
      sleepers = sleepers.filter((each) => each !== first);
      clock.time = Math.max(clock.time, first.at);
      first.wake();
    }
    schedule();
  };
  const schedule = () => {
    if (moving || !sleepers.some(({ moves }) => moves)) return;
    moving = true;
    // Work that can still run at this moment runs first.
    setTimeout(move, 1);
  };
  const clock: VirtualClock = {
    time: start,
    now: () => clock.time,
    ticks: () => clock.time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleeper = { at: clock.time + ms, wake: resolve, moves: ms !== heartbeatMs };
        sleepers.push(sleeper);
        signal.addEventListener("abort", () => {
          sleepers = sleepers.filter((each) => each !== sleeper);
          resolve();
        });
        schedule();
      }),
    waitsFor: (worker) =>
      new Proxy(worker, {
        get: (target, name) => {
          const value = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            const result = Reflect.apply(value, target, args);
            if (!(result instanceof Promise)) return result;
            working++;
            return result.finally(() => working--);
          };
        },
      }),
  };
  return clock;
}
