// Exactness under faults: servers and the database are killed at random moments, clients reconnect with their last position,
// and at the end each has, event for event, what the change log says for its filter.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { matches } from "../../src/core/query/evaluate.ts";
import { streamPosition } from "../../src/core/query/stream-position.ts";
import { printFieldError, validateRecord } from "../../src/core/record/validate.ts";
import { messageForm } from "../../src/http/websocket/message-form.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import { actionFor } from "../../src/live/entry-events.ts";
import { eventForm, restForm } from "../../src/live/event-form.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type RecordChange, type Store, StoreError } from "../../src/store/store.ts";
import { endRunning, type Serving, serving } from "../commands/support/bellwire.ts";
import { runs, seed } from "../support/budget.ts";
import type { RecordInput } from "../support/clients/api.ts";
import { random } from "../support/random.ts";
import { crowd, sample } from "../support/records/records.ts";
import { parseUrl, requests, rowsOf } from "../support/requests/requests.ts";
import { filtersOf } from "../support/requests/stream-filters.ts";
import { makePostgres } from "../support/stores/postgres.ts";
import { openTestStore, type StoreName, sqliteDatabase, stores } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ReconnectingClient, type Transport } from "./reconnecting-client.ts";

after(endRunning);

const kills = runs(2, 30);
const clientCount = runs(21, 200);
const changesPerSecond = 50;
/** Changes between two kills. */
const changesPerKill = { min: runs(20, 50), max: runs(60, 400) };
const idsPerResource = 20;
const now = () => Math.floor(Date.now() / 1000);

type Database = { readonly name: string; crash?(): Promise<void>; release(): Promise<void> };

async function databaseOn(store: StoreName): Promise<Database> {
  if (store === "sqlite") return sqliteDatabase();
  const postgres = await makePostgres();
  await postgres.start();
  return {
    name: postgres.url,
    crash: async () => {
      await postgres.stop("immediate");
      await postgres.start();
    },
    release: () => postgres.remove(),
  };
}

/** Creates, changes, and removes records of all resources, at a rate. */
class Writer {
  changes = 0;
  readonly crowds = new Map(catalog.map((resource) => [resource, sample(crowd(resource, 60))]));
  #isStopped = false;
  readonly #random: (below: number) => number;
  readonly #store: Store;

  constructor(store: Store, pick: (below: number) => number) {
    this.#store = store;
    this.#random = pick;
  }

  async run(): Promise<void> {
    const startedAt = performance.now();
    while (!this.#isStopped) {
      await this.#change().catch(async (error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
        await pause(100);
      });
      await pause(Math.max(0, startedAt + (this.changes * 1000) / changesPerSecond - performance.now()));
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #change(): Promise<void> {
    const resource = this.#pick(catalog);
    const records = this.crowds.get(resource) ?? [];
    const { id } = this.#pick(records.slice(0, idsPerResource));
    if (this.#random(5) === 0) await this.#store.remove(resource, [String(id)]);
    else {
      const accepted = validateRecord(resource, { ...this.#pick(records), id }, now());
      assert.ok("row" in accepted, "errors" in accepted ? accepted.errors.map(printFieldError).join() : "");
      await this.#store.put(resource, [accepted]);
    }
    this.changes++;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random(values.length)] as T;
  }
}

/** Different filters on every resource, over both transports. */
function clientsFor(crowds: Writer["crowds"], options: { token: string; position: string; server: () => string }) {
  const perResource = Math.ceil(clientCount / catalog.length);
  const clients = catalog.flatMap((resource) => {
    const records = crowds.get(resource) as readonly RecordInput[];
    const urls = fc.sample(requests(filtersOf(resource), records, rowsOf(resource, records)), {
      seed,
      numRuns: perResource - 1,
    });
    return [resource.path, ...urls].map((url, at) => {
      const [path, query = ""] = url.split("?");
      const transport: Transport = at % 2 === 0 ? "events" : "messages";
      return {
        resource,
        url,
        client: new ReconnectingClient({ ...options, transport, path: `${path}/stream?${query}` }),
      };
    });
  });
  return clients.slice(0, clientCount);
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

const logs = new WeakMap<Store, Map<Resource, Promise<RecordChange[]>>>();

/** The whole log of a resource, read once. */
function logOf(store: Store, resource: Resource): Promise<RecordChange[]> {
  const known = logs.get(store) ?? new Map();
  logs.set(store, known);
  known.set(resource, known.get(resource) ?? readLog(store, resource));
  return known.get(resource);
}

async function readLog(store: Store, resource: Resource): Promise<RecordChange[]> {
  const log: RecordChange[] = [];
  for (;;) {
    const entries = await store.recordChanges(resource, log.at(-1)?.seq ?? 0, 200);
    if (entries.length === 0) return log;
    log.push(...entries);
  }
}

for (const name of stores) {
  describe(`streams and killed processes [${name}]`, () => {
    test(`${clientCount} clients have everything once, in order, after ${kills} kills`, async (t) => {
      const database = await databaseOn(name);
      const store = await openTestStore(database.name, now);
      t.after(async () => {
        await store.close();
        await database.release();
      });
      const token = generateKey();
      await store.addKey({ name: "reader", hash: hashKey(token), created: now(), licenses: ["cusip"] });
      const flags = ["--database", database.name, "--no-demo", "--log-level", "fatal", "--key-streams", "0"];
      const start = () => serving(flags);
      const servers: Serving[] = await Promise.all([start(), start()]);
      const pick = random(seed);
      const writer = new Writer(store, pick);
      const { databaseId, position } = await store.state();
      const server = () => servers[Math.floor(Math.random() * servers.length)]?.url ?? "";
      const clients = clientsFor(writer.crowds, { token, position: streamPosition(databaseId, position), server });
      const runningClients = clients.map(({ client }) => client.run());
      const writing = writer.run();
      const began = performance.now();
      for (let kill = 0; kill < kills; kill++) {
        const until = writer.changes + changesPerKill.min + pick(changesPerKill.max - changesPerKill.min);
        await waitUntil(() => writer.changes >= until, "more changes");
        if (kill % 3 === 1 && database.crash !== undefined) await database.crash();
        else {
          const [victim] = servers.splice(pick(servers.length), 1);
          await victim?.stop("SIGKILL");
          servers.push(await start());
        }
      }
      const seconds = (performance.now() - began) / 1000;
      const last = writer.changes + changesPerKill.min;
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
      for (const { client } of clients) client.stop();
      // A graceful stop sends everything that a server has to send, also what would be too much.
      await Promise.all(servers.map((each) => each.stop()));
      await Promise.all(runningClients);
      for (const { client, expected, about } of results) {
        assert.equal(client.failure, undefined, about);
        assert.deepEqual(client.received, expected, about);
      }
      const events = results.reduce((sum, { expected }) => sum + expected.length, 0);
      const connections = clients.reduce((sum, { client }) => sum + client.connections, 0);
      assert.ok(events > writer.changes, `${events} events`);
      assert.ok(connections > clients.length, "clients have reconnected");
      t.diagnostic(
        `${writer.changes} changes (${Math.round(writer.changes / seconds)}/s), ${events} events, ${connections} connections`,
      );
    });
  });
}
