// Webhooks with different filters on every resource, for one receiver that fails at random; and what the log says for each.
import assert from "node:assert/strict";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { matches } from "../../src/core/query/evaluate.ts";
import { actionFor } from "../../src/live/entry-events.ts";
import { restForm } from "../../src/live/event-form.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { compatTable } from "../../src/resources/compat/compat.ts";
import type { RecordChange, Store } from "../../src/store/store.ts";
import { messageId, payloadForm } from "../../src/webhooks/message.ts";
import { WebhookStore } from "../../src/webhooks/webhook-store.ts";
import { parseUrl } from "../support/requests/requests.ts";
import { localSending } from "../webhooks/support/delivering.ts";
import { type Received, type Receiver, startReceiver } from "../webhooks/support/receiver.ts";

export type Filtered = { readonly resource: Resource; readonly url: string };

type Hooked = Filtered & { readonly id: string };

type Expected = { readonly id: string; readonly record: string; readonly text: string };

export class WebhookCrowd {
  readonly receiver: Receiver;
  readonly #hooks: readonly Hooked[];
  readonly #store: Store;
  readonly #known = new Map<Hooked, Promise<readonly Expected[]>>();

  private constructor(receiver: Receiver, hooks: readonly Hooked[], store: Store) {
    this.receiver = receiver;
    this.#hooks = hooks;
    this.#store = store;
  }

  /** `fails` decides whether the receiver fails now. */
  static async create(store: Store, filters: readonly Filtered[], now: () => number, fails: () => boolean) {
    const receiver = await startReceiver();
    // It has received the event in any case, and doesn't say so.
    receiver.respond(({ id }) => (fails() ? (id.length % 2 === 0 ? undefined : { status: 500 }) : { status: 204 }));
    const lists = { catalog, compatTable, compat: false };
    const webhooks = new WebhookStore({ store, lists, send: localSending, now });
    const hooks: Hooked[] = [];
    for (const { resource, url } of filters) {
      const [, query = ""] = url.split("?");
      const created = await webhooks.create({
        ...{ url: receiver.url, resource: resource.name, filters: query, since: "start" },
      });
      if ("problem" in created) assert.fail(`${url}: ${JSON.stringify(created.problem)}`);
      hooks.push({ resource, url, id: created.entry.id });
    }
    return new WebhookCrowd(receiver, hooks, store);
  }

  /** Whether each webhook has delivered what the log says. */
  async isComplete(logOf: LogOf): Promise<boolean> {
    const accepted = new Set(this.receiver.accepted.map(({ id }) => id));
    for (const hook of this.#hooks)
      for (const { id } of await this.#expected(hook, logOf)) if (!accepted.has(id)) return false;
    return true;
  }

  /** Verifies each webhook; returns how many events were expected. */
  async verify(logOf: LogOf): Promise<number> {
    let events = 0;
    for (const hook of this.#hooks) {
      const expected = await this.#expected(hook, logOf);
      const suffix = hook.id.replace("wh_", "_");
      const first = firstOfEach(this.receiver.accepted.filter(({ id }) => id.endsWith(suffix)));
      const texts = new Map(expected.map(({ id, text }) => [id, text]));
      assert.equal(first.length, expected.length, hook.url);
      for (const { id, text } of first) assert.equal(text, texts.get(id), hook.url);
      const recordOf = ({ body }: Received) => String(body.data.id);
      for (const record of new Set(first.map(recordOf)))
        assert.deepEqual(
          first.filter((each) => recordOf(each) === record).map(({ id }) => id),
          expected.filter((each) => each.record === record).map(({ id }) => id),
          `${hook.url}: the order of ${record}`,
        );
      events += expected.length;
    }
    return events;
  }

  /** Computed once, when nothing is written any more. */
  #expected(hook: Hooked, logOf: LogOf): Promise<readonly Expected[]> {
    const known = this.#known.get(hook) ?? this.#read(hook, logOf);
    this.#known.set(hook, known);
    return known;
  }

  async #read({ resource, url, id }: Hooked, logOf: LogOf): Promise<readonly Expected[]> {
    const { databaseId, rendering } = await this.#store.state();
    const parsed = parseUrl(resource, url) ?? assert.fail(url);
    const form = payloadForm(resource, restForm(parsed, rendering));
    return (await logOf(this.#store, resource)).flatMap((entry) => {
      const action = actionFor(entry, (row) => matches(parsed.plan, row));
      if (action === undefined) return [];
      return [{ id: messageId(id, databaseId, entry.seq), record: entry.id, text: form.text(action, entry) }];
    });
  }
}

type LogOf = (store: Store, resource: Resource) => Promise<readonly RecordChange[]>;

function firstOfEach(received: readonly Received[]): Received[] {
  const seen = new Set<string>();
  return received.filter(({ id }) => !seen.has(id) && seen.add(id));
}
