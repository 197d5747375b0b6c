// `X-Stream-Position` of a list: where its stream continues without a gap.
import type { Listing } from "../../core/catalog/extension.ts";
import { streamPosition, timePosition } from "../../core/query/stream-position.ts";
import { maxSkewSeconds } from "../../live/feed.ts";
import type { StoreState } from "../../store/store.ts";
import type { Principal } from "../request/auth.ts";

export const streamPositionHeader = "x-stream-position";

/** Undefined for lists without a stream. */
export function positionOfList(
  listing: Listing,
  { delay }: Principal,
  { databaseId, position }: StoreState,
  now: number,
): string | undefined {
  if ("table" in listing) return undefined;
  if (delay === 0) return streamPosition(databaseId, position);
  // What the delay hides from the list is in the stream, later.
  return timePosition(databaseId, Math.floor(now / 60) * 60 - delay * 60 - maxSkewSeconds);
}
