// Requests and responses of the admin API about streams and webhooks.
import type { ApiDocument } from "../../../api/document.ts";
import { type ApiRequest, get } from "../../../api/request.ts";

export type OpenStream = {
  readonly resource: string;
  readonly key: string;
  readonly transport: string;
  readonly filters: string;
  readonly address: string;
  readonly events: number;
  readonly bytes: number;
  readonly opened: string;
  readonly delay_minutes: number;
  readonly phase: string;
  readonly behind: number;
  readonly unread: number;
};

export type OpenStreams = {
  readonly now: string;
  readonly open: number;
  /** By reason. */
  readonly closed: Readonly<Record<string, number>>;
  readonly streams: readonly OpenStream[];
};

export type Webhook = {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly url: string;
  readonly resource: string;
  readonly filters: string;
  readonly key: string;
  readonly lag_seconds: number;
  readonly held: number;
  readonly retry_at: string;
  readonly delivered: number;
  readonly last_delivery: { readonly at: string; readonly status: number | null } | null;
};

export type Delivery = {
  readonly at: string;
  readonly id: string;
  readonly event: string;
  readonly attempt: number;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly response: string;
};

/** Undefined if the server is older than the endpoint. */
export const streamsRequest = (document: ApiDocument | undefined): ApiRequest | undefined =>
  document?.paths.listStreams === undefined ? undefined : get(document.paths.listStreams);

export const webhooksRequest = (document: ApiDocument | undefined): ApiRequest | undefined =>
  document?.paths.listWebhooks === undefined ? undefined : get(document.paths.listWebhooks);

export const deliveriesRequest = (document: ApiDocument | undefined, id: string): ApiRequest | undefined => {
  const path = document?.paths.listDeliveries;
  return path === undefined || id === "" ? undefined : get(path.replace("{id}", encodeURIComponent(id)));
};
