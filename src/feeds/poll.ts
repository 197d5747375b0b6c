// One poll of a feed: fetches and parses it if it has changed, and writes its items as news. Items that vanish stay.
import { hash } from "node:crypto";
import type { Resource } from "../core/catalog/resource.ts";
import { printFieldError, validateRecord } from "../core/record/validate.ts";
import type { IncomingRow, Outcome, Store } from "../store/store.ts";
import { type Failure, type FetchOptions, fetchFeed, type Validators } from "./fetch/fetch.ts";
import { confirmIdentity, feedContentType, type Identity, identify } from "./identity.ts";
import { knownSecurities, type Security } from "./known-securities.ts";
import type { Feed, Item } from "./parse/item.ts";
import { type Limits, parseInWorker } from "./parse/parser-worker.ts";

export type Subscription = {
  readonly url: URL;
  /** Added to the channels of every item. */
  readonly channel: string | undefined;
};

export type PollContext = {
  readonly store: Store;
  readonly catalog: readonly Resource[];
  /** Resource for the items. */
  readonly news: Resource;
  readonly fetching: Omit<FetchOptions, "validators">;
  readonly reading?: Limits;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onRefused: (item: string, reasons: readonly string[]) => void;
};

type Counts = Record<Outcome | "read" | "refused", number>;

export type PollResult =
  | {
      readonly kind: "read";
      readonly counts: Counts;
      readonly ttlSeconds: number | undefined;
      readonly omitted: number;
    }
  | { readonly kind: "same" }
  | Failure;

/** Version of the mapping to records: after a change, unchanged feeds are read once more. */
const form = 1;

/** Items per transaction. */
const batchSize = 500;

/** Identifies a feed in IDs and metadata: its URL without a password. */
export function feedName(url: URL): string {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  bare.hash = "";
  return bare.href;
}

export async function pollFeed({ url, channel }: Subscription, visit: PollContext): Promise<PollResult> {
  const { store } = visit;
  const feed = feedName(url);
  const noted = `feed ${hash("sha256", feed, "base64url").slice(0, 22)}`;
  const manner = `${form} ${channel ?? ""}`;
  const last = JSON.parse((await store.getMetadata(noted)) ?? "{}") as { manner?: string; validators?: Validators };
  const validators = last.manner === manner ? last.validators : undefined;
  const fetched = await fetchFeed(url, { ...visit.fetching, ...(validators === undefined ? {} : { validators }) });
  if (fetched.kind !== "fetched") return fetched;
  const read = await parseInWorker(fetched.text, fetched.address, visit.reading);
  if ("problem" in read) return { kind: "failed", reason: read.problem };
  const counts = await writeItems(feed, channel, read, visit);
  const isTagged = Object.keys(fetched.validators).length > 0;
  // Last, so that an interrupted poll is repeated.
  if (isTagged || last.validators !== undefined) {
    await store.setMetadata(noted, JSON.stringify(isTagged ? { manner, validators: fetched.validators } : {}));
  }
  return { kind: "read", counts, ttlSeconds: read.ttlSeconds, omitted: read.omitted };
}

type Pending = { readonly item: Item; readonly identity: Identity; readonly incoming: IncomingRow };

async function writeItems(feed: string, channel: string | undefined, read: Feed, visit: PollContext): Promise<Counts> {
  const { store, news, now, onRefused } = visit;
  const counts: Counts = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
  const securitiesOf = knownSecurities(store, visit.catalog);
  const channels = [...(channel === undefined ? [] : [channel]), ...read.categories];
  let batch: Pending[] = [];
  const flush = async () => {
    const outcomes = await store.put(
      news,
      batch.map(({ incoming }) => incoming),
    );
    for (const outcome of outcomes) counts[outcome]++;
    for (const { item, identity } of batch)
      if (!identity.confirmed) await confirmIdentity(store, feed, item.key, identity);
    batch = [];
  };
  const refuse = ({ url, key }: Item, ...reasons: string[]) => {
    counts.refused++;
    onRefused(url || key, reasons);
  };
  for (const item of firstOfEach(read.items)) {
    counts.read++;
    if (item.title === "") {
      refuse(item, "expected a title or a text, got neither");
      continue;
    }
    const moment = now();
    const identity = await identify(store, news, feed, item, moment);
    if (identity.confirmed && identity.stored === undefined) {
      // A removed item stays removed.
      counts.unchanged++;
      continue;
    }
    const accepted = validateRecord(
      news,
      recordOf(item, identity, channels, await securitiesOf(item.mentions)),
      moment,
    );
    if ("errors" in accepted) {
      refuse(item, ...accepted.errors.map(printFieldError));
      continue;
    }
    // `updated` is the time of the change, for `updatedSince`; it isn't a change by itself.
    const row = { ...accepted.row, updated: Math.max(moment, Number(accepted.row.created)) };
    batch.push({ item, identity, incoming: { row, stamped: true } });
    if (batch.length >= batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return counts;
}

/** If a feed has an item twice, the newer one comes first. */
const firstOfEach = (items: readonly Item[]): Item[] => {
  const first = new Map<string, Item>();
  for (const item of items) if (!first.has(item.key)) first.set(item.key, item);
  return [...first.values()];
};

/** An item in import form. */
function recordOf(
  item: Item,
  { id, firstSeen, stored }: Identity,
  channels: readonly string[],
  securities: readonly Security[],
): Record<string, unknown> {
  const named = (names: readonly string[]) => [...new Set(names)].map((name) => ({ name }));
  return {
    id,
    title: item.title,
    body: item.body,
    teaser: item.teaser,
    url: item.url,
    author: item.author,
    // Never later than now: clients that follow by time would skip it.
    created:
      item.date !== undefined && item.date >= 0 && item.date <= firstSeen ? item.date : (stored?.created ?? firstSeen),
    channels: named([...channels, ...item.categories]),
    tags: named([...item.categories, ...item.keywords]),
    image: item.images,
    stocks: securities,
    content_type: feedContentType,
  };
}
