// Webhooks in PostgreSQL.
import type { DeliveryRow } from "../../core/webhook.ts";
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
import type { SavedProgress, WebhookTable } from "../webhook-table.ts";
import type { Query } from "./pool/pool.ts";
import type { Write } from "./write/writer.ts";

const placeholder = (number: number): string => `$${number}`;

/** Progress needs no lock of writers: it is no part of the state that others follow. */
export function webhooksOn(
  query: Query,
  transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>,
  write: Write,
): WebhookTable {
  const change = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    write("webhooks", async (_client, inTransaction) => {
      const result = await work(inTransaction);
      return { result, changed: result !== false };
    });
  return {
    list: async () => (await query(listWebhooksSql)).map(webhookFromRow),
    add: (row) =>
      change(async (run) => {
        const { sql, values } = insertWebhook(row, placeholder);
        await run(sql, ...values);
      }),
    update: (id, version, changes) =>
      change(async (run) => {
        const { sql, values } = updateWebhook(id, version, changes, placeholder);
        return (await run(`${sql} returning id`, ...values)).length > 0;
      }),
    remove: (id) =>
      change(async (run) => {
        await run(deleteDeliveriesSql(placeholder), id);
        return (await run(`${deleteWebhookSql(placeholder)} returning id`, id)).length > 0;
      }),
    save: (progress, deliveries) => transaction((run) => saveDeliveries(run, progress, deliveries)),
    deliveries: async (id, limit) => (await query(listDeliveriesSql(placeholder), id, limit)).map(deliveryFromRow),
  };
}

async function saveDeliveries(
  query: Query,
  progress: readonly SavedProgress[],
  deliveries: readonly DeliveryRow[],
): Promise<void> {
  // Sorted, so that two processes can't wait for each other.
  for (const { id, version, progress: each } of progress.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await query(saveProgressSql(placeholder), id, version, JSON.stringify(each));
  for (const delivery of deliveries) {
    const { sql, values } = insertDelivery(delivery, placeholder);
    await query(sql, ...values);
  }
  for (const webhook of new Set(deliveries.map((each) => each.webhook)))
    await query(trimDeliveriesSql(placeholder), webhook);
}
