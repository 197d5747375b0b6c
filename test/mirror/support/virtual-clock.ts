// A clock that moves only when somebody sleeps: hours pass in no time, and to the millisecond.
import type { Clock } from "../../../src/mirror/clock.ts";

export type VirtualClock = Clock & {
  time: number;
  /** The same object, for whose answers the clock waits: nobody is late because a database was. */
  waitsFor<T extends object>(worker: T): T;
};

type Sleeper = { readonly at: number; readonly wake: () => void; readonly moves: boolean };

/**
 * Sleepers wake in the order of their times, each at its own. Those who sleep for `heartbeatMs` do not move the clock:
 * they are beside the work, and would let time pass while it waits for an answer.
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
    // Whoever can still work at this moment does so first.
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
