// Keyboard shortcuts. Each view registers its own while it is mounted.
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Signal, signal } from "./signal.ts";

export type Shortcut = {
  /** One key, or a sequence of two, such as `g n`. */
  readonly keys: string;
  readonly description: string;
  readonly run: () => void;
};

export const shortcuts: Signal<readonly Shortcut[]> = signal<readonly Shortcut[]>([]);

/** Registers shortcuts while the component is mounted. The latest registration of a key wins. */
export function useShortcuts(list: readonly Shortcut[]): void {
  const latest = useRef(list);
  latest.current = list;
  const names = list.map(({ keys, description }) => `${keys}\t${description}`).join("\n");
  // Before it is drawn, so that a key pressed as soon as it is visible has an effect.
  useLayoutEffect(() => {
    const registered = latest.current.map(({ keys, description }, at) => ({
      keys,
      description,
      run: () => latest.current[at]?.run(),
    }));
    shortcuts.set([...shortcuts.get(), ...registered]);
    return () => shortcuts.set(shortcuts.get().filter((each) => !registered.includes(each)));
  }, [names]);
}

const secondKeyMs = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName));

const handlesEnter = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && ["A", "BUTTON", "SUMMARY"].includes(target.tagName);

export function watchKeys(): void {
  let first = "";
  let at = 0;
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    // Links and buttons handle Enter themselves, and an open dialog captures all keys.
    if (event.key === "Enter" && handlesEnter(event.target)) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const combination = first !== "" && event.timeStamp - at < secondKeyMs ? `${first} ${event.key}` : event.key;
    const all = shortcuts.get();
    const found = all.findLast(({ keys }) => keys === combination) ?? all.findLast(({ keys }) => keys === event.key);
    first = found === undefined && all.some(({ keys }) => keys.startsWith(`${event.key} `)) ? event.key : "";
    at = event.timeStamp;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}
