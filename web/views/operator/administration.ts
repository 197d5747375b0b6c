// Requests and responses of the admin API.
import { type ApiRequest, get } from "../../api/request.ts";
import { addDays } from "../../format/day.ts";

export type Key = {
  readonly name: string;
  readonly owner: string;
  readonly state: "valid" | "expired" | "revoked" | "retiring";
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly history: string;
  readonly delay_minutes: number;
  readonly rate: number;
  readonly burst: number;
  readonly quota: number;
  readonly quota_per: string;
  readonly expires: string;
  /** ISO 8601; the last two may be empty. */
  readonly created: string;
  readonly revoked: string;
  readonly last_used: string;
  /** Other terms in the OpenAPI document. */
  readonly [term: string]: unknown;
};

/** The only response that contains the key itself. */
export type CreatedKey = { readonly name: string; readonly key: string };

export type Usage = {
  readonly day: string;
  readonly key: string;
  readonly resource: string;
  readonly requests: number;
  readonly records: number;
  readonly bytes: number;
  readonly errors: number;
  readonly limited: number;
};

export type ResourceStatus = {
  readonly name: string;
  readonly records: number;
  readonly newest: string | null;
  readonly changed: string | null;
};

export type MirroredResource = {
  readonly resource: string;
  readonly records: number;
  readonly lag: number | null;
  readonly windows_left: number | null;
  readonly filled: boolean;
  readonly down_to: string | null;
  readonly counts: Readonly<Record<"created" | "updated" | "unchanged" | "removed" | "refused", number>>;
  readonly gaps: readonly unknown[];
};

export type Mirror = {
  readonly upstream: string;
  readonly via: string;
  readonly holder: string | null;
  readonly budget: { readonly rate: string; readonly used: number; readonly requests: number };
  readonly resources: readonly MirroredResource[];
  readonly feed_refused: string | null;
  readonly errors: Readonly<Record<string, { readonly at: number; readonly text: string }>>;
};

export type Status = {
  readonly version: string;
  readonly started: string;
  readonly now: string;
  readonly database: { readonly kind: string };
  readonly zone: string;
  readonly resources: readonly ResourceStatus[];
  readonly mirror: Mirror | null;
  readonly cache: { readonly bytes: number; readonly hits: number; readonly misses: number };
};

export const statusRequest = get("/admin/v1/status");
export const keysRequest = get("/admin/v1/keys");

export const usageRequest = (today: string, days: number): ApiRequest =>
  get("/admin/v1/usage", [
    ["from", addDays(today, 1 - days)],
    ["to", today],
  ]);

const keyPath = (name: string): string => `/admin/v1/keys/${encodeURIComponent(name)}`;

type Body = Readonly<Record<string, unknown>>;

export const createRequest = (body: Body): ApiRequest => ({ method: "POST", path: keysRequest.path, params: [], body });
export const updateRequest = (name: string, body: Body): ApiRequest => ({
  method: "PATCH",
  path: keyPath(name),
  params: [],
  body,
});
export const rotateRequest = (name: string, hours: number): ApiRequest => ({
  method: "POST",
  path: `${keyPath(name)}/rotate`,
  params: [],
  body: { grace_hours: hours },
});
export const revokeRequest = (name: string): ApiRequest => ({ method: "DELETE", path: keyPath(name), params: [] });
