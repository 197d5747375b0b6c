// Whether a media query matches.
import { useEffect, useState } from "preact/hooks";

export function useMedia(query: string): boolean {
  const { matches } = window.matchMedia(query);
  const [, setMatches] = useState(matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const update = () => setMatches(list.matches);
    update();
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  }, [query]);
  // Not the state, which would lag behind a query that has changed.
  return matches;
}
