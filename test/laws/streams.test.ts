// A stream is, event for event, what the change log says for its filter, however often it is cut. What a filter sees is
// read from the list itself, before and after every change.
import assert from "node:assert/strict";
import fc from "fast-check";
import { catalog } from "../../src/resources/catalog.ts";
import { runs } from "../support/budget.ts";
import { type Api, type RecordInput, recordsOf } from "../support/clients/api.ts";
import { type EventStream, frequentHeartbeats } from "../support/clients/event-stream.ts";
import { crowd, sample, seed } from "../support/records/records.ts";
import { requests, rowsOf } from "../support/requests/requests.ts";
import { filtersOf } from "../support/requests/stream-filters.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const recordCount = 40;
const changeCount = runs(20, 120);
const clientCount = runs(4, 20);

class Client {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** By the list. */
  readonly expected: string[] = [];
  readonly received: string[] = [];
  position = "";
  #api: Api;
  #list = new Map<string, string>();
  #stream: EventStream | undefined;

  constructor(api: Api, url: string, headers: Record<string, string>) {
    this.#api = api;
    this.url = url;
    this.headers = headers;
  }

  get #size(): string {
    return `${this.url.includes("?") ? "&" : "?"}${this.url.startsWith("/api/v2/news") ? "pageSize" : "pagesize"}=100`;
  }

  async readList(): Promise<Map<string, string>> {
    const { json } = await this.#api.fetch(`${this.url}${this.#size}`, this.headers);
    return new Map(recordsOf(json).map((record) => [String(record.id), JSON.stringify(record)]));
  }

  /** Adds what the list shows of a change to the expected events. */
  async expect(isLogged: boolean, id: string): Promise<void> {
    const list = await this.readList();
    const [before, after] = [this.#list.get(id), list.get(id)];
    this.#list = list;
    if (!isLogged) return;
    if (after !== undefined) this.expected.push(`${before === undefined ? "created" : "updated"} ${id} ${after}`);
    else if (before !== undefined) this.expected.push(`removed ${id} undefined`);
  }

  async connect(): Promise<void> {
    if (this.#stream !== undefined) return;
    const [path, query = ""] = this.url.split("?");
    const headers = { ...this.headers, ...(this.position === "" ? {} : { "last-event-id": this.position }) };
    this.#stream = await this.#api.stream(`${path}/stream?${query}`, headers);
    assert.equal(this.#stream.status, 200, `${this.url}: ${this.#stream.body}`);
    await waitUntil(() => this.#stream?.lastId !== "", "the position of the stream");
  }

  /** Loses or restores the connection. */
  async toggle(): Promise<void> {
    if (this.#stream === undefined) await this.connect();
    else this.cut();
  }

  cut(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    stream.cut();
    this.#stream = undefined;
    this.position = stream.lastId;
    for (const { event, data } of stream.events)
      this.received.push(`${event} ${data.id} ${JSON.stringify(data.record)}`);
  }

  async reaches(position: string): Promise<void> {
    await this.connect();
    const seqOf = (id = "") => Number(id.split(".")[1]);
    await waitUntil(() => seqOf(this.#stream?.lastId) >= seqOf(position), position);
    this.cut();
  }
}

/** A change of one record, which is written or removed; and which clients lose or restore their connection. */
const changes = (records: readonly RecordInput[]) =>
  fc.array(
    fc.record({
      id: fc.nat({ max: 9 }),
      content: fc.nat({ max: records.length - 1 }),
      isRemoval: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0),
      toggled: fc.array(fc.nat({ max: clientCount - 1 }), { maxLength: 2 }),
    }),
    { minLength: changeCount, maxLength: changeCount },
  );

onEveryStore("streams under faults", (test) => {
  for (const resource of catalog) {
    test(
      `${resource.name}: a client that reconnects misses nothing and gets nothing twice`,
      async (api) => {
        const records = sample(crowd(resource, recordCount));
        const ids = records.slice(0, 10).map(({ id }) => String(id));
        const urls = fc.sample(requests(filtersOf(resource), records, rowsOf(resource, records)), {
          seed,
          numRuns: clientCount - 1,
        });
        const history = { authorization: `Bearer ${await api.key({ history: "2024-11-04", licenses: ["cusip"] })}` };
        const clients = [resource.path, ...urls].map((url, at) => new Client(api, url, at % 2 === 1 ? history : {}));
        for (const client of clients) await client.connect();
        for (const { id: index, content, isRemoval, toggled } of fc.sample(changes(records), { seed, numRuns: 1 })[0] ??
          []) {
          const id = ids[index] ?? "";
          const [outcome] = isRemoval
            ? [(await api.store.remove(resource, [id])) === 1 ? "removed" : "unchanged"]
            : await api.has(resource.name, [{ ...records[content], id: records[index]?.id }]);
          for (const client of clients) await client.expect(outcome !== "unchanged", id);
          for (const at of toggled) await clients[at]?.toggle();
        }
        const { position, databaseId } = await api.store.state();
        let events = 0;
        for (const client of clients) {
          await client.reaches(`${databaseId}.${position}`);
          assert.deepEqual(client.received, client.expected, client.url);
          events += client.received.length;
          const again = new Client(api, client.url, client.headers);
          again.position = `${databaseId}.0`;
          await again.reaches(`${databaseId}.${position}`);
          assert.deepEqual(again.received, client.expected, `${client.url} from the start`);
        }
        assert.ok(events > changeCount / 2, `${events} events`);
      },
      { every: frequentHeartbeats, keyStreams: 0 },
    );
  }
});
