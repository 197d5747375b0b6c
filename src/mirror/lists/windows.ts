// Plans the backfill: windows of days from newest to oldest, sized by how many pages the last one took. Pure.
import { addDays } from "../../core/value/time-zone.ts";

/** Progress of the backfill. */
export type Backfill = {
  /** This day and all later ones have been read; undefined before the first window. */
  readonly downTo?: string;
  /** Everything has been read, down to the oldest record. */
  readonly bottom: boolean;
  /** Days in the next window. */
  readonly width: number;
  readonly windows: number;
};

/** Inclusive range of days; a missing end is open. */
export type DayWindow = { readonly from?: string; readonly to?: string };

export const newBackfill: Backfill = { bottom: false, width: 7, windows: 0 };

/** After a window of few pages the next is wider; after one of many pages, narrower. */
const fewPages = 3;
const manyPages = 12;
const maxWidth = 3650;

/** Windows that would begin before this day are open-ended: there is little data that old. */
const oldestBoundedDay = "1970-01-01";

const dayMs = 86_400_000;

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);

export const isFilled = ({ downTo, bottom }: Backfill, floor: string | undefined): boolean =>
  bottom || (floor !== undefined && downTo !== undefined && downTo <= floor);

/** The first window has no upper end, so it includes scheduled events. Undefined: the backfill is complete. */
export function nextWindow(back: Backfill, today: string, floor: string | undefined): DayWindow | undefined {
  if (isFilled(back, floor)) return undefined;
  const to = back.downTo === undefined ? undefined : addDays(back.downTo, -1);
  const from = addDays(to ?? today, 1 - back.width);
  const upper = to === undefined ? {} : { to };
  if (floor !== undefined && from <= floor) return { from: floor, ...upper };
  return from < oldestBoundedDay ? upper : { from, ...upper };
}

type WindowStats = { readonly pages: number; readonly records: number };

export function nextWidth(width: number, { pages, records }: WindowStats): number {
  const factor = records === 0 ? 4 : pages <= fewPages ? 2 : pages >= manyPages ? 0.5 : 1;
  return Math.min(Math.max(1, Math.floor(width * factor)), maxWidth);
}

export function afterWindow(back: Backfill, window: DayWindow, read: WindowStats): Backfill {
  return {
    ...(window.from === undefined ? {} : { downTo: window.from }),
    bottom: window.from === undefined,
    width: nextWidth(back.width, read),
    windows: back.windows + 1,
  };
}

/**
 * The newer half of a window that is too large; the older half is left for later. `newest` and `oldest` are the days of
 * records seen, for windows with an open end. Undefined: a single day can't be split.
 */
export function newerHalf(window: DayWindow, seen: { newest: string; oldest: string }): DayWindow | undefined {
  const to = window.to ?? seen.newest;
  // The oldest day seen may have more records than were seen.
  const from = window.from ?? addDays(seen.oldest, -1);
  const days = daysBetween(from, to) + 1;
  if (days < 2) return undefined;
  const half = addDays(to, 1 - Math.ceil(days / 2));
  return { from: half, ...(window.to === undefined ? {} : { to: window.to }) };
}

/** Number of windows left, if known. */
export function windowsLeft(back: Backfill, today: string, floor: string | undefined): number | undefined {
  if (isFilled(back, floor)) return 0;
  return floor === undefined ? undefined : Math.ceil(daysBetween(floor, back.downTo ?? addDays(today, 1)) / back.width);
}
