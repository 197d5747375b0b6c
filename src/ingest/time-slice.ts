// Time slices for work that would otherwise hold the event loop for seconds: bodies of many small records. All that is
// divided in this way shares one slice of each iteration, so that many bodies delay requests no more than one does.
import { setImmediate as nextIteration } from "node:timers/promises";

const sliceMs = 2;

/** Work of a few microseconds goes on for so many steps before the clock is read. */
const stepsPerLook = 16;

let queue: Promise<unknown> = Promise.resolve();

export type TimeSlice = {
  /** Whether the work has lasted long enough; asked at every step. */
  isOver(): boolean;
  /** Waits for the next slice. */
  next(): Promise<void>;
};

export function timeSlice(): TimeSlice {
  let steps = 0;
  let began = performance.now();
  return {
    isOver: () => ++steps % stepsPerLook === 0 && performance.now() - began > sliceMs,
    next: async () => {
      queue = queue.then(() => nextIteration());
      await queue;
      began = performance.now();
    },
  };
}
