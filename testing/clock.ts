// The clock of a server under test: stands still unless it is set to run.
import { type TestClock, testClock } from "../src/http/testing/clock.ts";
import type { Store } from "../src/store/store.ts";
import type { Clock, Time } from "./types.ts";

/** Noon UTC on the day of the records that builders make. */
export const defaultTime = "2026-01-15T12:00:00Z";

function secondsOf(time: Time): number {
  const seconds = typeof time === "number" ? time : new Date(time).getTime() / 1000;
  if (Number.isFinite(seconds)) return seconds;
  throw new TypeError(
    `clock: expected a Date, Unix seconds, or a time such as ${defaultTime}, got ${JSON.stringify(time)}`,
  );
}

/** The clock before there is a store: at `time`, and standing still. */
export const stoppedClock = (time: Time): TestClock =>
  testClock(undefined, { at: 0, shown: secondsOf(time), running: false });

export const settableClock = (clock: TestClock, store: Store): Clock => ({
  get now() {
    return new Date(clock.now() * 1000);
  },
  set: async (time, { running = false } = {}) =>
    clock.set(store, { at: Date.now() / 1000, shown: secondsOf(time), running }),
});
