// A clock that moves only when somebody sleeps: hours pass in no time, and to the millisecond.
import type { Clock } from "../../src/mirror/clock.ts";

export type VirtualClock = Clock & { time: number };

/** Sleepers wake in the order of their times, each at its own; `calmMs` is how long others are given before. */
export function virtualClock(start = 1_768_478_400_000, calmMs = 1): VirtualClock {
  const sleepers: { at: number; wake: () => void }[] = [];
  let moving = false;
  const move = () => {
    moving = false;
    const next = sleepers.sort((a, b) => a.at - b.at).shift();
    if (next === undefined) return;
    clock.time = Math.max(clock.time, next.at);
    next.wake();
    schedule();
  };
  const schedule = () => {
    if (moving || sleepers.length === 0) return;
    moving = true;
    // Whoever can still work at this moment does so first.
    setTimeout(move, calmMs);
  };
  const clock: VirtualClock = {
    time: start,
    now: () => clock.time,
    ticks: () => clock.time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        sleepers.push({ at: clock.time + ms, wake: resolve });
        signal.addEventListener("abort", () => resolve());
        schedule();
      }),
  };
  return clock;
}
