// A store whose work is timed, operation by operation. What is asked on every request, its state, is not.
import type { Store } from "../../store/store.ts";

/** Told when an operation has ended, well or not. */
export type OnTimed = (operation: Operation, ms: number) => void;

export const operations = [
  "page",
  "records",
  "put",
  "remove",
  "changes",
  "rowsOf",
  "rowsAfter",
  "findKey",
] as const satisfies readonly (keyof Store)[];
export type Operation = (typeof operations)[number];

export function timedStore(store: Store, onTimed: OnTimed): Store {
  const timed = operations.map((operation) => {
    const work = store[operation] as (...given: unknown[]) => Promise<unknown>;
    return [
      operation,
      (...given: unknown[]) => {
        const began = performance.now();
        const done = () => onTimed(operation, performance.now() - began);
        const result = work.apply(store, given);
        result.then(done, done);
        return result;
      },
    ];
  });
  return { ...store, ...Object.fromEntries(timed) };
}
