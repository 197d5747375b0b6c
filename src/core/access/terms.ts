// What was sold with a key: what it may see and do, how much of it, and from where.
import { defaultScopes } from "./scope.ts";

export type QuotaPeriod = "day" | "month";
export const quotaPeriods: readonly QuotaPeriod[] = ["day", "month"];

export type Terms = {
  /** Whose key it is, in the operator's own words. */
  readonly owner: string;
  /** What the key may do: names of `core/access/scope`. */
  readonly scopes: readonly string[];
  readonly licenses: readonly string[];
  /** Names of the resources that may be read; none named: all. */
  readonly resources: readonly string[];
  /** Oldest day that is seen: `YYYY-MM-DD`, or days before today as `365d`; empty: all days. */
  readonly history: string;
  /** Minutes that pass before a record is seen. */
  readonly delay: number;
  /** Requests a second; 0: without limit. */
  readonly rate: number;
  /** Requests that may come at once; 0: as many as the rate allows in a second, and one at least. */
  readonly burst: number;
  /** Requests a period; 0: without limit. */
  readonly quota: number;
  /** Days and months are those of the service's zone. */
  readonly quotaPer: QuotaPeriod;
  /** Last day on which the key is good; empty: it does not expire. */
  readonly expires: string;
  /** Origins of pages that may use the key; none named: all, and programs that send no origin. */
  readonly origins: readonly string[];
  /** Networks that the key may be used from, as `192.0.2.0/24` or `2001:db8::/32`; none named: all. */
  readonly networks: readonly string[];
};

/** A key for which nothing was said: it reads everything. */
export const plainTerms: Terms = {
  owner: "",
  scopes: defaultScopes,
  licenses: [],
  resources: [],
  history: "",
  delay: 0,
  rate: 0,
  burst: 0,
  quota: 0,
  quotaPer: "day",
  expires: "",
  origins: [],
  networks: [],
};
