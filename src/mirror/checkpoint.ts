// Checkpoints: small JSON documents in the mirrored database, written whenever a step of the work is complete.
import type { Store } from "../store/store.ts";
import { newTally, type Tally } from "./ingest.ts";
import type { PageSizes } from "./lists/scan.ts";
import { type Backfill, newBackfill } from "./lists/windows.ts";

/** Which interface of the upstream is read: its lists or its change feed. */
export type Via = "lists" | "changes";

/** What this database mirrors, and the state of the mirror as a whole. */
export type MirrorState = {
  upstream: string;
  /** Names of the mirrored resources. */
  resources?: readonly string[];
  via?: Via;
  /** Why the change feed is not used, and when that was determined. */
  feedRefused?: { at: number; detail: string };
  /** Whether the upstream's stream of changes is open. */
  isStreaming?: boolean;
  budget: string;
  /** First day to mirror; undefined: no limit. */
  floor?: string;
  requests: number;
  /** Requests in the budget's last period, as of this write. */
  used: number;
  /** Current failures by part: the name of a resource, or one of `partNames`. */
  errors: Record<string, PartError>;
};

export type PartError = { readonly at: number; readonly text: string };

/** Days whose records could not all be read, or whose removals were implausible. */
export type Gap = {
  readonly kind: "pages" | "removals";
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly at: number;
};

/** Reconciliation of days that were read before: when the last one ended, and the progress of the current one. */
type ReconcileProgress = {
  readonly at: number;
  readonly downTo?: string;
  /** The oldest day to reconcile; undefined when no reconciliation is in progress. */
  readonly until?: string;
  /** Days per window. */
  readonly width?: number;
};

/** Checkpoint of a resource that is read through its list. */
export type ListCheckpoint = PageSizes & {
  begun: number;
  back: Backfill;
  filledAt?: number;
  /** Timestamp from which the next poll reads changes. */
  position: number;
  /** Time up to which changes are known, Unix seconds. */
  knownTo: number;
  recheck: ReconcileProgress;
  tally: Tally;
  gaps: Gap[];
};

export const newListCheckpoint = (begun: number, position: number): ListCheckpoint => ({
  begun,
  back: newBackfill,
  position,
  knownTo: 0,
  recheck: { at: 0 },
  tally: newTally(),
  gaps: [],
});

/** Checkpoint of a resource in a list of removed records. */
export type RemovalsCheckpoint = PageSizes & {
  position: number;
  knownTo: number;
  /** When the upstream last responded that it has no such list. */
  absentAt?: number;
};

/** Checkpoint of a change feed. */
export type FeedCheckpoint = {
  database: string;
  /** Names of the mirrored resources. */
  resources: readonly string[];
  /** Sequence number of the last ingested change. */
  after: number;
  /** The upstream's newest sequence number, as of its last response. */
  last: number;
  /** Resources whose snapshot is in progress or pending, and the last ingested ID of the first. */
  snapshot?: { readonly left: readonly string[]; readonly lastId?: string };
  snapshots: number;
  knownTo: number;
  tallies: Record<string, Tally>;
};

/** Names of the stored documents. */
export const checkpointNames = {
  root: "mirror",
  lease: "mirror lease",
  list: (resource: string) => `mirror list ${resource}`,
  removed: (resource: string) => `mirror removed ${resource}`,
  feed: "mirror feed",
} as const;

/** Names of the parts of a mirror's work that are not a resource's list. */
export const partNames = { removals: (resource: string) => `${resource} removals`, feed: "changes" } as const;

export async function readCheckpoint<T>(store: Store, name: string): Promise<T | undefined> {
  const text = await store.getMetadata(name);
  return text === undefined || text === "" ? undefined : (JSON.parse(text) as T);
}

export const writeCheckpoint = (store: Store, name: string, value: unknown): Promise<void> =>
  store.setMetadata(name, JSON.stringify(value));

const maxGaps = 50;

export function addGap(checkpoint: ListCheckpoint, gap: Gap): void {
  const others = checkpoint.gaps.filter(
    ({ kind, from, to }) => kind !== gap.kind || from !== gap.from || to !== gap.to,
  );
  checkpoint.gaps = [...others, gap].slice(-maxGaps);
}
