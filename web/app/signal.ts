// Signals: observable values for the page's shared state.
import { useEffect, useReducer } from "preact/hooks";

export type Signal<T> = {
  get(): T;
  set(next: T): void;
  /** Calls the listener after every change; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
};

export function signal<T>(initial: T): Signal<T> {
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

/** The current value; the component rerenders when it changes. */
export function useSignal<T>(source: Signal<T>): T {
  const [, rerender] = useReducer<number, void>((count) => count + 1, 0);
  const rendered = source.get();
  useEffect(() => {
    // It may have changed between rendering and this effect.
    if (!Object.is(source.get(), rendered)) rerender();
    return source.subscribe(rerender);
  }, [source]);
  return rendered;
}
