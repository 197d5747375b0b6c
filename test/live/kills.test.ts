// Exactness under faults: servers, the one that delivers webhooks, and the database are killed at random moments, and clients
// reconnect with their last position. At the end each client and each receiver has, event for event, what the change log
// says for its filter.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { matches } from "../../src/core/query/evaluate.ts";
import { streamPosition } from "../../src/core/query/stream-position.ts";
import { messageForm } from "../../src/http/websocket/message-form.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import { actionFor } from "../../src/live/entry-events.ts";
import { eventForm, restForm } from "../../src/live/event-form.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { Store } from "../../src/store/store.ts";
import { type Serving, serving } from "../commands/support/bellwire.ts";
import { runs, seed } from "../support/budget.ts";
import type { RecordInput } from "../support/clients/api.ts";
import { random } from "../support/random.ts";
import { parseUrl, requests, rowsOf } from "../support/requests/requests.ts";
import { filtersOf } from "../support/requests/stream-filters.ts";
import { openTestStore, stores } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { databaseOn, logOf, now, Writer } from "./faults.ts";
import { ReconnectingClient, type Transport } from "./reconnecting-client.ts";
import { type Filtered, WebhookCrowd } from "./webhook-crowd.ts";

const kills = runs(2, 30);
const clientCount = runs(21, 200);
const webhookCount = runs(14, 70);
/** One in so many deliveries fails. */
const failureRate = 50;
/** Changes between two kills. */
const changesPerKill = { min: runs(20, 50), max: runs(60, 400) };

/** Different filters on every resource. */
function filtersFor(crowds: Writer["crowds"], count: number): Filtered[] {
  const numRuns = Math.ceil(count / catalog.length) - 1;
  const all = catalog.flatMap((resource) => {
    const records = crowds.get(resource) as readonly RecordInput[];
    const urls = fc.sample(requests(filtersOf(resource), records, rowsOf(resource, records)), { seed, numRuns });
    return [resource.path, ...urls].map((url) => ({ resource, url }));
  });
  return all.slice(0, count);
}

/** Over both transports. */
const clientsFor = (crowds: Writer["crowds"], options: { token: string; position: string; server: () => string }) =>
  filtersFor(crowds, clientCount).map(({ resource, url }, at) => {
    const [path, query = ""] = url.split("?");
    const transport: Transport = at % 2 === 0 ? "events" : "messages";
    return {
      resource,
      url,
      client: new ReconnectingClient({ ...options, transport, path: `${path}/stream?${query}` }),
    };
  });

/** The server that delivers webhooks: the one that holds the lease, or will in a moment. */
async function delivererAmong(servers: readonly Serving[], store: Store): Promise<number> {
  let found = -1;
  await waitUntil(async () => {
    const lease = JSON.parse((await store.getMetadata("webhooks lease").catch(() => undefined)) ?? "{}");
    found = servers.findIndex(({ child }) => child.pid === lease.pid);
    return found !== -1;
  }, "a server that delivers");
  return found;
}

/** What the change log says for a filter. */
async function expectedOf(store: Store, resource: Resource, url: string, by: Transport): Promise<string[]> {
  const log = await logOf(store, resource);
  const { databaseId, rendering } = await store.state();
  const parsed = parseUrl(resource, url) ?? assert.fail(url);
  const rest = restForm(parsed, rendering);
  const form = by === "events" ? eventForm(resource, rest) : messageForm(resource, rest, false, databaseId);
  return log.flatMap((entry) => {
    const action = actionFor(entry, (row) => matches(parsed.plan, row));
    if (action === undefined) return [];
    const text = form.text(action, entry);
    return [by === "events" ? `${streamPosition(databaseId, entry.seq)} ${text}` : text];
  });
}

for (const name of stores) {
  describe(`streams, webhooks, and killed processes [${name}]`, () => {
    test(`${clientCount} clients and ${webhookCount} receivers have everything, in order, after ${kills} kills`, async (t) => {
      const database = await databaseOn(name);
      const store = await openTestStore(database.name, now);
      const stops: (() => unknown)[] = [];
      t.after(async () => {
        for (const stop of stops) await stop();
        await store.close();
        await database.release();
      });
      const token = generateKey();
      await store.addKey({ name: "reader", hash: hashKey(token), created: now(), licenses: ["cusip"] });
      const flags = ["--database", database.name, "--no-demo", "--log-level", "fatal", "--key-streams", "0"];
      flags.push("--webhook-networks", "127.0.0.1");
      const start = () => serving(flags);
      const servers: Serving[] = await Promise.all([start(), start()]);
      const pick = random(seed);
      const writer = new Writer(store, pick);
      const { databaseId, position } = await store.state();
      const server = () => servers[Math.floor(Math.random() * servers.length)]?.url ?? "";
      const clients = clientsFor(writer.crowds, { token, position: streamPosition(databaseId, position), server });
      const webhooks = await WebhookCrowd.create(store, filtersFor(writer.crowds, webhookCount), now, () => {
        return Math.random() * failureRate < 1;
      });
      const stopClients = () => {
        for (const { client } of clients) client.stop();
      };
      const runningClients = clients.map(({ client }) => client.run());
      const writing = writer.run();
      stops.push(
        () => writer.stop(),
        () => writing.catch(() => {}),
        stopClients,
        () => webhooks.receiver.close(),
      );
      const began = performance.now();
      for (let kill = 0; kill < kills; kill++) {
        const until = writer.changes + changesPerKill.min + pick(changesPerKill.max - changesPerKill.min);
        // Also while servers are killed and started.
        writer.maxChanges = until + changesPerKill.max;
        await waitUntil(() => writer.changes >= until, "more changes");
        if (kill % 3 === 1 && database.crash !== undefined) await database.crash();
        else {
          const at = kill % 2 === 0 ? await delivererAmong(servers, store) : pick(servers.length);
          const [victim] = servers.splice(at, 1);
          await victim?.stop("SIGKILL");
          servers.push(await start());
        }
      }
      const seconds = (performance.now() - began) / 1000;
      const last = writer.changes + changesPerKill.min;
      writer.maxChanges = last;
      await waitUntil(() => writer.changes >= last, "changes after the last kill");
      writer.stop();
      await writing;
      const results = await Promise.all(
        clients.map(async ({ resource, url, client }) => {
          const { transport } = client.options;
          return { client, expected: await expectedOf(store, resource, url, transport), about: `${transport} ${url}` };
        }),
      );
      for (const { client, expected, about } of results)
        await waitUntil(() => client.received.length >= expected.length || client.failure !== undefined, about);
      await waitUntil(() => webhooks.isComplete(logOf), "all deliveries");
      stopClients();
      // A graceful stop sends everything that a server has to send, also what would be too much.
      await Promise.all(servers.map((each) => each.stop()));
      await Promise.all(runningClients);
      for (const { client, expected, about } of results) {
        assert.equal(client.failure, undefined, about);
        assert.deepEqual(client.received, expected, about);
      }
      const delivered = await webhooks.verify(logOf);
      const events = results.reduce((sum, { expected }) => sum + expected.length, 0);
      const connections = clients.reduce((sum, { client }) => sum + client.connections, 0);
      assert.ok(events > writer.changes, `${events} events`);
      assert.ok(connections > clients.length, "clients have reconnected");
      t.diagnostic(
        `${writer.changes} changes (${Math.round(writer.changes / seconds)}/s), ${events} events, ${connections} connections; ${delivered} events in ${webhooks.receiver.received.length} deliveries`,
      );
    });
  });
}
