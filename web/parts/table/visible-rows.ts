// Virtual scrolling: which rows of a long list are rendered.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { useMedia } from "../use-media.ts";

export type VisibleRows = {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** First visible row. */
  readonly top: number;
};

/** Rows rendered beyond each edge, so that scrolling shows no gaps. */
const overscan = 12;
/** Shorter lists are rendered completely, so that the browser's search works. */
export const virtualizeAbove = 60;

/** Index of the row at a position, by the tops of all rows in ascending order. */
function rowAt(tops: readonly number[], position: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] as number) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** `tops` has the position of each row, and last the height of all. */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, tops: readonly number[]): VisibleRows {
  const count = tops.length - 1;
  const [viewport, setViewport] = useState({ top: 0, bottom: virtualizeAbove - overscan });
  const update = () => {
    const element = scroller.current;
    if (element === null) return;
    const top = rowAt(tops, element.scrollTop);
    const bottom = rowAt(tops, element.scrollTop + element.clientHeight) + 1;
    setViewport((before) => (before.top === top && before.bottom === bottom ? before : { top, bottom }));
  };
  const isPrinted = useMedia("print");
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(update);
    resized.observe(element);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [tops]);
  useLayoutEffect(update, [tops]);
  const top = Math.min(viewport.top, Math.max(0, count - 1));
  if (count <= virtualizeAbove || isPrinted) return { from: 0, to: count, top };
  return { from: Math.max(0, top - overscan), to: Math.min(count, viewport.bottom + overscan), top };
}
