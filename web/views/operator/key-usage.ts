// Usage by key, in total and by day.
import { addDays } from "../../format/day.ts";
import type { Usage } from "./administration.ts";

export type DayUsage = { readonly day: string; readonly requests: number; readonly limited: number };

export type KeyUsage = {
  readonly key: string;
  readonly requests: number;
  readonly records: number;
  readonly bytes: number;
  readonly errors: number;
  readonly limited: number;
  /** Every day, oldest first. */
  readonly days: readonly DayUsage[];
};

/** By requests, descending. */
export function usageByKey(usage: readonly Usage[], today: string, days: number): KeyUsage[] {
  const all = Array.from({ length: days }, (_, at) => addDays(today, at + 1 - days));
  return [...Map.groupBy(usage, ({ key }) => key)]
    .map(([key, rows]) => ({
      key,
      requests: sum(rows, "requests"),
      records: sum(rows, "records"),
      bytes: sum(rows, "bytes"),
      errors: sum(rows, "errors"),
      limited: sum(rows, "limited"),
      days: all.map((day) => {
        const ofDay = rows.filter((row) => row.day === day);
        return { day, requests: sum(ofDay, "requests"), limited: sum(ofDay, "limited") };
      }),
    }))
    .sort((a, b) => b.requests - a.requests);
}

type Amount = "requests" | "records" | "bytes" | "errors" | "limited";

const sum = (rows: readonly Usage[], amount: Amount): number => rows.reduce((total, row) => total + row[amount], 0);

/** Rate-limited usage, newest first. */
export const limitedUsage = (usage: readonly Usage[]): Usage[] =>
  usage
    .filter(({ limited }) => limited > 0)
    .toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : b.limited - a.limited));
