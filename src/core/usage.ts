// Parameters of usage reports, shared by HTTP and the command line.
import { dayParameter, textParameter } from "./catalog/parameter.ts";
import type { ParameterError } from "./problem.ts";
import { addDays } from "./value/time-zone.ts";

const defaultDays = 30;
const maxDays = 366;

export const usageParameters = {
  from: dayParameter("from", `First day, in the service's time zone; by default ${defaultDays} days before the end`),
  to: dayParameter("to", "Last day; default today"),
  key: textParameter("key", "Name of a key; default all keys", "the name of a key", (name) => name, {
    valid: ["reader"],
    invalid: [],
  }),
};

type Days = { readonly from: string; readonly to: string };
export type RequestedDays = { readonly [name in keyof Days]?: Days[name] | undefined };

export function usageDays(requested: RequestedDays, today: string): Days | { readonly error: ParameterError } {
  const to = requested.to ?? today;
  const from = requested.from ?? addDays(to, 1 - defaultDays);
  const earliest = addDays(to, 1 - maxDays);
  if (from < earliest || from > to) {
    const expected = `a day from ${earliest} to ${to}: at most ${maxDays} days per request`;
    return { error: { parameter: "from", given: from, expected } };
  }
  return { from, to };
}
