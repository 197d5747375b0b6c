// The row of a list that j and k have come to, and Enter opens. Rows are equally high and carry their number.
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts.ts";

export type Choosing<R> = {
  readonly rows: readonly R[];
  /** In pixels. */
  readonly rowHeight: number;
  /** Whether this list answers to the keys; one list of a view does. */
  readonly keys: boolean;
  readonly onOpen?: ((row: R) => void) | undefined;
  /** Called when the keys have moved. */
  readonly onMove?: ((row: R) => void) | undefined;
};

/** -1 before a key was pressed. What scrolls is followed; rows are found by `data-index`. */
export function useChosenRow<R>(scroller: RefObject<HTMLElement | null>, choosing: Choosing<R>): number {
  const { rows, rowHeight, keys, onOpen, onMove } = choosing;
  const [chosen, setChosen] = useState(-1);
  const at = Math.min(chosen, rows.length - 1);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, at + by));
    setChosen(next);
    const row = rows[next];
    if (row !== undefined) onMove?.(row);
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || at < 0) return;
    const head = element.querySelector("thead")?.getBoundingClientRect().height ?? 0;
    const [begin, end] = [at * rowHeight, (at + 1) * rowHeight + head];
    if (begin < element.scrollTop) element.scrollTop = begin;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
    const row = element.querySelector<HTMLElement>(`[data-index="${at}"]`);
    row?.focus({ preventScroll: true });
    // The list may itself be out of sight.
    row?.scrollIntoView({ block: "nearest" });
  }, [at]);
  useShortcuts(
    keys
      ? [
          { keys: "j", does: "next row", run: () => move(1) },
          { keys: "k", does: "row before", run: () => move(-1) },
          {
            keys: "Enter",
            does: "open the row",
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
