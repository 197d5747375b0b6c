// Rows of the tables `webhook` and `webhook_delivery`, and their statements, the same for both databases.
import {
  type DeliveryRow,
  maxLoggedDeliveries,
  type WebhookChanges,
  type WebhookRow,
  type WebhookState,
} from "../../core/webhook.ts";

type Value = string | number | null;
type SqlRow = Readonly<Record<string, unknown>>;

const json = ["secrets", "progress"] as const;
const numbers = ["created", "changed", "version"] as const;
const texts = ["id", "url", "resource", "filters", "state", "reason"] as const;

const columns = [...texts, ...numbers, ...json, "api_key"] as const;
const deliveryColumns = ["webhook", "at", "message", "event", "attempt", "status", "ms", "response"] as const;

/** Placeholder of a value; the first one has the number 1. */
type Placeholder = (number: number) => string;

const insertSql = (table: string, names: readonly string[], placeholder: Placeholder): string =>
  `insert into ${table} (${names.join(", ")}) values (${names.map((_, index) => placeholder(index + 1)).join(", ")})`;

type Statement = { readonly sql: string; readonly values: readonly Value[] };

export const listWebhooksSql = "select * from webhook order by created, id";

export const insertWebhook = (row: WebhookRow, placeholder: Placeholder): Statement => ({
  sql: insertSql("webhook", columns, placeholder),
  values: columns.map((name) => (name === "api_key" ? row.key : stored(row[name]))),
});

/** Changes a webhook unless it has changed since `version`. */
export function updateWebhook(
  id: string,
  version: number,
  changes: WebhookChanges,
  placeholder: Placeholder,
): Statement {
  const entries = Object.entries(changes);
  const set = entries.map(([name], index) => `${name} = ${placeholder(index + 3)}`);
  return {
    sql: `update webhook set ${["version = version + 1", ...set].join(", ")} where id = ${placeholder(1)} and version = ${placeholder(2)}`,
    values: [id, version, ...entries.map(([, value]) => stored(value))],
  };
}

/** Deletes a webhook, and its log. */
export const deleteWebhookSql = (placeholder: Placeholder): string =>
  `delete from webhook where id = ${placeholder(1)}`;
export const deleteDeliveriesSql = (placeholder: Placeholder): string =>
  `delete from webhook_delivery where webhook = ${placeholder(1)}`;

/** Saves progress without a new version. */
export const saveProgressSql = (placeholder: Placeholder): string =>
  `update webhook set progress = ${placeholder(3)} where id = ${placeholder(1)} and version = ${placeholder(2)}`;

export const insertDelivery = (row: DeliveryRow, placeholder: Placeholder): Statement => ({
  sql: insertSql("webhook_delivery", deliveryColumns, placeholder),
  values: deliveryColumns.map((name) => row[name]),
});

/** Deletes the oldest attempts of a webhook; all of one that has been removed meanwhile. */
export const trimDeliveriesSql = (placeholder: Placeholder): string =>
  `delete from webhook_delivery where webhook = ${placeholder(1)} and (
     key <= (select key from webhook_delivery where webhook = ${placeholder(1)} order by key desc limit 1 offset ${maxLoggedDeliveries})
     or not exists (select 1 from webhook where id = ${placeholder(1)}))`;

export const listDeliveriesSql = (placeholder: Placeholder): string =>
  `select * from webhook_delivery where webhook = ${placeholder(1)} order by key desc limit ${placeholder(2)}`;

const stored = (value: unknown): Value =>
  typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);

export const webhookFromRow = (row: SqlRow): WebhookRow => ({
  ...(Object.fromEntries(texts.map((name) => [name, String(row[name])])) as Record<(typeof texts)[number], string> & {
    readonly state: WebhookState;
  }),
  ...(Object.fromEntries(numbers.map((name) => [name, Number(row[name])])) as Record<(typeof numbers)[number], number>),
  ...(Object.fromEntries(json.map((name) => [name, JSON.parse(String(row[name]))])) as Pick<
    WebhookRow,
    (typeof json)[number]
  >),
  key: String(row.api_key),
});

export const deliveryFromRow = (row: SqlRow): DeliveryRow => ({
  webhook: String(row.webhook),
  at: Number(row.at),
  message: String(row.message),
  event: String(row.event),
  attempt: Number(row.attempt),
  status: row.status === null ? null : Number(row.status),
  ms: Number(row.ms),
  response: String(row.response),
});
