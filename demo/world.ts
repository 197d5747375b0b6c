// The demo world as of one day: its companies, the days it covers, and the time up to which facts are known.

import { reportSlots } from "./calendars/report-slots.ts";
import { companyRows } from "./companies/companies.ts";
import { Company } from "./companies/company.ts";
import { type Opinion, opinionsOn } from "./companies/coverage.ts";
import { clockAt, dayInMonth, dayText, monthOf, newYorkSeconds, readDay, yearOf } from "./days.ts";
import { Draw } from "./draw.ts";

export type DemoOptions = {
  today: string;
  /** Time of day in Unix seconds; by default 8 p.m. in New York. */
  now?: number;
  seed?: number;
  /** First day to generate; by default two years back. A shorter span yields a subset of the same records. */
  from?: string;
};

export type DemoRecord = Record<string, unknown>;

/** Creates one record; records are counted and sorted before that. */
export type LazyRecord = () => DemoRecord;

/** In every calendar record. */
export const syntheticNote = "Synthetic demo data";

export type World = {
  draw: Draw;
  companies: readonly Company[];
  /** Every opinion up to today, collected once for ratings and news. */
  opinions: () => readonly Opinion[];
  /** First and last day of the calendars, both inclusive. */
  fromDay: number;
  toDay: number;
  today: number;
  /** 8 p.m. today in New York at the latest: nothing after it has happened yet. */
  now: number;
};

export function worldOn(options: DemoOptions): World {
  const today = readDay(options.today);
  // The daylight saving rule is valid from 2007, and eight digits of news IDs last until 2060.
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

/** The latest of several times that isn't in the future: a record shows its latest known change. */
export function lastKnown(now: number, ...moments: number[]): number {
  let known = moments[0] ?? 0;
  for (const moment of moments) if (moment <= now && moment > known) known = moment;
  return known;
}
