// A value that components follow. The page's shared state is a handful of these.
import { useEffect, useReducer } from "preact/hooks";

export type Cell<T> = {
  get(): T;
  set(next: T): void;
  /** Calls the listener after every change; gives what ends that. */
  subscribe(listener: () => void): () => void;
};

export function cell<T>(initial: T): Cell<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value now; the component is drawn again when it changes. */
export function useCell<T>(followed: Cell<T>): T {
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const drawn = followed.get();
  useEffect(() => {
    // It may have changed between the drawing and this effect.
    if (!Object.is(followed.get(), drawn)) redraw();
    return followed.subscribe(redraw);
  }, [followed]);
  return drawn;
}
