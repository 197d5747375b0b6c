// The interface of a store. Everything above it is written against this; the databases are behind it.

import type { Terms } from "../core/access/terms.ts";
import type { Rendering } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Plan, Position } from "../core/query/plan.ts";
import type { Reshape } from "../core/record/projection.ts";
import type { Row } from "../core/record/row.ts";
import { PlainError } from "../core/user-error.ts";
import type { Family } from "../metrics/family.ts";

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

/** A page: its records joined by commas, and the position of the last one, which is undefined when the page is not full. */
export type Page = {
  /** Bytes in UTF-8 only where they were wished for; their memory is the caller's. */
  readonly records: string | Uint8Array<ArrayBuffer>;
  readonly count: number;
  readonly last: Position | undefined;
  /** Whether the records are as they are kept, though they were wished otherwise: one may tell a derived field itself. */
  readonly told?: boolean;
};

/** How a page is wanted. */
export type Wish = {
  /** As bytes, where the database gives them as readily as text. */
  readonly bytes?: boolean;
  /** Reshaped, unless a record may tell a field itself that is taken for derived. Never as bytes. */
  readonly reshape?: Reshape;
};

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

export type KeyRow = Terms & {
  readonly name: string;
  readonly hash: string;
  readonly created: number;
  /** When the key was revoked, or replaced by another. It is no longer good, whatever any clock says, but for `retires`. */
  readonly revoked: number | undefined;
  /** Until when a key that was replaced is good all the same; undefined for all others. */
  readonly retires: number | undefined;
};

/** A key to be kept; where it says nothing of a term, `plainTerms` does. One that is moved from elsewhere may be revoked. */
export type NewKey = Pick<KeyRow, "name" | "hash" | "created"> & Partial<KeyRow>;

/** The key that takes the place of another: same name, same terms. The older one is good until `retires`, if that is said. */
export type Successor = Pick<KeyRow, "hash" | "created" | "retires">;

/** Requests of a key that one process has let through and the others have not heard of. */
export type Spending = {
  readonly key: string;
  /** Day or month of a quota; empty for the bucket of the rate. */
  readonly period: string;
  readonly requests: number;
  /** Of the bucket: how long it takes to fill for them, how long ago the first came, how long it may ever take. */
  readonly seconds: number;
  readonly age: number;
  readonly most: number;
};

/** What all processes have let through, and in how many seconds the bucket is full; that may be in the past. */
export type Spent = Pick<Spending, "key" | "period" | "requests"> & { readonly ahead: number };

/** What a key has used of a resource on a day of the service's zone. */
export type UsageRow = {
  readonly day: string;
  readonly key: string;
  readonly resource: string;
  readonly requests: number;
  readonly records: number;
  readonly bytes: number;
  /** Requests that were refused for another reason than a limit, or failed. */
  readonly errors: number;
  /** Requests that met a limit. */
  readonly limited: number;
};

/** First and last day; of one key or of all. */
export type UsageAsked = { readonly from: string; readonly to: string; readonly key?: string | undefined };

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
  /** How old a state may be while what would confirm it can't be reached; undefined while it is known to be current. */
  staleness(state: State): Staleness | undefined;
  /** A page of records, never older than the state that is given. */
  page(plan: Plan, state?: State, wish?: Wish): Promise<Page>;
  records(plan: Plan, state?: State): Promise<Records>;
  explain(plan: Plan): Promise<Explanation>;

  /** One transaction: all of the rows, their links, search text and change lines, or nothing. */
  put(resource: Resource, rows: readonly Incoming[], options?: PutOptions): Promise<readonly Outcome[]>;
  remove(resource: Resource, ids: readonly string[]): Promise<number>;
  /** Every record, or those after an id, in the order of the ids, from one consistent moment. */
  all(resource: Resource, after?: string | number): AsyncIterable<Row>;
  /** After much was written: puts in order what that left scattered, so that reads are fast again. */
  settle(resource: Resource): Promise<void>;
  /** The records that exist, in no particular order. */
  rowsOf(resource: Resource, ids: readonly string[]): Promise<readonly Row[]>;
  /** The next records in the order of the ids; the first ones when no id is given. */
  rowsAfter(resource: Resource, after: string | number | undefined, limit: number): Promise<readonly Row[]>;
  count(resource: Resource): Promise<number>;
  isEmpty(): Promise<boolean>;
  /** Lines of the log in order, of one resource or of all. */
  changes(after: number, limit: number, resource?: string): Promise<readonly Change[]>;
  /** The last number of the change log; 0 when it is empty. */
  lastChange(): Promise<number>;
  /** When a record of the resource was last added, changed or removed (Unix seconds); undefined when the log has no line. */
  lastChanged(resource: Resource): Promise<number | undefined>;
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

  /** Keeps a key; one of the same hash is replaced. Fails when a key that is not revoked has the name. */
  addKey(key: NewKey): Promise<void>;
  findKey(hash: string, state?: State): Promise<KeyRow | undefined>;
  listKeys(): Promise<readonly KeyRow[]>;
  /** Changes the terms that are given, and leaves the others; false when no key of that name is good at that time. */
  updateKey(name: string, terms: Partial<Terms>, at: number): Promise<boolean>;
  /** False when no key of that name is there to be replaced: one that is replaced already is not. */
  rotateKey(name: string, successor: Successor): Promise<boolean>;
  /** Revokes the key of that name, and those that it has replaced; false when none of them was good any more. */
  revokeKey(name: string, at: number): Promise<boolean>;

  /** Adds what processes have let through and gives what all have, of the same keys and periods. */
  exchange(spending: readonly Spending[]): Promise<readonly Spent[]>;
  /** Adds to what keys have used, and remembers that they were used at that time. */
  addUsage(rows: readonly UsageRow[], at: number): Promise<void>;
  usage(asked: UsageAsked): Promise<readonly UsageRow[]>;
  /** When each key was used last, by its name. */
  lastUsed(): Promise<ReadonlyMap<string, number>>;

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
  /** What can be said in numbers of the database and of the ways to it, without asking it. */
  families(): readonly Family[];
  close(): Promise<void>;
};

/** How old a state may be that nothing confirms any longer. */
export type Staleness = {
  /** Whole seconds since it was last known to be current. */
  readonly seconds: number;
  /** The most that are allowed; 0: any number. */
  readonly limit: number;
  readonly isTooOld: boolean;
};

export type Health = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** The store can't be used now; requests are answered 503. */
export class StoreError extends PlainError {
  /** Whether another attempt at once may go better: another server may answer. Not so where there is too much to do. */
  readonly retry: boolean = true;
  override readonly name = "StoreError";
}

/** A read was canceled at its time limit; another attempt would fare no better. */
export class ExpensiveError extends StoreError {
  override readonly retry = false;
}

/** The database is there, but this was too much for it now. */
export class BusyError extends StoreError {
  override readonly retry = false;
}

/** The store can be reached, but not used by this version of the program; waiting does not help. */
export class IncompatibleError extends PlainError {}
