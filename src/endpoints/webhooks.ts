// Administration of webhooks: creating, changing, testing, replaying, and removing them.

import { count, type Endpoint, endpointGroup, object, text } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Json } from "../core/record/row.ts";
import { maxLoggedDeliveries, webhookStates } from "../core/webhook.ts";

const path = "/admin/v1/webhooks";
const id = "wh_0a1b2c3d4e5f6071";
const ofWebhook = {
  segments: { id: { description: "ID of the webhook.", schema: { type: "string", examples: [id] } } },
  example: { segments: { id } },
  scope: "admin",
} as const satisfies Partial<Endpoint>;

const rest: Readonly<Record<string, Json>> = {
  ...{ state: "active", reason: "", url: "https://example.com/hooks/ratings", resource: "ratings" },
  ...{ filters: "parameters[tickers]=F,GM", key: "", created: "2026-01-15T12:00:00Z" },
  ...{ changed: "2026-01-15T12:00:00Z", position: "0a1b2c3d4e5f.41", lag_seconds: 0, held: 0, retry_at: "" },
  ...{ delivered: 1204, last_delivery: { at: "2026-01-15T12:07:31.204Z", status: 204 }, rotating_until: "" },
};
const webhook: Json = { id, ...rest };
const secret = "whsec_…";
const delivery: Json = {
  ...{ at: "2026-01-15T12:07:31.204Z", id: "msg_0a1b2c3d4e5f_42_0a1b2c3d4e5f6071", event: "ratings.created" },
  ...{ attempt: 1, status: 204, milliseconds: 84, response: "" },
};

export const webhookEndpoints = (catalog: readonly Resource[]) =>
  endpointGroup({
    tag: {
      name: "Webhooks",
      description:
        "Changes of records, sent to a URL. Extensions of the interface, for keys with the scope `admin`, in the `Authorization` header only.",
    },
    page: {
      title: "Webhooks",
      intro:
        "Webhooks are managed with `bellwire webhooks`, and over HTTP as described here, which is an extension of the interface. What is delivered, and how receivers verify it, is on the page [Webhooks](../webhooks.md).",
      key: "operator",
      bullets: [
        "**Bodies** are one JSON object of at most 65,536 bytes. An unknown member is an error, and all errors are reported at once.",
        "**Responses** are JSON and must not be cached (`Cache-Control: no-store`). A secret is shown once, in the response to the request that created it.",
      ],
    },
    endpoints: {
      createWebhook: {
        method: "POST",
        path,
        scope: "admin",
        summary: "Create a webhook",
        description: [
          "Delivers changes of a resource to a URL from now on, or from a position. `filters` are the query of the list: its filters, and the form of its records (`fields`, `simplify`, …). Parameters for pages and orders are errors, and so are unknown ones.",
        ],
        body: {
          kind: "object",
          schema: "NewWebhook",
          example: {
            ...{ url: "https://example.com/hooks/ratings", resource: "ratings" },
            filters: "parameters[tickers]=F,GM",
          },
          required: true,
        },
        responses: {
          201: {
            description: "The webhook, with its secret, which is shown only now",
            schema: "CreatedWebhook",
            example: { id, secret, ...rest },
          },
        },
        problems: ["request.members", "webhook.limit"],
      },
      listWebhooks: {
        method: "GET",
        path,
        scope: "admin",
        summary: "All webhooks",
        description: ["Every webhook in order of creation, with its state, and how far its deliveries have come."],
        responses: { 200: { description: "The webhooks", schema: "Webhooks", example: { webhooks: [webhook] } } },
      },
      showWebhook: {
        method: "GET",
        path: `${path}/{id}`,
        ...ofWebhook,
        summary: "One webhook",
        description: ["The webhook with that ID."],
        responses: { 200: { description: "The webhook", schema: "Webhook", example: webhook } },
        problems: ["webhook.absent"],
      },
      changeWebhook: {
        method: "PATCH",
        path: `${path}/{id}`,
        ...ofWebhook,
        summary: "Change or pause a webhook",
        description: [
          "Changes the URL, or the state: a `paused` webhook continues where it stopped when it is `active` again. Activating a suspended or ended one attempts what failed again, for another three days.",
        ],
        body: { kind: "object", schema: "WebhookChanges", example: { state: "active" }, required: true },
        responses: { 200: { description: "The webhook as it is now", schema: "Webhook", example: webhook } },
        problems: ["request.members", "webhook.absent"],
      },
      listDeliveries: {
        method: "GET",
        path: `${path}/{id}/deliveries`,
        ...ofWebhook,
        summary: "Deliveries of a webhook",
        description: [`The last ${maxLoggedDeliveries} attempts, newest first. Attempts are logged twice a second.`],
        responses: { 200: { description: "The attempts", schema: "Deliveries", example: { deliveries: [delivery] } } },
        problems: ["webhook.absent"],
      },
      testWebhook: {
        method: "POST",
        path: `${path}/{id}/test`,
        ...ofWebhook,
        summary: "Test a webhook",
        description: [
          "Sends a message of the type `webhook.test` now, whatever the state of the webhook, and waits for the response. It is not retried.",
        ],
        body: { kind: "object", schema: "NoMembers", example: {}, required: false },
        responses: {
          200: {
            description: "The attempt, and whether it was successful",
            schema: "TestDelivery",
            example: {
              ...{ delivered: true, at: "2026-01-15T12:07:31.204Z" },
              ...{ id: "msg_0a1b2c3d4e5f_test1768478851204_0a1b2c3d4e5f6071", event: "webhook.test", attempt: 1 },
              ...{ status: 204, milliseconds: 84, response: "" },
            },
          },
        },
        problems: ["request.members", "webhook.absent"],
      },
      replayWebhook: {
        method: "POST",
        path: `${path}/{id}/replay`,
        ...ofWebhook,
        summary: "Replay a webhook",
        description: [
          "Activates the webhook and delivers everything after a position again, with the same `webhook-id` as before. Positions are those of streams: the `id` of an event, or `X-Stream-Position` of a list.",
        ],
        body: { kind: "object", schema: "Replay", example: { since: "start" }, required: true },
        responses: { 200: { description: "The webhook as it is now", schema: "Webhook", example: webhook } },
        problems: ["request.members", "webhook.absent"],
      },
      rotateWebhookSecret: {
        method: "POST",
        path: `${path}/{id}/rotate`,
        ...ofWebhook,
        summary: "Rotate the secret of a webhook",
        description: [
          "Creates a new secret. Messages are signed with the old one, too, for `grace_hours`; with 0 it ends at once.",
        ],
        body: { kind: "object", schema: "Grace", example: { grace_hours: 24 }, required: false },
        responses: {
          201: {
            description: "The webhook, with its new secret, which is shown only now",
            schema: "CreatedWebhook",
            example: { id, secret, ...rest, rotating_until: "2026-01-16T12:00:00Z" },
          },
        },
        problems: ["request.members", "webhook.absent"],
      },
      removeWebhook: {
        method: "DELETE",
        path: `${path}/{id}`,
        ...ofWebhook,
        summary: "Remove a webhook",
        description: ["Ends the webhook, and removes its log."],
        responses: { 200: { description: "The webhook as it was", schema: "Webhook", example: webhook } },
        problems: ["webhook.absent"],
      },
    },
    schemas: schemas(catalog),
  });

function schemas(catalog: readonly Resource[]): Record<string, Schema> {
  const target = text("URL that messages are sent to");
  const resource: Schema = {
    type: "string",
    enum: catalog.map(({ name }) => name),
    description: "Resource whose changes are delivered",
  };
  const filters = text("Query of the list, as in a URL: its filters, and the form of its records; empty for all");
  const key = text("Name of the key whose terms apply; empty for none, so that everything is delivered");
  const since = text("Position to continue after; `start` for the oldest change in the log");
  const status: Schema = { type: ["integer", "null"], description: "Status of the response; null if there was none" };
  const about: Record<string, Schema> = {
    id: text("ID of the webhook"),
    state: {
      type: "string",
      enum: webhookStates,
      description:
        "Suspended: it has failed for three days, or can't be delivered. Ended: the receiver responded with 410",
    },
    reason: text("Why it is suspended or ended; else empty"),
    ...{ url: target, resource, filters, key },
    created: text("When it was created, ISO 8601"),
    changed: text("When its state last changed, ISO 8601"),
    position: text("Position up to which everything has been delivered or is held"),
    lag_seconds: count("Age of the oldest change that may still have to be delivered; 0 if there is none"),
    held: count("Records of which an event failed, so that it and later ones wait"),
    retry_at: text("When the next failed event is attempted again, ISO 8601; else empty"),
    delivered: count("Events that were delivered"),
    last_delivery: {
      type: ["object", "null"],
      description: "The last attempt",
      properties: { at: { type: "string" }, status },
    },
    rotating_until: text("Until when messages are also signed with a rotated secret, ISO 8601; else empty"),
  };
  const attempt: Record<string, Schema> = {
    at: text("When it was sent, ISO 8601"),
    id: text("The `webhook-id`: the same for every attempt to deliver an event"),
    event: text("Type of the message, such as `ratings.created`"),
    attempt: count("Number of the attempt, from 1"),
    status,
    milliseconds: count("How long it took"),
    response: text("The beginning of the response, or why there was none"),
  };
  const body = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
    ...{ type: "object", properties, additionalProperties: false },
    ...more,
  });
  return {
    NewWebhook: body({ url: target, resource, filters, key, since }, { required: ["url", "resource"] }),
    WebhookChanges: body({
      url: target,
      state: { type: "string", enum: ["active", "paused"], description: "Whether events are delivered" },
    }),
    Replay: body({ since }, { required: ["since"] }),
    NoMembers: body({}),
    Webhook: object(about, "A webhook without its secret."),
    Webhooks: object({ webhooks: { type: "array", items: { $ref: "#/components/schemas/Webhook" } } }),
    CreatedWebhook: object(
      { ...about, secret: text("The secret that messages are signed with") },
      "A webhook with its secret.",
    ),
    Deliveries: object({ deliveries: { type: "array", items: object(attempt, "An attempt to deliver an event") } }),
    TestDelivery: object({ ...attempt, delivered: { type: "boolean", description: "Whether it was successful" } }),
  };
}
