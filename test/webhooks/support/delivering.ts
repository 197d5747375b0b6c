// Runs tests with a receiver, requests of an administrator, and a process that delivers, on every store.
import assert from "node:assert/strict";
import { systemClock } from "../../../src/lease/clock.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { compatTable } from "../../../src/resources/compat/compat.ts";
import { Deliverer } from "../../../src/webhooks/deliverer.ts";
import { type SendOptions, sendOptions } from "../../../src/webhooks/send.ts";
import type { Api, ApiOptions, ApiResponse, Body } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export type Request = (method: string, path?: string, body?: unknown) => Promise<ApiResponse>;

export type Delivering = {
  readonly api: Api;
  readonly receiver: Receiver;
  /** A request to `/admin/v1/webhooks`. */
  readonly request: Request;
  readonly errors: readonly unknown[];
  /** Creates a webhook for the receiver, and returns it with its secret. */
  create(members?: Readonly<Record<string, unknown>>): Promise<Body>;
  /** The webhook as it is now. */
  show(id: string): Promise<Body>;
  /** Waits until a webhook has delivered everything that has been committed, and this has been saved. */
  settled(id: string): Promise<void>;
  readonly deliverer: Deliverer;
};

export async function administering(api: Api): Promise<Request> {
  const headers = { authorization: `Bearer ${await api.key({ name: "operator", scopes: ["admin"] })}` };
  return (method, path = "", body) =>
    api.request(`/admin/v1/webhooks${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
}

/** Delivers until the result is called. */
export function startDelivering(api: Pick<Api, "store" | "clock">, send: SendOptions, errors: unknown[] = []) {
  const deliverer = new Deliverer({
    store: api.store,
    lists: { catalog, compatTable, compat: false },
    send,
    now: () => api.clock.now,
    clock: systemClock,
    onError: (error) => errors.push(error),
    // In a hurry, except with attempts in flight: a machine that pauses doesn't end them.
    timing: { tickMs: 10, saveMs: 20, idleMs: 20, coverMs: 20, closeMs: 60_000 },
  });
  const stopping = new AbortController();
  const running = deliverer.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { deliverer, stop };
}

export const localSending: SendOptions = { ...sendOptions("test", ["127.0.0.1"]), timeoutMs: 600_000 };

export function whileDelivering(
  title: string,
  define: (test: (name: string, run: (delivering: Delivering) => Promise<void>, options?: TestOptions) => void) => void,
): void {
  onEveryStore(title, (test) =>
    define((name, run, { send = localSending, ...options } = {}) =>
      test(
        name,
        async (api) => {
          const receiver = await startReceiver();
          const request = await administering(api);
          const errors: unknown[] = [];
          const { deliverer, stop } = startDelivering(api, send, errors);
          const show = async (id: string) => (await request("GET", `/${id}`)).json;
          const delivering: Delivering = {
            ...{ api, receiver, request, errors, deliverer, show },
            create: async (members = {}) => {
              const created = await request("POST", "", { url: receiver.url, resource: "ratings", ...members });
              assert.equal(created.status, 201, created.text);
              return created.json;
            },
            settled: async (id) => {
              const { position, databaseId } = await api.store.state();
              await waitUntil(async () => {
                const webhook = await show(id);
                return webhook.held === 0 && webhook.position === `${databaseId}.${position}`;
              }, `${id} has delivered everything`);
            },
          };
          try {
            await run(delivering);
          } finally {
            await stop();
            await receiver.close();
          }
          assert.deepEqual(errors, []);
        },
        options,
      ),
    ),
  );
}

export type TestOptions = ApiOptions & { readonly send?: SendOptions };
