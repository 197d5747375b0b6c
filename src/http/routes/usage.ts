// Usage by day, key, and resource.
import { invalidParameters } from "../../core/problem.ts";
import { usageDays } from "../../core/usage.ts";
import { localDay } from "../../core/value/time-zone.ts";
import type { usageEndpoints } from "../../endpoints/usage.ts";
import type { Store } from "../../store/store.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Handlers } from "./endpoints.ts";

export type UsageDeps = {
  readonly store: Store;
  /** Writes usage that has been counted but not written. */
  readonly flushUsage: () => Promise<unknown>;
  /** Unix seconds. */
  readonly now: () => number;
};

export const usageHandlers = ({ store, flushUsage, now }: UsageDeps): Handlers<typeof usageEndpoints.endpoints> => ({
  readUsage: async ({ state, values }) => {
    const days = usageDays(values, localDay(state.rendering.zone, now()));
    if ("error" in days) throw new ProblemError(invalidParameters("request.parameters", [days.error]));
    await flushUsage();
    return { body: { usage: await store.usage({ ...days, key: values.key }) } };
  },
});
