// Webhooks in SQLite.
import type { DeliveryRow, WebhookChanges, WebhookRow } from "../../core/webhook.ts";
import {
  deleteDeliveriesSql,
  deleteWebhookSql,
  deliveryFromRow,
  insertDelivery,
  insertWebhook,
  listDeliveriesSql,
  listWebhooksSql,
  saveProgressSql,
  trimDeliveriesSql,
  updateWebhook,
  webhookFromRow,
} from "../rows/webhook-row.ts";
import type { SavedProgress } from "../webhook-table.ts";
import type { Connection } from "./connection.ts";

const placeholder = (number: number): string => `?${number}`;

export const listWebhooks = (connection: Connection): WebhookRow[] =>
  connection.all(listWebhooksSql).map(webhookFromRow);

export function addWebhook(connection: Connection, row: WebhookRow): void {
  const { sql, values } = insertWebhook(row, placeholder);
  connection.run(sql, ...values);
}

export function changeWebhook(connection: Connection, id: string, version: number, changes: WebhookChanges): boolean {
  const { sql, values } = updateWebhook(id, version, changes, placeholder);
  return connection.run(sql, ...values) > 0;
}

export function removeWebhook(connection: Connection, id: string): boolean {
  connection.run(deleteDeliveriesSql(placeholder), id);
  return connection.run(deleteWebhookSql(placeholder), id) > 0;
}

export function saveDeliveries(
  connection: Connection,
  progress: readonly SavedProgress[],
  deliveries: readonly DeliveryRow[],
): void {
  for (const { id, version, progress: each } of progress)
    connection.run(saveProgressSql(placeholder), id, version, JSON.stringify(each));
  for (const delivery of deliveries) {
    const { sql, values } = insertDelivery(delivery, placeholder);
    connection.run(sql, ...values);
  }
  for (const webhook of new Set(deliveries.map((each) => each.webhook)))
    connection.run(trimDeliveriesSql(placeholder), webhook);
}

export const listDeliveries = (connection: Connection, webhook: string, limit: number): DeliveryRow[] =>
  connection.all(listDeliveriesSql(placeholder), webhook, limit).map(deliveryFromRow);
