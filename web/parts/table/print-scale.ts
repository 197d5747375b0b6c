// On paper, a table with more columns than fit is scaled down.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useMedia } from "../use-media.ts";

/** Of landscape Letter, the narrower of the common formats, in pixels. */
const paperWidth = 980;

export function usePrintScale(scroller: RefObject<HTMLElement | null>, rowCount: number, columnCount: number): void {
  const isPrinted = useMedia("print");
  useLayoutEffect(() => {
    const table = scroller.current?.querySelector("table");
    if (!isPrinted || !table) return;
    table.style.width = "min-content";
    const least = table.offsetWidth;
    table.style.width = "";
    table.style.zoom = String(Math.min(1, paperWidth / least));
    return () => {
      table.style.zoom = "";
    };
  }, [isPrinted, rowCount, columnCount]);
}
