// Going back shows a list where it was left.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const positions = new Map<string, number>();

/** Under the name; nothing is remembered without one. */
export function useScrollMemory(
  scroller: RefObject<HTMLElement | null>,
  memory: string | undefined,
  isFilled: boolean,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || memory === undefined || !isFilled) return;
    element.scrollTop = positions.get(memory) ?? 0;
    const remember = () => positions.set(memory, element.scrollTop);
    element.addEventListener("scroll", remember, { passive: true });
    return () => element.removeEventListener("scroll", remember);
  }, [memory, isFilled]);
}
