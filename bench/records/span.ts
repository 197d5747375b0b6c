// The ten years that the benchmark data covers, up to one fixed day, and where the n-th of many records lies in them.
import { dayOf, isTradingDay } from "../../demo/days.ts";

const lastDay = dayOf(2025, 1, 31);
const firstDay = lastDay - 3652;

/** Days on which something happens, oldest first. */
export const tradingDays: readonly number[] = Array.from(
  { length: lastDay - firstDay + 1 },
  (_, index) => firstDay + index,
).filter(isTradingDay);

/** A trading day after all of them. */
export const liveDay = lastDay + 3;

/** Records are spread evenly over the days, oldest first. */
export const dayAt = (place: number, count: number): number =>
  tradingDays[Math.floor((place / count) * tradingDays.length)] as number;

/** How much of its day's records stands before it, from 0 to 1. */
export const partOfDayAt = (place: number, count: number): number => ((place / count) * tradingDays.length) % 1;
