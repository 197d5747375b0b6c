// The terms of a key hold on every stream, as server-sent events and over WebSocket: when it is opened, while it sends, and
// when they change.
import assert from "node:assert/strict";
import type { Terms } from "../../src/core/access/terms.ts";
import type { Resource } from "../../src/core/catalog/resource.ts";
import type { Code } from "../../src/core/problem.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type Api, type RecordInput, recordsOf, testNow } from "../support/clients/api.ts";
import { openMessages, rejectedMessages } from "../support/clients/message-stream.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";

type Connection = { events(): string[]; closed(): Promise<void>; readonly reason: string; cut(): void };
type Headers = Record<string, string>;

type Transport = {
  readonly name: string;
  open(api: Api, path: string, headers: Headers): Promise<Connection>;
  /** The problem that rejects a connection. */
  refusal(api: Api, path: string, headers: Headers): Promise<string>;
};

const transports: readonly Transport[] = [
  {
    name: "server-sent events",
    open: async (api, path, headers) => {
      const stream = await api.stream(`${path}/stream`, headers);
      assert.equal(stream.status, 200, stream.body);
      await waitUntil(() => stream.lastId !== "", "the position of the stream");
      return {
        events: () => stream.events.map(({ event, data }) => `${event} ${data.id} ${JSON.stringify(data.record)}`),
        closed: () => stream.closed(),
        cut: () => stream.cut(),
        get reason() {
          return (stream.comments.at(-1) ?? "").replace("closed: ", "");
        },
      };
    },
    refusal: async (api, path, headers) => {
      const stream = await api.stream(`${path}/stream`, headers);
      await stream.closed();
      return JSON.parse(stream.body).code;
    },
  },
  {
    name: "WebSocket",
    open: async (api, path, headers) => {
      const stream = await openMessages(api, `${path}/stream`, { headers });
      return {
        events: () =>
          stream.messages.map(({ data: { action, id, content } }) =>
            action === "deleted" ? `removed ${id} undefined` : `${action} ${id} ${JSON.stringify(content)}`,
          ),
        closed: () => stream.closed(),
        cut: () => stream.cut(),
        get reason() {
          return stream.reason;
        },
      };
    },
    refusal: async (api, path, headers) => (await rejectedMessages(api, `${path}/stream`, headers)).json.code,
  },
];

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const history = "2025-01-01";
const delay = 10;
const elsewhere = ["192.0.2.0/24"];
const here = ["127.0.0.0/8"];
const changed = "the terms of the key have changed; reconnect";

/** Changes of a key while it is connected, and why its streams end. */
const ends: readonly [name: string, change: (api: Api, key: string) => Promise<unknown>, reason: string][] = [
  ["revoked", (api, key) => api.store.revokeKey(key, testNow), "the key has been revoked"],
  ["another resource", (api, key) => api.store.updateKey(key, { resources: ["none"] }, testNow), changed],
  ["another network", (api, key) => api.store.updateKey(key, { networks: elsewhere }, testNow), changed],
  ["a history", (api, key) => api.store.updateKey(key, { history }, testNow), changed],
  ["a delay", (api, key) => api.store.updateKey(key, { delay }, testNow), changed],
  ["another scope", (api, key) => api.store.updateKey(key, { scopes: ["write"] }, testNow), changed],
];

/** Three records: before and after the start of the history, and one that moves from one side to the other. */
function changesOf({ name, fields }: Resource): readonly RecordInput[] {
  const ids = name === "news" ? [1, 2, 3] : ["a", "b", "c"];
  const dated = (day: string): RecordInput =>
    name === "news" ? { created: Date.parse(`${day}T12:00Z`) / 1000 } : { date: day };
  // Lists show primary guidance only, unless a request says otherwise.
  const more = "is_primary" in fields ? { is_primary: "Y" } : {};
  const [old, recent, moving] = ids.map((id) => ({ id, ...more }));
  return [
    { ...old, ...dated("2024-06-03") },
    { ...recent, ...dated("2025-06-03") },
    { ...moving, ...dated("2024-06-04") },
    { ...moving, ...dated("2025-06-04") },
    { ...recent, ...dated("2024-06-05") },
  ];
}

sharingEveryStore("terms of keys on streams", (test) => {
  for (const resource of catalog) {
    const { name, path } = resource;
    const other = catalog.find((each) => each !== resource)?.name ?? "";

    test(`${name}: a key that may not read the list can't open its stream`, async (api) => {
      const cases: [Partial<Terms>, Code][] = [
        [{ resources: [other] }, "key.resource"],
        [{ networks: elsewhere }, "key.network"],
        [{ origins: ["https://app.example.com"] }, "key.origin"],
        [{ scopes: ["write"] }, "key.scope"],
        [{ expires: "2026-01-14" }, "key.unknown"],
      ];
      for (const [terms, code] of cases) {
        const headers = bearer(await api.key(terms));
        assert.equal((await api.fetch(path, headers)).json.code, code);
        for (const { name: by, refusal } of transports) assert.equal(await refusal(api, path, headers), code, by);
      }
    });

    test(`${name}: a stream sends what the list of its key shows, when it shows it`, async (api) => {
      const open = async (terms: Partial<Terms>) => {
        const headers = bearer(await api.key(terms));
        const streams = await Promise.all(transports.map((each) => each.open(api, path, headers)));
        return { headers, streams, expected: [] as string[], list: new Map<string, string>() };
      };
      const [all, recent] = [
        await open({ resources: [name], networks: here }),
        await open({ history, resources: [name, other] }),
      ];
      const [delayed, both] = [await open({ delay }), await open({ delay, history })];
      for (const record of [...changesOf(resource), undefined]) {
        const id = String((record ?? changesOf(resource)[0])?.id);
        if (record === undefined) await api.store.remove(resource, [id]);
        else await api.has(name, [record]);
        for (const client of [all, recent]) {
          const { json } = await api.fetch(path, client.headers);
          const list = new Map(recordsOf(json).map((each) => [String(each.id), JSON.stringify(each)]));
          const [before, after] = [client.list.get(id), list.get(id)];
          client.list = list;
          if (after !== undefined)
            client.expected.push(`${before === undefined ? "created" : "updated"} ${id} ${after}`);
          else if (before !== undefined) client.expected.push(`removed ${id} undefined`);
        }
      }
      assert.ok(recent.expected.length > 1 && recent.expected.length < all.expected.length);
      for (const { streams, expected } of [all, recent])
        for (const stream of streams) {
          await waitUntil(() => stream.events().length >= expected.length, `${expected.length} events`);
          assert.deepEqual(stream.events(), expected);
        }
      for (const { streams } of [delayed, both]) for (const stream of streams) assert.deepEqual(stream.events(), []);
      api.clock.now += delay * 60 + 60;
      for (const [{ streams }, { expected }] of [
        [delayed, all],
        [both, recent],
      ] as const)
        for (const stream of streams) {
          await waitUntil(() => stream.events().length >= expected.length, `${expected.length} delayed events`);
          assert.deepEqual(stream.events(), expected);
        }
      for (const { streams } of [all, recent, delayed, both]) for (const stream of streams) stream.cut();
    });

    test(`${name}: a stream ends when its key may no longer have it, before anything else is sent`, async (api) => {
      const [first, second] = changesOf(resource);
      const open = async (key: string) => Promise.all(transports.map((each) => each.open(api, path, bearer(key))));
      const keyName = (end: string) => `${name} ${end} ${api.clock.now}`;
      const streams = await Promise.all(ends.map(async ([end]) => open(await api.key({ name: keyName(end) }))));
      const untouched = await open(await api.key());
      const expiring = await open(await api.key({ expires: "2026-01-15" }));
      await api.has(name, [first ?? {}]);
      const everyone = [...streams, untouched, expiring].flat();
      for (const stream of everyone) await waitUntil(() => stream.events().length === 1, "the first event");
      for (const [end, change] of ends) await change(api, keyName(end));
      await api.has(name, [second ?? {}]);
      for (const [at, [end, , reason]] of ends.entries())
        for (const stream of streams[at] ?? []) {
          await stream.closed();
          assert.equal(stream.reason, reason, end);
          assert.equal(stream.events().length, 1, end);
        }
      for (const stream of [untouched, expiring].flat())
        await waitUntil(() => stream.events().length === 2, "the second event");
      api.clock.now += 86_400;
      await api.has(name, [{ ...second, ...changesOf(resource)[4] }]);
      for (const stream of expiring) {
        await stream.closed();
        assert.equal(stream.reason, "the key has expired");
        assert.equal(stream.events().length, 2);
      }
      for (const stream of untouched) {
        await waitUntil(() => stream.events().length === 3, "the third event");
        stream.cut();
      }
    });
  }
});
