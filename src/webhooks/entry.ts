// A webhook as shown: everything but its secrets.
import { streamPosition } from "../core/query/stream-position.ts";
import { isoTime } from "../core/value/timestamp.ts";
import type { DeliveryRow, WebhookRow } from "../core/webhook.ts";
import type { Store, StoreState } from "../store/store.ts";
import { signing } from "./message.ts";

export type WebhookEntry = {
  readonly id: string;
  readonly state: WebhookRow["state"];
  /** Why it isn't active; empty otherwise. */
  readonly reason: string;
  readonly url: string;
  readonly resource: string;
  readonly filters: string;
  readonly key: string;
  /** ISO 8601. */
  readonly created: string;
  readonly changed: string;
  readonly position: string;
  /** Age of the oldest change that may have to be delivered. */
  readonly lag_seconds: number;
  readonly held: number;
  /** ISO 8601; empty if no retry is pending. */
  readonly retry_at: string;
  readonly delivered: number;
  readonly last_delivery: { readonly at: string; readonly status: number | null } | null;
  /** Until when messages are also signed with a rotated secret; empty otherwise. */
  readonly rotating_until: string;
};

const isoMs = (ms: number): string => new Date(ms).toISOString();

export async function entryOf(row: WebhookRow, store: Store, state: StoreState, now: number): Promise<WebhookEntry> {
  const { id, url, resource, filters, key, created, changed, reason, progress } = row;
  const { position, held, pausedUntil, delivered, last } = progress;
  const retryAt = Math.max(pausedUntil, Math.min(...held.map((each) => each.retryAt)));
  const rotated = signing(row.secrets, now).flatMap(({ until }) => until ?? []);
  return {
    ...{ id, state: row.state, reason, url, resource, filters, key },
    created: isoTime(created),
    changed: isoTime(changed),
    position: streamPosition(state.databaseId, position),
    lag_seconds: await lagOf(row, store, state, now),
    held: held.length,
    retry_at: held.length === 0 || row.state !== "active" ? "" : isoTime(retryAt),
    delivered,
    last_delivery: last === undefined ? null : { at: isoMs(last.at), status: last.status },
    rotating_until: rotated.length === 0 ? "" : isoTime(Math.max(...rotated)),
  };
}

/** Read from the change log, so that it also grows while no process delivers. */
async function lagOf(
  { resource, progress }: WebhookRow,
  store: Store,
  state: StoreState,
  now: number,
): Promise<number> {
  const { position, held } = progress;
  const [next] = position >= state.position ? [] : await store.changes(position, 1, resource);
  const since = [...held.map(({ failedAt }) => failedAt), ...(next === undefined ? [] : [next.at])];
  return since.length === 0 ? 0 : Math.max(0, Math.floor(now - Math.min(...since)));
}

export type DeliveryEntry = ReturnType<typeof deliveryEntry>;

export const deliveryEntry = ({ at, message, event, attempt, status, ms, response }: DeliveryRow) => ({
  ...{ at: isoMs(at), id: message, event, attempt, status, milliseconds: ms, response },
});
