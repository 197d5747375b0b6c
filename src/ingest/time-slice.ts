// Time slices for work that would block the event loop, such as bodies of many small records. All sliced work shares one
// slice per event-loop iteration, so that many bodies delay requests no more than one does.
import { setImmediate as nextIteration } from "node:timers/promises";

const sliceMs = 2;

/** Steps of a few microseconds each between readings of the clock. */
const stepsPerCheck = 16;

let queue: Promise<unknown> = Promise.resolve();

export type TimeSlice = {
  /** Whether the slice is used up; called at every step. */
  isOver(): boolean;
  /** Waits for the next slice. */
  next(): Promise<void>;
};

export function timeSlice(): TimeSlice {
  let steps = 0;
  let began = performance.now();
  return {
    isOver: () => ++steps % stepsPerCheck === 0 && performance.now() - began > sliceMs,
    next: async () => {
      queue = queue.then(() => nextIteration());
      await queue;
      began = performance.now();
    },
  };
}
