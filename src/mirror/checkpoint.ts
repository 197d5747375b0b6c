// What a mirror remembers, in the database that it fills: small documents, written when a piece of work is complete.
import type { Store } from "../store/store.ts";
import { noTally, type Tally } from "./ingest.ts";
import { type Back, untouched } from "./lists/windows.ts";

/** How the upstream is read: through its lists, or through its change feed. */
export type Via = "lists" | "changes";

/** What this database is a mirror of. */
export type Root = {
  upstream: string;
  via?: Via;
  /** Why the change feed is not read, and when that was found out. */
  feedRefused?: { at: number; detail: string };
  budget: string;
  /** First day that is read; undefined: all that there is. */
  floor?: string;
  requests: number;
  /** Requests of the last period of the budget, when this was written. */
  used: number;
  /** What can't be done for now: by resource, or by the list of removals or the feed. */
  errors: Record<string, Trouble>;
};

export type Trouble = { readonly at: number; readonly text: string };

/** Days of which not all records could be read, or whose removals could not be believed. */
export type Gap = {
  readonly kind: "pages" | "removals";
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly at: number;
};

/** The second look at days that have been read: when the last one ended, and how far the present one has come. */
export type Recheck = {
  readonly at: number;
  readonly downTo?: string;
  /** The first day to look at; undefined when none is under way. */
  readonly until?: string;
  /** Days that are looked at together. */
  readonly width?: number;
};

/** The place of a resource that is read through its list. */
export type ListPlace = {
  begun: number;
  /** The largest page that the upstream gives, where it is smaller than asked for. */
  most?: number;
  back: Back;
  filledAt?: number;
  /** Stamp from which changes are read next. */
  position: number;
  /** Up to when changes are known, Unix seconds. */
  knownTo: number;
  recheck: Recheck;
  tally: Tally;
  gaps: Gap[];
};

export const newListPlace = (begun: number, position: number): ListPlace => ({
  begun,
  back: untouched,
  position,
  knownTo: 0,
  recheck: { at: 0 },
  tally: noTally(),
  gaps: [],
});

/** The place in a list of removed records. */
export type RemovedPlace = {
  position: number;
  knownTo: number;
  /** When the upstream last said that it has no such list. */
  absentAt?: number;
};

/** The place in a change feed. */
export type FeedPlace = {
  database: string;
  /** Names of the resources that are followed. */
  resources: readonly string[];
  /** The last number that has been taken. */
  after: number;
  /** The newest number of the upstream, when it last told. */
  last: number;
  /** Resources whose snapshot is under way or still to come, with the last id that was taken. */
  snapshot?: { readonly left: readonly string[]; readonly lastId?: string };
  snapshots: number;
  knownTo: number;
  tallies: Record<string, Tally>;
};

/** The names under which the documents are kept. */
export const noteNames = {
  root: "mirror",
  lease: "mirror lease",
  list: (resource: string) => `mirror list ${resource}`,
  removed: (path: string) => `mirror removed ${path}`,
  feed: "mirror feed",
} as const;

export async function readNote<T>(store: Store, name: string): Promise<T | undefined> {
  const text = await store.note(name);
  return text === undefined || text === "" ? undefined : (JSON.parse(text) as T);
}

export const writeNote = (store: Store, name: string, value: unknown): Promise<void> =>
  store.setNote(name, JSON.stringify(value));

const mostGaps = 50;

export function addGap(place: ListPlace, gap: Gap): void {
  const others = place.gaps.filter(({ kind, from, to }) => kind !== gap.kind || from !== gap.from || to !== gap.to);
  place.gaps = [...others, gap].slice(-mostGaps);
}
