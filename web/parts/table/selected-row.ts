// Row selection by keyboard: j and k move, Enter opens.
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts.ts";

export type SelectionOptions<R> = {
  readonly rows: readonly R[];
  /** Position of each row in pixels, and last the height of all. */
  readonly tops: readonly number[];
  /** Whether this list handles the keys; only one list of a view may. A list with an open row always does. */
  readonly keys: boolean;
  /** Index of the row that is open in a panel, -1 for none. Moving opens the next row there. */
  readonly openIndex: number;
  readonly onOpen?: ((row: R) => void) | undefined;
};

/** Index of the selected row, -1 initially. Rows are found by `data-index`. */
export function useSelectedRow<R>(scroller: RefObject<HTMLElement | null>, options: SelectionOptions<R>): number {
  const { rows, tops, keys, openIndex, onOpen } = options;
  const isOpen = openIndex >= 0;
  const [selected, setSelected] = useState(-1);
  const at = Math.min(selected, rows.length - 1);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, at + by));
    setSelected(next);
    const row = rows[next];
    if (row !== undefined && isOpen) onOpen?.(row);
  };
  useLayoutEffect(() => {
    if (isOpen) setSelected(openIndex);
  }, [openIndex]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || at < 0) return;
    const head = element.querySelector("thead")?.getBoundingClientRect().height ?? 0;
    const [begin = 0, end = 0] = [tops[at], (tops[at + 1] ?? 0) + head];
    if (begin < element.scrollTop) element.scrollTop = begin;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
    const row = element.querySelector<HTMLElement>(`[data-index="${at}"]`);
    row?.focus({ preventScroll: true });
    // The list itself may be outside the viewport.
    row?.scrollIntoView({ block: "nearest" });
    // An opening panel makes the list narrower, and what is above it higher.
  }, [at, isOpen]);
  useShortcuts(
    keys || isOpen
      ? [
          { keys: "j", description: "next row", run: () => move(1) },
          { keys: "k", description: "previous row", run: () => move(-1) },
          {
            keys: "Enter",
            description: "open row",
            run: () => {
              const row = rows[at];
              if (row !== undefined) onOpen?.(row);
            },
          },
        ]
      : [],
  );
  return at;
}
