// How wide an element is, for pictures that are drawn to measure.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** 0 until it has been drawn once. */
export function useWidth<E extends Element>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const follow = () => setWidth(Math.round(measured.getBoundingClientRect().width));
    follow();
    const resized = new ResizeObserver(follow);
    resized.observe(measured);
    return () => resized.disconnect();
  }, []);
  return [element, width];
}
