// The news id of an item of a feed: the same at every fetch, and never that of another record.
import { hash } from "node:crypto";
import type { Resource } from "../core/catalog/resource.ts";
import { maxPacked } from "../core/catalog/scalar-fields.ts";
import type { Row } from "../core/record/row.ts";
import type { Store } from "../store/store.ts";
import type { Item } from "./parse/item.ts";

/** The content type of everything that feeds bring: a record without it was written by somebody else. */
export const feedContentType = "feed";

export type Identity = {
  readonly id: number;
  /** Unix seconds at which the item was seen for the first time. */
  readonly firstSeen: number;
  /** The record as it is now. */
  readonly stored: Row | undefined;
  /** Whether the item has been written under this id before: if it is not there, somebody has removed it. */
  readonly confirmed: boolean;
};

/** What stands for an item of a feed in notes: 128 bits that no two items share. */
export const fingerprint = (feed: string, key: string): string =>
  hash("sha256", `${feed}\n${key}`, "base64url").slice(0, 22);

/** The ids that an item would have, the first one first. 32 bits are few: among 77,000 items two share one, as likely as not. */
export function candidateId(print: string, n: number): number {
  const bits = Number.parseInt(hash("sha256", n === 0 ? print : `${print} ${n}`, "hex").slice(0, 8), 16);
  return (bits % maxPacked) + 1;
}

const itemNote = (print: string): string => `feed item ${print}`;
const idNote = (id: number): string => `feed id ${id}`;

/**
 * Two notes hold what an item is. That of the id says whose it is; only one can claim it, also of several processes. That
 * of the item says its id, so that it stays when others come and go; it is made by `settle`, once the item is written.
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
      // Another process was faster; it may have been for the same item.
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

/** Whether a record that nobody claims is this item: it may have come with an export, where notes do not go. */
function isSameItem(row: Row, { url, title, date }: Pick<Item, "title" | "url" | "date">): boolean {
  return (url !== "" && row.url === url) || (row.title === title && row.created === date);
}
