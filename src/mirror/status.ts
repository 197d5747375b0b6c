// Status of a mirror: lag, progress, and failures, read from the database alone.
import type { Resource } from "../core/catalog/resource.ts";
import { leaseHolder } from "../lease/lease.ts";
import type { Store } from "../store/store.ts";
import {
  checkpointNames,
  type FeedCheckpoint,
  type Gap,
  type ListCheckpoint,
  type MirrorState,
  newListCheckpoint,
  type PartError,
  partNames,
  type RemovalsCheckpoint,
  readCheckpoint,
} from "./checkpoint.ts";
import { type Counts, newTally, type Refusal } from "./ingest.ts";
import { isOffered } from "./lists/removals.ts";
import { isFilled, windowsLeft } from "./lists/windows.ts";

export type ResourceStatus = {
  readonly resource: string;
  readonly records: number;
  /** Whether its list, its removals, or the change feed is failing. */
  readonly failing: boolean;
  /** Seconds since the time up to which changes are known; null before the first poll. */
  readonly lag: number | null;
  readonly windows: number;
  /** Null when unknown: without a first day, nobody knows how old the oldest record is. */
  readonly windows_left: number | null;
  readonly filled: boolean;
  /** Oldest day of the completed backfill. */
  readonly down_to: string | null;
  readonly counts: Counts;
  readonly unknown_attributes: Readonly<Record<string, number>>;
  readonly refusals: readonly Refusal[];
  readonly gaps: readonly Gap[];
};

type RemovalsStatus = { readonly path: string; readonly offered: boolean | null; readonly lag: number | null };

export type MirrorStatus = {
  readonly upstream: string;
  readonly via: string;
  /** Whether the upstream announces changes by stream. */
  readonly streaming: boolean;
  /** The process that holds the lease; null when none does. */
  readonly holder: string | null;
  readonly budget: { readonly rate: string; readonly used: number; readonly requests: number };
  readonly resources: readonly ResourceStatus[];
  readonly removals: readonly RemovalsStatus[];
  readonly feed: { readonly after: number; readonly last: number; readonly snapshot_left: readonly string[] } | null;
  readonly feed_refused: string | null;
  readonly errors: Readonly<Record<string, PartError>>;
};

/** Undefined when the database is not a mirror. `now` is in Unix seconds. */
export async function mirrorStatus(
  store: Store,
  catalog: readonly Resource[],
  now: number,
): Promise<MirrorStatus | undefined> {
  const root = await readCheckpoint<MirrorState>(store, checkpointNames.root);
  if (root === undefined) return undefined;
  const feed = root.via === "changes" ? await readCheckpoint<FeedCheckpoint>(store, checkpointNames.feed) : undefined;
  const resources: ResourceStatus[] = [];
  for (const resource of catalog) {
    const status = await resourceStatus(store, resource, root, feed, now);
    if (status !== undefined) resources.push(status);
  }
  // The change feed contains removals too.
  const lists = Map.groupBy(feed === undefined ? catalog : [], ({ intake }) => intake.removed.path);
  const removals: RemovalsStatus[] = [];
  for (const [path, covered] of lists) removals.push(await removalsStatus(store, path, covered, now));
  const holder = await leaseHolder(store, checkpointNames.lease);
  return {
    upstream: root.upstream,
    via: root.via ?? "unknown",
    streaming: holder !== null && root.isStreaming === true,
    holder,
    budget: { rate: root.budget, used: root.used, requests: root.requests },
    resources,
    removals,
    feed: feed === undefined ? null : { after: feed.after, last: feed.last, snapshot_left: feed.snapshot?.left ?? [] },
    feed_refused: root.feedRefused?.detail ?? null,
    errors: root.errors,
  };
}

const lagOf = (knownTo: number, now: number): number | null => (knownTo === 0 ? null : Math.max(0, now - knownTo));

/** Undefined for a resource that isn't mirrored. */
async function resourceStatus(
  store: Store,
  resource: Resource,
  root: MirrorState,
  feed: FeedCheckpoint | undefined,
  now: number,
): Promise<ResourceStatus | undefined> {
  const { name } = resource;
  const { floor } = root;
  const stored =
    feed === undefined ? await readCheckpoint<ListCheckpoint>(store, checkpointNames.list(name)) : undefined;
  const { resources: names = [] } = feed ?? root;
  if (stored === undefined && !names.includes(name)) return undefined;
  // A resource that could not be read at all yet has no checkpoint.
  const checkpoint = feed === undefined ? (stored ?? newListCheckpoint(0, 0)) : undefined;
  const tally = checkpoint?.tally ?? feed?.tallies[name] ?? newTally();
  const left = feed?.snapshot?.left.includes(name) ? null : 0;
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  return {
    resource: name,
    records: await store.count(resource),
    failing: [name, partNames.removals(name), partNames.feed].some((part) => Object.hasOwn(root.errors, part)),
    lag: lagOf(checkpoint?.knownTo ?? feed?.knownTo ?? 0, now),
    windows: checkpoint?.back.windows ?? 0,
    windows_left: checkpoint === undefined ? left : (windowsLeft(checkpoint.back, day, floor) ?? null),
    filled: checkpoint === undefined ? left === 0 : isFilled(checkpoint.back, floor),
    down_to: checkpoint?.back.downTo ?? null,
    counts: tally.counts,
    unknown_attributes: tally.dropped,
    refusals: tally.refusals,
    gaps: checkpoint?.gaps ?? [],
  };
}

/** Of one list of removed records, which may cover several resources. */
async function removalsStatus(
  store: Store,
  path: string,
  covered: readonly Resource[],
  now: number,
): Promise<RemovalsStatus> {
  const read = covered.map(({ name }) => readCheckpoint<RemovalsCheckpoint>(store, checkpointNames.removed(name)));
  const known = (await Promise.all(read)).filter((checkpoint) => checkpoint !== undefined);
  // That of the resource that is furthest behind.
  const knownTo = known.length === 0 ? 0 : Math.min(...known.map((each) => each.knownTo));
  return { path, offered: known.length === 0 ? null : known.some(isOffered), lag: lagOf(knownTo, now) };
}
