// Wraps a store to time its operations, except the state, which every request reads.
import type { Store } from "../../store/store.ts";

/** Called when an operation has succeeded or failed. */
export type OnTimed = (operation: Operation, ms: number) => void;

export const operations = [
  "page",
  "records",
  "put",
  "remove",
  "changes",
  "recordChanges",
  "rowsOf",
  "rowsAfter",
  "findKey",
] as const satisfies readonly (keyof Store)[];
export type Operation = (typeof operations)[number];

export function timedStore(store: Store, onTimed: OnTimed): Store {
  const timed = operations.map((operation) => {
    const work = store[operation] as (...args: unknown[]) => Promise<unknown>;
    return [
      operation,
      (...args: unknown[]) => {
        const startedAt = performance.now();
        const done = () => onTimed(operation, performance.now() - startedAt);
        const result = work.apply(store, args);
        result.then(done, done);
        return result;
      },
    ];
  });
  return { ...store, ...Object.fromEntries(timed) };
}
