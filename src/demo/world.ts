// The demo world as seen on one day: its companies, the days it covers and the moment up to which facts are known.
import { companyRows } from "./companies.ts";
import { Company } from "./company.ts";
import { clockAt, dayInMonth, dayText, monthOf, newYorkSeconds, readDay, yearOf } from "./days.ts";
import { Draw } from "./draw.ts";

/** `now`, in Unix seconds, is how far the day has come; by default eight in the evening, New York. */
export type DemoOptions = { today: string; now?: number; seed?: number };

export type DemoRecord = Record<string, unknown>;

/** Said in every calendar record. */
export const syntheticNote = "Synthetic demo data";

export type World = {
  draw: Draw;
  companies: readonly Company[];
  /** First and last day of the calendars, both inclusive. */
  fromDay: number;
  toDay: number;
  today: number;
  /** Eight in the evening of today, New York: what lies after it has not happened. */
  now: number;
};

export function worldOn(options: DemoOptions): World {
  const today = readDay(options.today);
  // The rule of daylight saving time reaches back to 2007, the eight digits of news ids on to 2060.
  if (yearOf(today) < 2010 || yearOf(today) > 2060)
    throw new RangeError(`no demo data for the year of ${options.today}`);
  const draw = Draw.seeded(options.seed ?? 1);
  const month = yearOf(today) * 12 + monthOf(today) - 1;
  const dayOfMonth = Number(dayText(today).slice(8));
  return {
    draw,
    companies: companyRows.map((row, place) => new Company(row, place, draw)),
    fromDay: dayInMonth(month - 24, dayOfMonth),
    toDay: dayInMonth(month + 3, dayOfMonth),
    today,
    now: Math.min(options.now ?? Number.POSITIVE_INFINITY, newYorkSeconds(today, clockAt(20, 0))),
  };
}

/** The last of several moments that has come: a record shows its latest known change, and never one still to come. */
export function lastKnown(now: number, ...moments: number[]): number {
  let known = moments[0] ?? 0;
  for (const moment of moments) if (moment <= now && moment > known) known = moment;
  return known;
}
