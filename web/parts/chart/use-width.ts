// Width of an element, for charts.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** 0 until the first render. */
export function useWidth<E extends Element>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const update = () => setWidth(Math.round(measured.getBoundingClientRect().width));
    update();
    const resized = new ResizeObserver(update);
    resized.observe(measured);
    return () => resized.disconnect();
  }, []);
  return [element, width];
}
