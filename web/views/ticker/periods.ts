// Fiscal periods.
import { type Item, textOf } from "../../format/item.ts";

/** `Q2 2026`, without unknown parts. */
export const periodText = (period: unknown, year: unknown): string =>
  [textOf(period), Number(year) > 0 ? textOf(year) : ""].filter((each) => each !== "").join(" ");

/** `Q2 ’26`. */
export const shortPeriod = (period: unknown, year: unknown): string =>
  [textOf(period), Number(year) > 0 ? `’${textOf(year).slice(-2)}` : ""].filter((each) => each !== "").join(" ");

/** Quarters of longer periods. */
const made: Readonly<Record<string, readonly string[]>> = {
  FY: ["Q1", "Q2", "Q3", "Q4"],
  H1: ["Q1", "Q2"],
  H2: ["Q3", "Q4"],
};

export const partsOf = (period: string): readonly string[] => made[period.toUpperCase()] ?? [];

export const isPeriod = (record: Item, period: string, year: unknown): boolean =>
  textOf(record.period).toUpperCase() === period.toUpperCase() && Number(record.period_year) === Number(year);

export const oldestFirst = (records: readonly Item[]): Item[] =>
  records.toSorted((a, b) => (textOf(a.date) < textOf(b.date) ? -1 : 1));
