// Part of the Store interface: rows of keys and links, their limits, and their usage.

import type { Terms } from "../core/access/terms.ts";

export type KeyRow = Terms & {
  readonly name: string;
  readonly hash: string;
  readonly created: number;
  /** When the key was revoked or rotated. It is invalid from then on, regardless of clocks, except for `retires`. */
  readonly revoked: number | undefined;
  /** End of the grace period of a rotated key; undefined for all others. */
  readonly retires: number | undefined;
};

/** A key to store, with `defaultTerms` as defaults. A key copied from another database may be revoked already. */
export type NewKey = Pick<KeyRow, "name" | "hash" | "created"> & Partial<KeyRow>;

/** The key that replaces another, with the same name and terms. The old one stays valid until `retires`, if set. */
export type Successor = Pick<KeyRow, "hash" | "created" | "retires">;

/** A URL with a separate token that serves one list with fixed parameters on behalf of a key. */
export type LinkRow = {
  /** Public; the token is stored as a hash. */
  readonly id: string;
  readonly hash: string;
  /** Name of the key, which may be rotated meanwhile. */
  readonly key: string;
  /** Free text for its owner. */
  readonly name: string;
  /** Name of the list. */
  readonly list: string;
  readonly query: string;
  readonly extension: string;
  readonly created: number;
  readonly revoked: number | undefined;
};

export type LinkUse = { readonly link: string; readonly requests: number };
export type LinkEntry = LinkRow & { readonly requests: number; readonly lastUsed: number | undefined };
/** A link that isn't revoked, and the hash of the current key with its key's name. */
export type UsableLink = LinkRow & { readonly keyHash: string };

/** Requests of a key that one process has admitted since it last synchronized with the others. */
export type LimitDelta = {
  readonly key: string;
  /** Day or month of a quota; empty for the token bucket of the rate limit. */
  readonly period: string;
  readonly requests: number;
  /** Of the bucket: its refill time for these requests, the age of the first one, and the maximum refill time. */
  readonly seconds: number;
  readonly age: number;
  readonly maxSeconds: number;
};

/** Requests admitted by all processes, and the seconds until the bucket is full; negative if it has been for a while. */
export type LimitTotal = Pick<LimitDelta, "key" | "period" | "requests"> & { readonly secondsToFull: number };

/** Usage of a resource by a key on one day in the service's time zone. */
export type UsageRow = {
  readonly day: string;
  readonly key: string;
  readonly resource: string;
  readonly requests: number;
  readonly records: number;
  readonly bytes: number;
  /** Requests that failed, or were rejected for any reason other than a limit. */
  readonly errors: number;
  /** Requests rejected by a rate limit or quota. */
  readonly limited: number;
};

/** First and last day, inclusive; of one key or of all. */
export type UsageQuery = { readonly from: string; readonly to: string; readonly key?: string | undefined };
