// A clock for leases and the mirror: the system's, or a virtual one in tests.
import { setTimeout } from "node:timers/promises";

export type Clock = {
  /** Unix milliseconds; may jump when the system time is set. */
  now(): number;
  /** Monotonic milliseconds. */
  ticks(): number;
  /** Resolves after the delay, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** The longest delay that setTimeout supports. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  sleep: (ms, signal) => setTimeout(Math.min(Math.ceil(ms), maxTimerMs), undefined, { signal }).catch(() => {}),
};

export const toSeconds = (ms: number): number => Math.floor(ms / 1000);
