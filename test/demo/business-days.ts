// Business days of the New York market, for tests that check each of them.
import { dayText, isTradingDay, readDay } from "../../demo/days.ts";

/** Both ends inclusive. */
export function businessDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = readDay(from); day <= readDay(to); day++) if (isTradingDay(day)) days.push(dayText(day));
  return days;
}
