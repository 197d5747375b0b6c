// What keys have used, put together: by key over all days, with each day for itself.
import { addDays } from "../../format/day.ts";
import type { Usage } from "./administration.ts";

export type DayUse = { readonly day: string; readonly requests: number; readonly limited: number };

export type KeyUse = {
  readonly key: string;
  readonly requests: number;
  readonly records: number;
  readonly bytes: number;
  readonly errors: number;
  readonly limited: number;
  /** Every day, oldest first. */
  readonly days: readonly DayUse[];
};

/** Who has asked most comes first. */
export function usesByKey(usage: readonly Usage[], today: string, days: number): KeyUse[] {
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

/** Where a limit was met, the newest first. */
export const limitsMet = (usage: readonly Usage[]): Usage[] =>
  usage
    .filter(({ limited }) => limited > 0)
    .toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : b.limited - a.limited));
