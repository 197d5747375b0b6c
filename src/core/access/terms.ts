// Key terms: what a key may see and do, how much, and from where.
import { defaultScopes } from "./scope.ts";

export type QuotaPeriod = "day" | "month";
export const quotaPeriods: readonly QuotaPeriod[] = ["day", "month"];

export type Terms = {
  /** Free text for the operator. */
  readonly owner: string;
  readonly scopes: readonly string[];
  readonly licenses: readonly string[];
  /** Names of licensed resources; empty: all. */
  readonly resources: readonly string[];
  /** Oldest visible day: `YYYY-MM-DD`, or days before today as `365d`; empty: no limit. */
  readonly history: string;
  /** Minutes before a record becomes visible. */
  readonly delay: number;
  /** Requests per second; 0: unlimited. */
  readonly rate: number;
  /** 0: the rate per second, and at least one request. */
  readonly burst: number;
  /** Requests per period; 0: unlimited. */
  readonly quota: number;
  /** In the service's time zone. */
  readonly quotaPer: QuotaPeriod;
  /** Last valid day; empty: never expires. */
  readonly expires: string;
  /** Allowed origins of pages; empty: all, and clients without an origin. */
  readonly origins: readonly string[];
  /** Allowed networks, as `192.0.2.0/24` or `2001:db8::/32`; empty: all. */
  readonly networks: readonly string[];
  /** Served as clients of other implementations expect. */
  readonly compat: boolean;
};

/** Read everything. */
export const defaultTerms: Terms = {
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
  compat: false,
};
