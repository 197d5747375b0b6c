// Keys that do something. A view says its own while it is shown; the help lists those that work now.
import { useEffect, useRef } from "preact/hooks";
import { type Cell, cell } from "./signal.ts";

export type Shortcut = {
  /** One key, or two pressed one after the other, such as `g n`. */
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
};

export const shortcuts: Cell<readonly Shortcut[]> = cell<readonly Shortcut[]>([]);

/** For as long as the component is shown. What was said last wins. */
export function useShortcuts(said: readonly Shortcut[]): void {
  const latest = useRef(said);
  latest.current = said;
  const names = said.map(({ keys, does }) => `${keys}\t${does}`).join("\n");
  useEffect(() => {
    const own = latest.current.map(({ keys, does }, at) => ({ keys, does, run: () => latest.current[at]?.run() }));
    shortcuts.set([...shortcuts.get(), ...own]);
    return () => shortcuts.set(shortcuts.get().filter((each) => !own.includes(each)));
  }, [names]);
}

const secondKeyMs = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName));

const pressesItself = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && ["A", "BUTTON", "SUMMARY"].includes(target.tagName);

export function followKeys(): void {
  let first = "";
  let at = 0;
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    // Enter on a link or a button is theirs; an open dialog has the keys to itself.
    if (event.key === "Enter" && pressesItself(event.target)) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const both = first !== "" && event.timeStamp - at < secondKeyMs ? `${first} ${event.key}` : event.key;
    const all = shortcuts.get();
    const found = all.findLast(({ keys }) => keys === both) ?? all.findLast(({ keys }) => keys === event.key);
    first = found === undefined && all.some(({ keys }) => keys.startsWith(`${event.key} `)) ? event.key : "";
    at = event.timeStamp;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}
