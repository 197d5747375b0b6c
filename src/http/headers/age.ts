// What is said of a state that nothing confirms: the header `Age`, and 503 where it is older than the setting allows.
import type { Staleness } from "../../store/store.ts";
import { unavailable } from "../error-handler.ts";
import { ProblemError } from "../response/problem-error.ts";

const none: readonly string[] = [];

/** Header fields, names and values in turn; throws where the state is too old to be served. */
export function ageFields(staleness: Staleness | undefined): readonly string[] {
  if (staleness === undefined) return none;
  const { seconds, limit, isTooOld } = staleness;
  if (isTooOld)
    throw new ProblemError(
      unavailable(
        `The primary database can't be reached. The data was last known to be current ${seconds} seconds ago, and at most ${limit} are allowed.`,
      ),
    );
  return ["age", String(seconds)];
}
