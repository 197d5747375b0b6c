// Columns that fit into a table: where there isn't room for all of them, the least important ones are left out.
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useMedia } from "../use-media.ts";

/** Padding of a cell, on each side, as in the style sheet. */
const cell = 10;

type Space = { readonly width: number; readonly character: number };

/** Width of each column in characters. */
type WidthOf<C> = (column: C) => number;

type Named = { readonly name: string };

/** With the column that opens a row. */
export const leastWidth = <C>(columns: readonly C[], widthOf: WidthOf<C>): readonly [number, number] => [
  columns.reduce((sum, column) => sum + widthOf(column), 0),
  2 * columns.length + 4,
];

/** Without those of the optional columns that don't fit, the first one first. */
export function fitting<C extends Named>(
  columns: readonly C[],
  optional: readonly string[],
  { width, character }: Space,
  widthOf: WidthOf<C>,
): readonly C[] {
  let shown = columns;
  for (const name of optional) {
    const [characters, paddings] = leastWidth(shown, widthOf);
    if (characters * character + paddings * cell <= width) break;
    shown = shown.filter((column) => column.name !== name);
  }
  return shown;
}

/** On paper, all columns: there, the table is scaled down. */
export function useFittingColumns<C extends Named>(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly C[],
  optional: readonly string[],
  widthOf: WidthOf<C>,
): readonly C[] {
  const isPrinted = useMedia("print");
  const [space, setSpace] = useState<Space>();
  const isNeeded = optional.length > 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !isNeeded) return;
    const update = () => setSpace({ width: element.clientWidth, character: characterWidth(element) });
    update();
    const resized = new ResizeObserver(update);
    resized.observe(element);
    return () => resized.disconnect();
  }, [isNeeded]);
  return space === undefined || isPrinted ? columns : fitting(columns, optional, space, widthOf);
}

/** Of the unit `ch`, in pixels. */
function characterWidth(element: HTMLElement): number {
  const probe = document.createElement("div");
  probe.style.width = "10ch";
  element.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width / 10;
}
