// The ten years that the benchmark data covers, and the position of the nth record in them.
import { dayOf, isTradingDay } from "../../demo/days.ts";

const lastDay = dayOf(2025, 1, 31);
const firstDay = lastDay - 3652;

/** Days with records, oldest first. */
export const tradingDays: readonly number[] = Array.from(
  { length: lastDay - firstDay + 1 },
  (_, index) => firstDay + index,
).filter(isTradingDay);

/** A trading day after all of them. */
export const liveDay = lastDay + 3;

/** Records are spread evenly over the days, oldest first. */
export const dayAt = (place: number, count: number): number =>
  tradingDays[Math.floor((place / count) * tradingDays.length)] as number;

/** Fraction of the day's records before it, from 0 to 1. */
export const partOfDayAt = (place: number, count: number): number => ((place / count) * tradingDays.length) % 1;
