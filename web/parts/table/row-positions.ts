// Positions of the rows of a list, and of the bands between them, such as the name of a day.
import type { ComponentChildren } from "preact";

/** Full-width line before a row. */
export type Band = {
  readonly id: string;
  readonly content: ComponentChildren;
  readonly class?: string;
  /** Stays at the top while the rows below it scroll, until the next one. */
  readonly sticks?: true;
};

/** By the index of the row that follows; by the number of rows, after the last one. */
export type Bands = ReadonlyMap<number, readonly Band[]>;

/** In pixels, as in the style sheet. */
export const bandHeight = 30;

/** Where each row starts, including its bands, and last the height of all. */
export function topsOf(count: number, rowHeight: number, bands?: Bands): number[] {
  const tops = [0];
  for (let index = 0, top = 0; index < count; index++) {
    top += rowHeight + (bands?.get(index)?.length ?? 0) * bandHeight;
    tops.push(top);
  }
  return tops;
}

/** The band that sticks to the top if the rendered rows start at this one: that of an earlier row. */
export function stuckBand(bands: Bands | undefined, from: number): Band | undefined {
  let stuck: Band | undefined;
  for (const [index, before] of bands ?? []) {
    if (index < from) stuck = before.find(({ sticks }) => sticks) ?? stuck;
  }
  return stuck;
}
