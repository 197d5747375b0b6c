// Retention of the change log: which of its oldest entries are pruned, the same for both databases.
import type { RetentionCutoff } from "../store.ts";

/** Selects the oldest entries, except the last one of the log. */
export const oldestEntriesSql = (limit: string): string =>
  `select seq, at from change where seq < (select max(seq) from change) order by seq limit ${limit}`;

/** How many of them to prune, and the oldest position to resume from after that. */
export function prunable(
  oldest: readonly { readonly [column: string]: unknown }[],
  cutoff: RetentionCutoff,
  limit: number,
): { readonly entries: number; readonly position: number } {
  // Up to the first retained entry, even if a later one has an older time because a clock was set back.
  const firstRetained = oldest.findIndex(({ seq, at }) =>
    "upTo" in cutoff ? Number(seq) > cutoff.upTo : Number(at) >= cutoff.before,
  );
  const entries = firstRetained === -1 ? oldest.length : firstRetained;
  // A log copied from another database may have been pruned there.
  const prunedBefore = "upTo" in cutoff && entries < limit ? cutoff.upTo : 0;
  return { entries, position: Math.max(Number(oldest[entries - 1]?.seq ?? 0), prunedBefore) };
}
