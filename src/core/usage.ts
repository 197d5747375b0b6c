// What may be asked of the use of keys, over HTTP and on the command line alike.
import { dayInput, freeText } from "./catalog/parameter.ts";
import type { Mistake } from "./problem.ts";
import { addDays } from "./value/time-zone.ts";

export const usagePath = "/admin/v1/usage";

/** Days of one answer: unless it is said, and at most. */
const usualDays = 30;
const mostDays = 366;

export const usageInputs = {
  from: dayInput("from", `First day, in the service's zone; ${usualDays} days up to the last one unless given`),
  to: dayInput("to", "Last day; today unless given"),
  key: freeText("key", "Name of a key; all keys unless given", "the name of a key", (name) => name, {
    good: ["reader"],
    bad: [],
  }),
};

export type Days = { readonly from: string; readonly to: string };
export type GivenDays = { readonly [name in keyof Days]?: Days[name] | undefined };

/** The days that are asked for, by those that were given. */
export function usageDays(given: GivenDays, today: string): Days | { readonly mistake: Mistake } {
  const to = given.to ?? today;
  const from = given.from ?? addDays(to, 1 - usualDays);
  const earliest = addDays(to, 1 - mostDays);
  if (from < earliest || from > to) {
    const expected = `a day from ${earliest} to ${to}: at most ${mostDays} days are answered at once`;
    return { mistake: { parameter: "from", given: from, expected } };
  }
  return { from, to };
}
