// The part of the Store interface that stores webhooks.
import type { DeliveryRow, WebhookChanges, WebhookProgress, WebhookRow } from "../core/webhook.ts";

/** Progress of a webhook, saved unless it has changed since that version. */
export type SavedProgress = Pick<WebhookRow, "id" | "version"> & { readonly progress: WebhookProgress };

export type WebhookTable = {
  list(): Promise<readonly WebhookRow[]>;
  add(webhook: WebhookRow): Promise<void>;
  /** Returns false if it has changed since that version, or been removed. */
  update(id: string, version: number, changes: WebhookChanges): Promise<boolean>;
  /** Returns false if there is none. */
  remove(id: string): Promise<boolean>;
  save(progress: readonly SavedProgress[], deliveries: readonly DeliveryRow[]): Promise<void>;
  /** The last attempts, newest first. */
  deliveries(id: string, limit: number): Promise<readonly DeliveryRow[]>;
};
