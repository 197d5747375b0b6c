// Guidance compared with results: one row per guidance record and measure.

import { type Item, textOf } from "../../format/item.ts";
import { numberOf } from "../../format/number.ts";
import { type Domain, domainOf } from "../../format/scale.ts";
import { isPeriod, partsOf, periodText } from "./periods.ts";

export type Measure = "eps" | "revenue";

export type Result = {
  readonly value: number;
  /** Whether it is the sum of shorter periods. */
  readonly isSum: boolean;
};

export type GuidanceRow = {
  readonly id: string;
  readonly record: Item;
  readonly measure: Measure;
  readonly period: string;
  readonly low: number;
  readonly high: number;
  readonly estimate: number | undefined;
  readonly result: Result | undefined;
  /** The result compared with the guided range. */
  readonly verdict: "above" | "within" | "below" | undefined;
  /** Shared by all guidance on the same period. */
  readonly domain: Domain;
};

const measures: readonly Measure[] = ["eps", "revenue"];

/** In the order of the guidance records. */
export function guidanceRows(guidance: readonly Item[], earnings: readonly Item[]): GuidanceRow[] {
  const entries = guidance.flatMap((record) => measures.flatMap((measure) => entryOf(record, measure, earnings)));
  const groups = Map.groupBy(entries, ({ measure, period }) => `${measure} ${period}`);
  return entries.map((entry) => {
    const group = groups.get(`${entry.measure} ${entry.period}`) ?? [];
    const values = group.flatMap(({ low, high, estimate, result }) => [low, high, estimate, result?.value]);
    return { ...entry, domain: domainOf(values.filter((value) => value !== undefined)) };
  });
}

function entryOf(record: Item, measure: Measure, earnings: readonly Item[]): Omit<GuidanceRow, "domain">[] {
  const end = (name: string): number | undefined => numberOf(record[`${measure}_guidance_${name}`]);
  const low = end("min") ?? end("max");
  const high = end("max") ?? low;
  if (low === undefined || high === undefined) return [];
  const result = resultOf(record, measure, earnings);
  return [
    {
      id: `${textOf(record.id)} ${measure}`,
      record,
      measure,
      period: periodText(record.period, record.period_year),
      low,
      high,
      estimate: end("est"),
      result,
      verdict: result === undefined ? undefined : verdictOf(result.value, low, high),
    },
  ];
}

const verdictOf = (value: number, low: number, high: number): "above" | "within" | "below" =>
  value > high ? "above" : value < low ? "below" : "within";

/** As reported for the period, or the sum of its quarters if all are reported. */
function resultOf({ period, period_year }: Item, measure: Measure, earnings: readonly Item[]): Result | undefined {
  if (textOf(period) === "" || !(Number(period_year) > 0)) return undefined;
  const reported = (name: string): number | undefined =>
    numberOf(earnings.find((each) => isPeriod(each, name, period_year))?.[measure]);
  const whole = reported(textOf(period));
  if (whole !== undefined) return { value: whole, isSum: false };
  const parts = partsOf(textOf(period)).map(reported);
  if (parts.length === 0) return undefined;
  let sum = 0;
  for (const part of parts) {
    if (part === undefined) return undefined;
    sum += part;
  }
  return { value: Number(sum.toPrecision(12)), isSum: true };
}
