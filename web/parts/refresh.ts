// Refetches periodically while the page is visible.
import { useEffect, useRef } from "preact/hooks";

export function useRefresh(refetch: () => void, milliseconds: number, isEnabled = true): void {
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => {
    if (!isEnabled) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, isEnabled]);
}
