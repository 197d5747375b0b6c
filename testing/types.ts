// The types of the test kit: they refer to nothing of the server, whose declarations aren't part of the package.
import type { Bellwire } from "../client/index.ts";
import type { Records } from "./records.ts";

/** A `Date`, Unix seconds, or a time such as `2026-01-15T12:00:00Z`. */
export type Time = Date | number | string;

export type Clock = {
  readonly now: Date;
  /** Expiry of keys, delays, quotas, and timestamps follow it at once. */
  set(time: Time, options?: { readonly running?: boolean }): Promise<void>;
};

export type Fault = {
  /** The response's status, 400 to 599, with the body that the server has for it. */
  readonly status?: number;
  /** `Retry-After` in seconds: 0 by default, so that tests don't wait. Alone, the status is 429. */
  readonly retryAfter?: number;
  /** Time before the response. */
  readonly delayMs?: number;
  /** Closes the connection instead of responding. */
  readonly cut?: boolean;
  /** Closes it in the middle of the body. */
  readonly truncate?: boolean;
  /** How many requests get it; one by default. */
  readonly times?: number;
  /** Only requests whose path starts with this. */
  readonly path?: string;
};

export type ReceivedRequest = {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of the response; undefined until it was sent, and if the connection was closed instead. */
  readonly status: number | undefined;
};

export type StartOptions = {
  /** What the server has, by list; by default, a week of the demo before and after the clock. */
  readonly records?: Records;
  /** Where the clock stands; noon UTC on January 15, 2026 by default, so that every run is the same. */
  readonly clock?: Time;
  /** Another demo. */
  readonly seed?: number;
  /** For the first requests, in order. */
  readonly faults?: readonly Fault[];
  /** Responds as clients of other implementations expect, as `serve --compat`. */
  readonly compat?: boolean;
};

export type TestServer = AsyncDisposable & {
  readonly url: string;
  /** A key for everything. */
  readonly token: string;
  /** `bellwire/client`, connected. */
  readonly client: Bellwire;
  readonly clock: Clock;
  /** Every request so far, in the order of arrival. */
  readonly requests: ReceivedRequest[];
  /** The next requests fail, or are slow. */
  fault(fault: Fault): void;
  /** Adds records, or replaces those with the same ID. Streams send the change. */
  put(records: Records): Promise<void>;
  /** Removes records by ID. */
  remove(ids: { readonly [List in keyof Records]?: readonly (string | number)[] }): Promise<void>;
  close(): Promise<void>;
};
