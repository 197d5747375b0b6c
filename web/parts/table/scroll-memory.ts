// Restores the scroll position of a list when the user goes back.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const positions = new Map<string, number>();

/** Without a key, nothing is restored. */
export function useScrollMemory(
  scroller: RefObject<HTMLElement | null>,
  scrollKey: string | undefined,
  isFilled: boolean,
  /** Position to show a third of the way down, the first time. */
  start = 0,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || scrollKey === undefined || !isFilled) return;
    element.scrollTop = positions.get(scrollKey) ?? start - element.clientHeight / 3;
    const remember = () => positions.set(scrollKey, element.scrollTop);
    element.addEventListener("scroll", remember, { passive: true });
    return () => element.removeEventListener("scroll", remember);
  }, [scrollKey, isFilled]);
}
