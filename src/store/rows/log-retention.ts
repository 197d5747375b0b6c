// Which of the oldest lines of the change log are forgotten: what both databases decide alike.
import type { RetentionCutoff } from "../store.ts";

/** The oldest lines, as many as may go at once; the last line of the log is not among them. */
export const oldestLines = (limit: string): string =>
  `select seq, at from change where seq < (select max(seq) from change) order by seq limit ${limit}`;

/** How many of them go, and the position that can be followed from then on. */
export function forgettable(
  oldest: readonly { readonly [column: string]: unknown }[],
  forgotten: RetentionCutoff,
  most: number,
): { readonly lines: number; readonly position: number } {
  // Up to the first line that stays, wherever the clock may have stood when later ones were written.
  const kept = oldest.findIndex(({ seq, at }) =>
    "upTo" in forgotten ? Number(seq) > forgotten.upTo : Number(at) >= forgotten.before,
  );
  const lines = kept === -1 ? oldest.length : kept;
  // A log that was taken over may have lost lines that never were here.
  const known = "upTo" in forgotten && lines < most ? forgotten.upTo : 0;
  return { lines, position: Math.max(Number(oldest[lines - 1]?.seq ?? 0), known) };
}
