// The Store interface, which SQLite and PostgreSQL implement. All other modules depend on this file alone.

import type { Terms } from "../core/access/terms.ts";
import type { Rendering } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Plan, Position } from "../core/query/plan.ts";
import type { Projection } from "../core/record/projection.ts";
import type { Row } from "../core/record/row.ts";
import { UserError } from "../core/user-error.ts";
import type { Family } from "../metrics/family.ts";
import type {
  KeyRow,
  LimitDelta,
  LimitTotal,
  LinkEntry,
  LinkRow,
  LinkUse,
  NewKey,
  Successor,
  UsableLink,
  UsageQuery,
  UsageRow,
} from "./access.ts";
import type { WebhookTable } from "./webhook-table.ts";

export type {
  KeyRow,
  LimitDelta,
  LimitTotal,
  LinkEntry,
  LinkRow,
  LinkUse,
  NewKey,
  Successor,
  UsableLink,
  UsageQuery,
  UsageRow,
} from "./access.ts";

/** A row to write. `stamped`: its `updated` is merely the time of import, so a difference there is no change. */
export type IncomingRow = { readonly row: Row; readonly stamped: boolean };
/** `log: false` skips the change log, whose entries are then copied with `importChanges`. */
type PutOptions = { readonly log?: boolean };
export type Outcome = "created" | "updated" | "unchanged";

/** Writes batches in one transaction. Other writers wait for it, and nobody sees any of it before it commits. */
export type Load = {
  /** Adds a record to the current batch. */
  add(row: IncomingRow): void;
  /** Writes the batch in the background; resolves when it's time for another one. */
  flush(): Promise<void>;
  /** `onPhase` is called for what remains to be done after the last batch. */
  commit(onPhase?: OnPhase): Promise<LoadResult>;
  /** Discards everything. */
  rollback(): Promise<void>;
};
export type LoadOptions = PutOptions & {
  /** The table is small relative to the load: its indexes may be dropped meanwhile. */
  readonly rebuild?: boolean;
  /** Estimated number of records. */
  readonly records?: number;
  /** Estimated characters of all records, to check the disk space for them. */
  readonly text?: number;
};
export type LoadResult = Record<Outcome, number>;
export type OnPhase = (phase: string, done: number, total: number) => void;

export type Change = {
  readonly seq: number;
  readonly resource: string;
  readonly id: string;
  readonly kind: "created" | "updated" | "removed";
  readonly at: number;
};

/** A record as it was before the log entry at `seq`. */
export type RecordVersion = StoredRecord & Pick<Change, "seq" | "resource" | "id">;

/** A log entry with the record before and after it; undefined where there is none. */
export type RecordChange = Change & {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  /** False for an update or removal that was logged before versions were stored. */
  readonly isBeforeKnown: boolean;
};

/** A record as it was when it was removed, and when that was (Unix seconds). */
export type RemovedRecord = { readonly row: Row; readonly at: number };

/** Which log entries expire: up to a position, or those older than a time (Unix seconds). */
export type RetentionCutoff = { readonly upTo: number } | { readonly before: number };

/** A stored record: its JSON with the heavy fields the plan fills, and its hidden attributes. */
export type StoredRecord = { readonly json: string; readonly hidden: string };

/** A page: its records joined by commas, and the position of the last one; undefined if the page isn't full. */
export type Page = {
  /** UTF-8 bytes only if requested; the caller owns the buffer. */
  readonly records: string | Uint8Array<ArrayBuffer>;
  readonly count: number;
  readonly last: Position | undefined;
  /** The requested projection wasn't applied, because a record may store a derived field explicitly. */
  readonly isUnprojected?: boolean;
};

/** The form in which a page is returned. */
export type PageOptions = {
  /** As bytes, if the database returns them at no extra cost. */
  readonly bytes?: boolean;
  /** Projected, unless a record may store a derived field explicitly. Never as bytes. */
  readonly reshape?: Projection;
};

/** Reads of one state of the database, whatever is written meanwhile. Holds a connection until it is closed. */
export type Snapshot = Pick<Store, "page" | "records"> & { close(): Promise<void> };

export type RecordPage = { readonly records: readonly StoredRecord[]; readonly last: Position | undefined };

/** The state that responses depend on, refreshed whenever the database changes. */
export type StoreState = {
  /** Identifies the database for its lifetime. */
  readonly databaseId: string;
  readonly settings: Required<RenderingSettings>;
  readonly rendering: Rendering;
  /** Changes exactly when the records behind a list, or their rendering, do. */
  readonly versionTag: (listing: { readonly name: string; readonly versions?: readonly string[] }) => string;
  /** Changes whenever an API key does. */
  readonly keysVersion: number;
  /** A position of the change log: every list reflects the entries up to it, and maybe later ones. */
  readonly position: number;
};

export type Explanation = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly steps: readonly string[];
};

export type RenderingSettings = { readonly zone?: string; readonly cusip?: Rendering["cusip"] };

export type Store = {
  /** Migrates the database to the latest schema. Throws a StoreError if it can't be reached. */
  prepare(): Promise<void>;
  /** Cheap enough to call on every request: synchronous whenever the state is cached. */
  state(): StoreState | Promise<StoreState>;
  /** How stale a state may be while the primary can't be reached; undefined while it's known to be current. */
  staleness(state: StoreState): Staleness | undefined;
  /** A page of records, never older than `state`. */
  page(plan: Plan, state?: StoreState, options?: PageOptions): Promise<Page>;
  records(plan: Plan, state?: StoreState): Promise<RecordPage>;
  /** A snapshot of the database, never older than `state`. */
  snapshot(state?: StoreState): Promise<Snapshot>;
  explain(plan: Plan): Promise<Explanation>;

  /** Writes all rows, with links, search text, and change log entries, in one transaction. */
  put(resource: Resource, rows: readonly IncomingRow[], options?: PutOptions): Promise<readonly Outcome[]>;
  /** How an import of many records uses loads. */
  readonly loading: {
    /** Whether a load can drop and rebuild indexes without affecting readers. */
    readonly rebuilds: boolean;
    /** When a load ends otherwise, whichever comes first: late enough to be fast, and soon enough for readers. */
    readonly records: number;
    /** Other writers wait for so long, and for the commit. */
    readonly seconds: number;
    /** Between two loads, for other writers to take the lock. */
    readonly pauseMilliseconds: number;
  };
  /** Begins a load: the fastest way to write thousands of records. */
  load(resource: Resource, options?: LoadOptions): Promise<Load>;
  remove(resource: Resource, ids: readonly string[]): Promise<number>;
  /** Every record, or those after an ID, ordered by ID, from one consistent snapshot. */
  scan(resource: Resource, after?: string | number): AsyncIterable<Row>;
  /** Compacts indexes and refreshes statistics after a bulk write. */
  optimize(resource: Resource): Promise<void>;
  /** The records that exist, in no particular order. */
  rowsOf(resource: Resource, ids: readonly string[]): Promise<readonly Row[]>;
  /** The next records ordered by ID, from the beginning if `after` is undefined. */
  rowsAfter(resource: Resource, after: string | number | undefined, limit: number): Promise<readonly Row[]>;
  count(resource: Resource): Promise<number>;
  isEmpty(): Promise<boolean>;
  /** Log entries in order, of one resource or of all. */
  changes(after: number, limit: number, resource?: string): Promise<readonly Change[]>;
  /** The position of the last log entry; 0 if the log is empty. */
  lastPosition(): Promise<number>;
  /** When a record of the resource was last created, updated, or removed (Unix seconds); undefined if not in the log. */
  lastChangedAt(resource: Resource): Promise<number | undefined>;
  /** The oldest position to resume from: no later entry has been pruned. 0 if nothing has been. */
  oldestPosition(): Promise<number>;
  /** Log entries of a resource in order, each with the record before and after it. */
  recordChanges(resource: Resource, after: number, limit: number): Promise<readonly RecordChange[]>;
  /** The latest removals of a resource, newest first; those whose last version is unknown are left out. */
  removedRecords(
    resource: Pick<Resource, "name" | "fields">,
    limit: number,
    state?: StoreState,
  ): Promise<readonly RemovedRecord[]>;
  /** Versions before log entries, by position: after one and up to another. */
  recordVersions(after: number, upTo: number): Promise<readonly RecordVersion[]>;
  /** Copies log entries of another database with their positions and versions, for migrating between databases. */
  importChanges(changes: readonly Change[], versions?: readonly RecordVersion[]): Promise<void>;
  /**
   * Deletes the oldest log entries, except the last, with their versions, and removals from before the cutoff; at most `limit` of each.
   * Returns how many were deleted: 0 when nothing is left to prune.
   */
  pruneChanges(cutoff: RetentionCutoff, limit: number): Promise<number>;
  /** Changes the rendering, and renders every record again if it differs. Returns how many were rendered. */
  render(settings: RenderingSettings): Promise<number>;

  /** Stores a key, replacing one with the same hash. Throws if a key with the same name isn't revoked. */
  addKey(key: NewKey): Promise<void>;
  findKey(hash: string, state?: StoreState): Promise<KeyRow | undefined>;
  listKeys(): Promise<readonly KeyRow[]>;
  /** Whether any key has not been revoked. */
  hasKey(): Promise<boolean>;
  /** Updates the provided terms only. Returns false if no key with that name is valid at that time. */
  updateKey(name: string, terms: Partial<Terms>, at: number): Promise<boolean>;
  /** Returns false if no key with that name can be rotated; one that was already rotated can't. */
  rotateKey(name: string, successor: Successor): Promise<boolean>;
  /** Revokes the key and its predecessors, with their links. Returns false if none of the keys was still valid. */
  revokeKey(name: string, at: number): Promise<boolean>;

  /** Stores a link, replacing one with the same ID. */
  addLink(link: LinkRow): Promise<void>;
  /** Undefined if there is none with this hash, it is revoked, or its key is. */
  findLink(hash: string, state?: StoreState): Promise<UsableLink | undefined>;
  /** In order of creation, of one key or of all. */
  listLinks(key?: string): Promise<readonly LinkEntry[]>;
  /** Returns false if no link with this ID was valid. */
  revokeLink(id: string, at: number): Promise<boolean>;

  /** Adds the requests that a process admitted, and returns the totals of all for the same keys and periods. */
  syncLimits(deltas: readonly LimitDelta[]): Promise<readonly LimitTotal[]>;
  /** Adds to the usage of keys and links, and sets when they were last used. */
  addUsage(rows: readonly UsageRow[], at: number, links?: readonly LinkUse[]): Promise<void>;
  usage(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** When each key was last used (Unix seconds), by name. */
  lastUsed(): Promise<ReadonlyMap<string, number>>;

  readonly webhooks: WebhookTable;

  /** Small values that processes share through the database, such as checkpoints and leases. */
  getMetadata(name: string): Promise<string | undefined>;
  setMetadata(name: string, value: string): Promise<void>;
  /** Sets a value that doesn't exist yet; true for exactly one of several concurrent callers. */
  setMetadataIfAbsent(name: string, value: string): Promise<boolean>;
  /** Replaces a value if it still equals `from`; false if it has changed. */
  compareAndSetMetadata(name: string, from: string, to: string): Promise<boolean>;
  /** Claims a job that one of several processes runs per interval; true for the first caller in each. */
  claimPeriodicJob(name: string, everySeconds: number): Promise<boolean>;

  /** Whether reads can be served, and what is degraded. */
  health(): Promise<Health>;
  /** Metrics of the database and its connections, collected without querying it. */
  metrics(): readonly Family[];
  close(): Promise<void>;
};

/** The possible age of a state that can't be confirmed any longer. */
export type Staleness = {
  /** Whole seconds since the state was last known to be current. */
  readonly seconds: number;
  /** The maximum allowed; 0 for no limit. */
  readonly limit: number;
  readonly isTooOld: boolean;
};

export type Health = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** The store is unavailable; requests get a 503. */
export class StoreError extends UserError {
  /** Whether an immediate retry may succeed, on another server. Not if the store is overloaded. */
  readonly retry: boolean = true;
  override readonly name = "StoreError";
}

/** A read was canceled at its time limit; a retry would be, too. */
export class ExpensiveError extends StoreError {
  override readonly retry = false;
}

/** The database is reachable but overloaded. */
export class BusyError extends StoreError {
  override readonly retry = false;
}

/** The database can't be used by this version of the program; retrying doesn't help. */
export class IncompatibleError extends UserError {}
