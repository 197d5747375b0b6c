// What is known of a mirror: how far behind, how much is left, what went wrong. Read from the database alone.
import type { Resource } from "../core/catalog/resource.ts";
import type { Store } from "../store/store.ts";
import {
  type FeedPlace,
  type Gap,
  type ListPlace,
  noteNames,
  type RemovedPlace,
  type Root,
  readNote,
  type Trouble,
} from "./checkpoint.ts";
import { type Counts, noTally, type Refusal } from "./ingest.ts";
import { holderOf } from "./lease.ts";
import { removedLists } from "./lists/removals.ts";
import { isFilled, windowsLeft } from "./lists/windows.ts";

export type ResourceStatus = {
  readonly resource: string;
  readonly records: number;
  /** Seconds since the moment up to which changes are known; null before the first look. */
  readonly lag: number | null;
  readonly windows: number;
  /** Null where it can't be told: nobody knows how old the oldest record is. */
  readonly windows_left: number | null;
  readonly filled: boolean;
  /** First day from which on everything has been read. */
  readonly down_to: string | null;
  readonly counts: Counts;
  readonly unknown_attributes: Readonly<Record<string, number>>;
  readonly refusals: readonly Refusal[];
  readonly gaps: readonly Gap[];
};

export type Status = {
  readonly upstream: string;
  readonly via: string;
  /** The process that mirrors now; null when none does. */
  readonly holder: string | null;
  readonly budget: { readonly rate: string; readonly used: number; readonly requests: number };
  readonly resources: readonly ResourceStatus[];
  readonly removals: readonly {
    readonly path: string;
    readonly offered: boolean | null;
    readonly lag: number | null;
  }[];
  readonly feed: { readonly after: number; readonly last: number; readonly snapshot_left: readonly string[] } | null;
  readonly feed_refused: string | null;
  readonly errors: Readonly<Record<string, Trouble>>;
};

/** Undefined when the database is no mirror. `now` is in Unix seconds. */
export async function statusOf(store: Store, catalog: readonly Resource[], now: number): Promise<Status | undefined> {
  const root = await readNote<Root>(store, noteNames.root);
  if (root === undefined) return undefined;
  const { floor } = root;
  const lag = (knownTo: number): number | null => (knownTo === 0 ? null : Math.max(0, now - knownTo));
  const feed = root.via === "changes" ? await readNote<FeedPlace>(store, noteNames.feed) : undefined;
  const resources: ResourceStatus[] = [];
  for (const resource of catalog) {
    const { name } = resource;
    const place = feed === undefined ? await readNote<ListPlace>(store, noteNames.list(name)) : undefined;
    if (place === undefined && !feed?.resources.includes(name)) continue;
    const tally = place?.tally ?? feed?.tallies[name] ?? noTally();
    const left = feed?.snapshot?.left.includes(name) ? null : 0;
    const day = new Date(now * 1000).toISOString().slice(0, 10);
    resources.push({
      resource: name,
      records: await store.count(resource),
      lag: lag(place?.knownTo ?? feed?.knownTo ?? 0),
      windows: place?.back.windows ?? 0,
      windows_left: place === undefined ? left : (windowsLeft(place.back, day, floor) ?? null),
      filled: place === undefined ? left === 0 : isFilled(place.back, floor),
      down_to: place?.back.downTo ?? null,
      counts: tally.counts,
      unknown_attributes: tally.dropped,
      refusals: tally.refusals,
      gaps: place?.gaps ?? [],
    });
  }
  const removals: Status["removals"][number][] = [];
  for (const { path } of feed === undefined ? removedLists(catalog) : []) {
    const place = await readNote<RemovedPlace>(store, noteNames.removed(path));
    const offered = place === undefined ? null : place.absentAt === undefined;
    removals.push({ path, offered, lag: lag(place?.knownTo ?? 0) });
  }
  return {
    upstream: root.upstream,
    via: root.via ?? "unknown",
    holder: await holderOf(store),
    budget: { rate: root.budget, used: root.used, requests: root.requests },
    resources,
    removals,
    feed: feed === undefined ? null : { after: feed.after, last: feed.last, snapshot_left: feed.snapshot?.left ?? [] },
    feed_refused: root.feedRefused?.detail ?? null,
    errors: root.errors,
  };
}
