// Virtual scrolling: which rows of a long list are rendered. All rows have the same height.
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
const virtualizeAbove = 60;

export function useVisibleRows(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): VisibleRows {
  const [viewport, setViewport] = useState({ top: 0, rows: virtualizeAbove - overscan });
  const update = () => {
    const element = scroller.current;
    if (element === null) return;
    const top = Math.floor(element.scrollTop / rowHeight);
    const rows = Math.ceil(element.clientHeight / rowHeight);
    setViewport((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
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
  }, []);
  useLayoutEffect(update, [count]);
  const top = Math.min(viewport.top, Math.max(0, count - 1));
  if (count <= virtualizeAbove || isPrinted) return { from: 0, to: count, top };
  return { from: Math.max(0, top - overscan), to: Math.min(count, top + viewport.rows + overscan), top };
}
