// The timestamp from which changes are polled next, with an overlap for records that become visible late. Pure.

/** Seconds that are always read again: timestamps are whole seconds, and a record may appear later than its timestamp. */
const minOverlap = 60;
/** Seconds that are read again as long as they fit into half a page and so cost no extra request. */
const maxOverlap = 1800;

type PollStats = {
  /** When the poll began, by the upstream's clock. */
  readonly began: number;
  /** Timestamps of the records that were read. */
  readonly stamps: readonly number[];
};

/** The first poll starts somewhat before the mirror did. */
export const firstPosition = (began: number): number => Math.max(0, began - maxOverlap);

/** The position after a complete poll; it never decreases. */
export function nextPosition(position: number, { began, stamps }: PollStats, pageSize: number): number {
  // A timestamp in the future would hide everything before it.
  const past = stamps.filter((stamp) => stamp <= began).sort((a, b) => b - a);
  const halfPage = past[Math.floor(pageSize / 2)] ?? 0;
  return Math.max(position, began - maxOverlap, Math.min(halfPage, (past[0] ?? 0) - minOverlap));
}
