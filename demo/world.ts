// The demo world as seen on one day: its companies, the days it covers and the moment up to which facts are known.

import { reportSlots } from "./calendars/report-slots.ts";
import { companyRows } from "./companies/companies.ts";
import { Company } from "./companies/company.ts";
import { type Opinion, opinionsOn } from "./companies/coverage.ts";
import { clockAt, dayInMonth, dayText, monthOf, newYorkSeconds, readDay, yearOf } from "./days.ts";
import { Draw } from "./draw.ts";

export type DemoOptions = {
  today: string;
  /** How far the day has come, in Unix seconds; by default eight in the evening, New York. */
  now?: number;
  seed?: number;
  /** First day to generate; by default two years back. A shorter span gives the same records, but fewer. */
  from?: string;
};

export type DemoRecord = Record<string, unknown>;

/** Writes one record out. Its number is known, and an order found, before that is done. */
export type Telling = () => DemoRecord;

/** Said in every calendar record. */
export const syntheticNote = "Synthetic demo data";

export type World = {
  draw: Draw;
  companies: readonly Company[];
  /** Every opinion up to today, gathered once: ratings and news both tell of them. */
  opinions: () => readonly Opinion[];
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
  const slots = reportSlots(companyRows);
  const companies = companyRows.map((row, place) => new Company(row, place, draw, slots.get(row[0])));
  const fromDay = options.from === undefined ? dayInMonth(month - 24, dayOfMonth) : readDay(options.from);
  let opinions: readonly Opinion[] | undefined;
  return {
    draw,
    companies,
    opinions: () => {
      opinions ??= [...opinionsOn(companies, draw, fromDay, today)];
      return opinions;
    },
    fromDay,
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
