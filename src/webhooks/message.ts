// Messages of webhooks, by the Standard Webhooks specification: payloads, IDs, secrets, and signatures.
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Resource } from "../core/catalog/resource.ts";
import { isoTime } from "../core/value/timestamp.ts";
import type { WebhookSecret } from "../core/webhook.ts";
import type { EventForm } from "../live/entry-events.ts";
import { eventForm, type RestForm } from "../live/event-form.ts";

export const generateWebhookId = (): string => `wh_${randomBytes(8).toString("hex")}`;

export const generateSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** The same for every attempt and replay. Another database, or one restored from a backup, has other IDs. */
export const messageId = (webhook: string, database: string, seq: number): string =>
  `msg_${database}_${seq}_${webhook.replace(/^wh_/, "")}`;

/** Of a message that stands for no event. */
export const testMessageId = (webhook: string, database: string, atMs: number): string =>
  `msg_${database}_test${atMs}_${webhook.replace(/^wh_/, "")}`;

export function payload(type: string, seconds: number, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${isoTime(seconds)}","data":${data}}`;
}

/** `data` is that of the event in a stream. */
export function payloadForm(resource: Resource, rest: RestForm): EventForm {
  const event = eventForm(resource, rest);
  return {
    key: event.key,
    text: (action, entry) => payload(`${resource.name}.${action}`, entry.at, event.text(action, entry)),
  };
}

/** The type of an event, which its payload starts with. */
export const typeOf = (message: string): string => /^\{"type":"([^"]*)"/.exec(message)?.[1] ?? "";

/** Secrets that sign: after a rotation, the old one too for a while. */
export const signing = (secrets: readonly WebhookSecret[], now: number): WebhookSecret[] =>
  secrets.filter(({ until = Number.POSITIVE_INFINITY }) => now < until);

export function signedHeaders(
  id: string,
  message: string,
  secrets: readonly WebhookSecret[],
  now: number,
): Record<string, string> {
  const at = new Date(Math.floor(now) * 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now)),
    "webhook-signature": signing(secrets, now)
      .map(({ secret }) => new Webhook(secret).sign(id, at, message))
      .join(" "),
  };
}
