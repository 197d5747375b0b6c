// Whether this tab needs the stream: while it is visible, or if it is the one that sends notifications. A browser opens
// few connections to a host, so hidden tabs must not hold one.
import { type Signal, signal } from "../../app/signal.ts";
import { keyState } from "../key.ts";

/** Switching between tabs doesn't interrupt the stream. */
const graceMs = 10_000;

/** Set in the one tab that sends notifications. */
export const isNotifying: Signal<boolean> = signal(false);

const isUsable = (): boolean => {
  const { key, rejected } = keyState.get();
  return key !== undefined && !rejected;
};

export const isWanted: Signal<boolean> = signal(false);

export function watchWanted(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => isWanted.set(isUsable() && (!document.hidden || isNotifying.get()));
  const updateSoon = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(update, graceMs);
    else update();
  };
  document.addEventListener("visibilitychange", updateSoon);
  keyState.subscribe(update);
  isNotifying.subscribe(update);
  update();
}

export function untilWanted(): Promise<void> {
  return new Promise((resolve) => {
    if (isWanted.get()) return resolve();
    const unsubscribe = isWanted.subscribe(() => {
      if (!isWanted.get()) return;
      unsubscribe();
      resolve();
    });
  });
}
