// News IDs of feed items: the same at every poll, and never that of another record.
import type { Resource } from "../core/catalog/resource.ts";
import { maxPacked } from "../core/catalog/scalar-fields.ts";
import { candidateId as integerId, fingerprint as textFingerprint } from "../core/record/derived-id.ts";
import type { Row } from "../core/record/row.ts";
import type { Store } from "../store/store.ts";
import type { Item } from "./parse/item.ts";

/** Content type of all feed items: a record without it has another source. */
export const feedContentType = "feed";

export type Identity = {
  readonly id: number;
  /** Unix seconds. */
  readonly firstSeen: number;
  /** The current record. */
  readonly stored: Row | undefined;
  /** Whether the item was written before: if its record is missing, it was removed. */
  readonly confirmed: boolean;
};

/** 128-bit fingerprint of an item. */
export const fingerprint = (feed: string, key: string): string => textFingerprint(`${feed}\n${key}`);

/** Candidate IDs in order of preference. */
export const candidateId = (print: string, n: number): number => integerId(print, n, maxPacked);

const itemNote = (print: string): string => `feed item ${print}`;
const idNote = (id: number): string => `feed id ${id}`;

/**
 * Two metadata entries per item: one by ID, which only one item can claim, even across processes, and one by item, so that
 * its ID is permanent; that one is written after the item.
 */
export async function identify(
  store: Store,
  resource: Resource,
  feed: string,
  item: Pick<Item, "key" | "title" | "url" | "date">,
  now: number,
): Promise<Identity> {
  const print = fingerprint(feed, item.key);
  const [known, seen] = (await store.getMetadata(itemNote(print)))?.split(" ").map(Number) ?? [];
  const firstSeen = seen ?? now;
  if (known !== undefined) {
    const stored = await recordOf(store, resource, known);
    if (stored === undefined || isFeedRecord(stored)) return { id: known, firstSeen, stored, confirmed: true };
  }
  for (let n = 0; ; n++) {
    const id = candidateId(print, n);
    const owner = await store.getMetadata(idNote(id));
    if (owner !== undefined && owner !== print) continue;
    const stored = await recordOf(store, resource, id);
    const mine = stored === undefined || (isFeedRecord(stored) && (owner === print || isSameItem(stored, item)));
    if (!mine) continue;
    if (owner === undefined && !(await store.setMetadataIfAbsent(idNote(id), print))) {
      // Another process was faster, maybe with the same item.
      if ((await store.getMetadata(idNote(id))) !== print) continue;
    }
    return { id, firstSeen, stored, confirmed: false };
  }
}

export const confirmIdentity = (store: Store, feed: string, key: string, { id, firstSeen }: Identity): Promise<void> =>
  store.setMetadata(itemNote(fingerprint(feed, key)), `${id} ${firstSeen}`);

async function recordOf(store: Store, resource: Resource, id: number): Promise<Row | undefined> {
  const [row] = await store.rowsOf(resource, [String(id)]);
  return row;
}

const isFeedRecord = (row: Row): boolean => row.content_type === feedContentType;

/** Whether an unclaimed record is this item: exports don't include metadata. */
function isSameItem(row: Row, { url, title, date }: Pick<Item, "title" | "url" | "date">): boolean {
  return (url !== "" && row.url === url) || (row.title === title && row.created === date);
}
