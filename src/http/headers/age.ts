// Stale data: the `Age` header, and 503 once the data is older than the settings allow.
import type { Staleness } from "../../store/store.ts";
import { unavailable } from "../error-handler.ts";
import { ProblemError } from "../response/problem-error.ts";

const none: readonly string[] = [];

/** Alternating names and values; throws if the data is too old to be served. */
export function ageHeader(staleness: Staleness | undefined): readonly string[] {
  if (staleness === undefined) return none;
  const { seconds, limit, isTooOld } = staleness;
  if (isTooOld)
    throw new ProblemError(
      unavailable(
        `The primary database is unreachable. The data was last known to be current ${seconds} seconds ago; the limit is ${limit}.`,
      ),
    );
  return ["age", String(seconds)];
}
