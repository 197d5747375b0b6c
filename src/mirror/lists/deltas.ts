// From where changes are read next: a stamp that leaves room for records that become visible late. Pure.

/** Stamps are whole seconds, and a record may be seen later than its stamp: at least so much is read again. */
const overlap = 60;
/** As long as it fits half a page, and so costs no request, this much is read again. */
const longestOverlap = 1800;

export type Seen = {
  /** When the reading began, by the upstream's clock. */
  readonly began: number;
  /** Stamps of the records that were read. */
  readonly stamps: readonly number[];
};

/** A list is followed from a while before the first look at it. */
export const firstPosition = (began: number): number => Math.max(0, began - longestOverlap);

/** The position after all changes since the last one have been read; it never goes back. */
export function nextPosition(position: number, { began, stamps }: Seen, mostOnPage: number): number {
  // A stamp of the future would hide all that comes before it.
  const past = stamps.filter((stamp) => stamp <= began).sort((a, b) => b - a);
  const halfPage = past[Math.floor(mostOnPage / 2)] ?? 0;
  return Math.max(position, began - longestOverlap, Math.min(halfPage, (past[0] ?? 0) - overlap));
}
