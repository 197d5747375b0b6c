// What the servers under check have: in `npm test` a sample of the demo, so that checks take less time; in
// the long run all of it.
import { demoParts } from "../../demo/demo.ts";
import { camel } from "../../src/docs/client-types.ts";
import type { StartOptions } from "../../testing/index.ts";
import { isLong } from "../support/budget.ts";

/** The default time of test servers, and the days around it. */
const now = Date.parse("2026-01-15T12:00:00Z") / 1000;
const [from, today, last] = ["2026-01-08", "2026-01-15", "2026-01-22"];

/** Of each list, evenly over the days. */
const perList = 80;

const dayOf = ({ date }: Readonly<Record<string, unknown>>): string => String(date ?? "");

let made: StartOptions["records"];

export function demoSample(): Pick<StartOptions, "records"> {
  if (isLong) return {};
  made ??= Object.fromEntries(
    [...demoParts({ today, now, from })].map(({ resource, records }) => {
      const all = [...records].filter((record) => dayOf(record) <= last);
      const step = Math.max(1, Math.floor(all.length / perList));
      return [camel(resource), all.filter((_, at) => at % step === 0)];
    }),
  );
  return { records: made };
}
