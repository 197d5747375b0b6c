// Keeps what is shown fresh while it is looked at. An answer that is unchanged costs next to nothing.
import { useEffect, useRef } from "preact/hooks";

export function useRefresh(again: () => void, milliseconds: number, isWanted = true): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, isWanted]);
}
