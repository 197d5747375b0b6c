// History of a record as data: the figures of a series, and how many sources were in each group over time.
import type { Display } from "../../../src/core/catalog/display.ts";
import { addDays } from "../../format/day.ts";
import { type Item, textOf } from "../../format/item.ts";
import { numberOf } from "../../format/number.ts";

export type Series = NonNullable<Display["history"]>;
export type Distribution = NonNullable<Display["distribution"]>;
export type Figure = Series["figures"][number];

export type Point = {
  readonly record: Item;
  readonly day: string;
  readonly period: string;
  readonly value: number | undefined;
  readonly expected: number | undefined;
};

/** Oldest first, without records that have neither figure. */
export function pointsOf(series: Series, { value, expected }: Figure, of: Item, records: readonly Item[]): Point[] {
  return records
    .filter((record) => series.same.every((field) => textOf(record[field]) === textOf(of[field])))
    .map((record) => ({
      record,
      day: textOf(record.date),
      period: series.period
        .map((field) => textOf(record[field]))
        .join(" ")
        .trim(),
      value: numberOf(record[value]),
      expected: numberOf(record[expected]),
    }))
    .filter((point) => point.value !== undefined || point.expected !== undefined)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

export type Counts = { readonly day: string; readonly counts: readonly number[] };

/** At the end of each month from the first record on, and today. */
export function countsOf(distribution: Distribution, records: readonly Item[], today: string): Counts[] {
  const { field, groups, source, days, ends } = distribution;
  const oldestFirst = records
    .map((record) => ({
      day: textOf(record.date),
      time: `${textOf(record.date)} ${textOf(record.time)}`,
      source: source.map((each) => textOf(record[each])).find((each) => each !== "") ?? "",
      group: ends.values.includes(textOf(record[ends.field])) ? "" : textOf(record[field]),
    }))
    .filter((each) => each.day !== "" && each.day <= today)
    .sort((a, b) => (a.time < b.time ? -1 : 1));
  const first = oldestFirst[0]?.day;
  if (first === undefined) return [];
  const latest = new Map<string, { readonly day: string; readonly group: string }>();
  let at = 0;
  return [...monthEnds(first, today), today].map((day) => {
    for (; at < oldestFirst.length && (oldestFirst[at]?.day ?? "") <= day; at++) {
      const record = oldestFirst[at];
      if (record !== undefined) latest.set(record.source, record);
    }
    const from = addDays(day, -days);
    const current = [...latest.values()].filter((each) => each.day > from);
    return { day, counts: groups.map((group) => current.filter((each) => each.group === group).length) };
  });
}

/** Days before today. */
function monthEnds(first: string, today: string): string[] {
  const days: string[] = [];
  let [year = 0, month = 0] = first.split("-").map(Number);
  for (;;) {
    month = month === 12 ? 1 : month + 1;
    if (month === 1) year++;
    const day = addDays(`${year}-${String(month).padStart(2, "0")}-01`, -1);
    if (day >= today) return days;
    days.push(day);
  }
}
