// Which days are read next: windows from the newest day to the oldest, as wide as pages are full. Pure.
import { addDays } from "../../core/value/time-zone.ts";

/** How far the past has been read. */
export type Back = {
  /** Everything of this day and later has been read; undefined before the first window. */
  readonly downTo?: string;
  /** Everything has been read, however old. */
  readonly bottom: boolean;
  /** Days of the next window. */
  readonly width: number;
  readonly windows: number;
};

/** Days with both ends included; an end that is not given is open. */
export type Window = { readonly from?: string; readonly to?: string };

export const untouched: Back = { bottom: false, width: 7, windows: 0 };

/** A window that was read in fewer pages is followed by a wider one, one of more by a narrower one. */
const fewPages = 3;
const manyPages = 12;
const widest = 3650;

/** Before this day windows have no lower end: there is little. */
const longAgo = "1970-01-01";

const dayMs = 86_400_000;

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);

export const isFilled = ({ downTo, bottom }: Back, floor: string | undefined): boolean =>
  bottom || (floor !== undefined && downTo !== undefined && downTo <= floor);

/** The first window is open above: what is scheduled belongs to it. Undefined: nothing is left. */
export function nextWindow(back: Back, today: string, floor: string | undefined): Window | undefined {
  if (isFilled(back, floor)) return undefined;
  const to = back.downTo === undefined ? undefined : addDays(back.downTo, -1);
  const from = addDays(to ?? today, 1 - back.width);
  const upper = to === undefined ? {} : { to };
  if (floor !== undefined && from <= floor) return { from: floor, ...upper };
  return from < longAgo ? upper : { from, ...upper };
}

type Read = { readonly pages: number; readonly records: number };

export function nextWidth(width: number, { pages, records }: Read): number {
  const factor = records === 0 ? 4 : pages <= fewPages ? 2 : pages >= manyPages ? 0.5 : 1;
  return Math.min(Math.max(1, Math.floor(width * factor)), widest);
}

export function afterWindow(back: Back, window: Window, read: Read): Back {
  return {
    ...(window.from === undefined ? {} : { downTo: window.from }),
    bottom: window.from === undefined,
    width: nextWidth(back.width, read),
    windows: back.windows + 1,
  };
}

/**
 * The newer half of a window that is too large; the older half is left for later. `newest` and `oldest` are days that
 * records were seen of, for windows with an open end. Undefined: a single day can't be split.
 */
export function newerHalf(window: Window, seen: { newest: string; oldest: string }): Window | undefined {
  const to = window.to ?? seen.newest;
  // The oldest day that was seen may have more than was seen of it.
  const from = window.from ?? addDays(seen.oldest, -1);
  const days = daysBetween(from, to) + 1;
  if (days < 2) return undefined;
  const half = addDays(to, 1 - Math.ceil(days / 2));
  return { from: half, ...(window.to === undefined ? {} : { to: window.to }) };
}

/** Windows that are left to read, as far as can be told. */
export function windowsLeft(back: Back, today: string, floor: string | undefined): number | undefined {
  if (isFilled(back, floor)) return 0;
  return floor === undefined ? undefined : Math.ceil(daysBetween(floor, back.downTo ?? addDays(today, 1)) / back.width);
}
