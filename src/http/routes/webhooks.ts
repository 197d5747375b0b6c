// Webhook administration: creates, changes, tests, replays, and removes webhooks.
import type { webhookEndpoints } from "../../endpoints/webhooks.ts";
import type { Lists } from "../../webhooks/definition.ts";
import type { SendOptions } from "../../webhooks/send.ts";
import { WebhookStore, type WebhookStoreDeps, type WithSecret } from "../../webhooks/webhook-store.ts";
import { unwrap } from "../response/problem-error.ts";
import type { Handlers, Outcome } from "./endpoints.ts";

export type WebhookDeps = Omit<WebhookStoreDeps, "lists" | "send"> & Lists & { readonly webhookSending: SendOptions };

export function webhookHandlers(deps: WebhookDeps): Handlers<ReturnType<typeof webhookEndpoints>["endpoints"]> {
  const webhooks = new WebhookStore({ ...deps, lists: deps, send: deps.webhookSending });
  return {
    createWebhook: async ({ members }) => withSecret(unwrap(await webhooks.create(members))),
    listWebhooks: async () => ({ body: { webhooks: await webhooks.list() } }),
    showWebhook: async ({ segments: { id = "" } }) => ({ body: unwrap(await webhooks.find(id)) }),
    changeWebhook: async ({ segments: { id = "" }, members }) => ({ body: unwrap(await webhooks.update(id, members)) }),
    listDeliveries: async ({ segments: { id = "" } }) => ({ body: unwrap(await webhooks.deliveries(id)) }),
    testWebhook: async ({ segments: { id = "" }, members }) => ({ body: unwrap(await webhooks.test(id, members)) }),
    replayWebhook: async ({ segments: { id = "" }, members }) => ({ body: unwrap(await webhooks.replay(id, members)) }),
    rotateWebhookSecret: async ({ segments: { id = "" }, members }) =>
      withSecret(unwrap(await webhooks.rotate(id, members))),
    removeWebhook: async ({ segments: { id = "" } }) => ({ body: unwrap(await webhooks.remove(id)) }),
  };
}

/** The only response that contains a secret. */
function withSecret({ entry, secret }: WithSecret): Outcome {
  const { id, ...rest } = entry;
  return { status: 201, body: { id, secret, ...rest } };
}
