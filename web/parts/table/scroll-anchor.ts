// Keeps the visible rows where they are when rows are inserted or removed above them.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** `tops` are the positions of the rows. */
export function useScrollAnchor<R>(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly R[],
  tops: readonly number[],
  idOf: (row: R) => string,
): void {
  const before = useRef({ rows, tops });
  useLayoutEffect(() => {
    const element = scroller.current;
    const previous = before.current;
    before.current = { rows, tops };
    if (element === null || element.scrollTop === 0 || previous.rows === rows) return;
    const top = previous.tops.findLastIndex((each) => each <= element.scrollTop);
    const anchor = previous.rows[top];
    const now = rows[top];
    if (anchor === undefined || (now !== undefined && idOf(now) === idOf(anchor))) return;
    const id = idOf(anchor);
    const at = rows.findIndex((row) => idOf(row) === id);
    if (at > 0) element.scrollTop += (tops[at] ?? 0) - (previous.tops[top] ?? 0);
  }, [rows]);
}
