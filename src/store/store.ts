// The interface of a store. Everything above it is written against this; the databases are behind it.
import type { Rendering } from "../core/field.ts";
import type { Plan, Position } from "../core/plan.ts";
import type { Resource } from "../core/resource.ts";
import type { Row } from "../core/row.ts";

/** A row to write; `stamped` when its `updated` is only the time of import, which alone is no change. */
export type Incoming = { readonly row: Row; readonly stamped: boolean };
/** `log: false` writes no change lines: they are taken over from elsewhere. */
export type PutOptions = { readonly log?: boolean };
export type Outcome = "created" | "updated" | "unchanged";

export type Change = {
  readonly seq: number;
  readonly resource: string;
  readonly id: string;
  readonly kind: "created" | "updated" | "removed";
  readonly at: number;
};

/** Which lines of the log are forgotten: up to a number, or those from before a time (Unix seconds). */
export type Forgotten = { readonly upTo: number } | { readonly before: number };

/** A record as it is kept: its JSON with the heavy fields the plan fills, and what stands beside it. */
export type KeptRecord = { readonly json: string; readonly beside: string };

/** A page: its records joined by commas, and the position of the last one; undefined when the page is not full. */
export type Page = { readonly records: string; readonly count: number; readonly last: Position | undefined };
export type Records = { readonly records: readonly KeptRecord[]; readonly last: Position | undefined };

/** What answers depend on, read anew whenever the database has changed. */
export type State = {
  /** Which database this is, for life. */
  readonly database: string;
  readonly settings: Required<RenderingSettings>;
  readonly rendering: Rendering;
  /** Moves with every change of the records behind a list or of the rendering, and with nothing else. */
  readonly stamp: (listing: { readonly name: string; readonly versions?: readonly string[] }) => string;
  /** Moves with every change of a key. */
  readonly keys: number;
};

export type KeyRow = {
  readonly name: string;
  readonly hash: string;
  readonly licenses: readonly string[];
  /** What the key may do: names of `core/scope`. */
  readonly scopes: readonly string[];
  readonly created: number;
  /** Last day on which the key is good; empty: it does not expire. */
  readonly expires: string;
  readonly revoked: number | undefined;
};

/** A key to be kept; it may read unless `scopes` says otherwise. One that is moved from elsewhere may be revoked already. */
export type NewKey = Omit<KeyRow, "scopes" | "revoked"> & Partial<Pick<KeyRow, "scopes" | "revoked">>;

export type Explanation = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly steps: readonly string[];
};

export type RenderingSettings = { readonly zone?: string; readonly cusip?: Rendering["cusip"] };

export type Store = {
  /** Makes the database ready for use: its newest schema. Fails with a StoreError when it is away. */
  prepare(): Promise<void>;
  /** Cheap enough to be asked on every request: given at once where it is known. */
  state(): State | Promise<State>;
  /** A page of records, never older than the state that is given. */
  page(plan: Plan, state?: State): Promise<Page>;
  records(plan: Plan, state?: State): Promise<Records>;
  explain(plan: Plan): Promise<Explanation>;

  /** One transaction: all of the rows, their links, search text and change lines, or nothing. */
  put(resource: Resource, rows: readonly Incoming[], options?: PutOptions): Promise<readonly Outcome[]>;
  remove(resource: Resource, ids: readonly string[]): Promise<number>;
  /** Every record, or those after an id, in the order of the ids, from one consistent moment. */
  all(resource: Resource, after?: string | number): AsyncIterable<Row>;
  /** After much was written: puts in order what that left scattered, so that reads are fast again. */
  settle(resource: Resource): Promise<void>;
  /** Those of the records that are there, in no order. */
  rowsOf(resource: Resource, ids: readonly string[]): Promise<readonly Row[]>;
  /** The next records in the order of the ids; the first ones when no id is given. */
  rowsAfter(resource: Resource, after: string | number | undefined, limit: number): Promise<readonly Row[]>;
  count(resource: Resource): Promise<number>;
  isEmpty(): Promise<boolean>;
  /** Lines of the log in order, those of one resource or of all. */
  changes(after: number, limit: number, resource?: string): Promise<readonly Change[]>;
  /** The last number of the change log; 0 when it is empty. */
  lastChange(): Promise<number>;
  /** The oldest position that can be followed from: every line after it is kept. 0 while nothing has been forgotten. */
  oldestChange(): Promise<number>;
  /** Takes over lines of another database's log, numbers and all; for moving house. */
  addChanges(changes: readonly Change[]): Promise<void>;
  /**
   * Forgets the oldest lines of the log, but never the last one, and removals from before the same time; at most so
   * many of each at once. Gives how many went: 0 when there is nothing more to forget.
   */
  forgetChanges(forgotten: Forgotten, most: number): Promise<number>;
  /** Changes how answers look; every record is rendered again when it differs. Returns how many were. */
  render(settings: RenderingSettings): Promise<number>;

  addKey(key: NewKey): Promise<void>;
  findKey(hash: string, state?: State): Promise<KeyRow | undefined>;
  listKeys(): Promise<readonly KeyRow[]>;
  /** False when no valid key has that name. */
  revokeKey(name: string, at: number): Promise<boolean>;

  /** Small facts that the service remembers in the database, such as that the demo has been loaded. */
  note(name: string): Promise<string | undefined>;
  setNote(name: string, value: string): Promise<void>;
  /** Sets a note that is not there yet; true for the one of many who was first. */
  claimNote(name: string, value: string): Promise<boolean>;
  /** Replaces a note that still says what the caller has read; false when it says something else by now. */
  swapNote(name: string, from: string, to: string): Promise<boolean>;
  /** Whether it is the caller's turn at work that one of many does every so often; true for the first who asks. */
  takeTurn(name: string, everySeconds: number): Promise<boolean>;

  /** Whether reads can be answered, and what is degraded. */
  health(): Promise<Health>;
  close(): Promise<void>;
};

export type Health = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** The store can't be used now; requests are answered 503. */
export class StoreError extends Error {
  /** Whether another attempt at once may go better: another server may answer. Not so where there is too much to do. */
  readonly retry: boolean = true;
  override readonly name = "StoreError";
}

/** The store can be reached, but not used by this version of the program; waiting does not help. */
export class IncompatibleError extends Error {}
