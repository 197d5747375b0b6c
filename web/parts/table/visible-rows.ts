// Which rows of a long list are drawn: those in sight and some around them. All rows are equally high.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

export type Span = {
  readonly from: number;
  /** The row after the last one. */
  readonly to: number;
  /** The first row in sight. */
  readonly top: number;
};

/** Rows drawn beyond each edge, so that a turn of the wheel meets no blank. */
const around = 12;
/** Up to so many, all are drawn: a browser can then find words in them. */
const few = 60;

export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): Span {
  const [sight, setSight] = useState({ top: 0, rows: few - around });
  const follow = () => {
    const element = scroller.current;
    if (element === null) return;
    const top = Math.floor(element.scrollTop / rowHeight);
    const rows = Math.ceil(element.clientHeight / rowHeight);
    setSight((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
  };
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(follow);
    resized.observe(element);
    element.addEventListener("scroll", follow, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", follow);
    };
  }, []);
  useLayoutEffect(follow, [count]);
  const top = Math.min(sight.top, Math.max(0, count - 1));
  if (count <= few) return { from: 0, to: count, top };
  return { from: Math.max(0, top - around), to: Math.min(count, top + sight.rows + around), top };
}
