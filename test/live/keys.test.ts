// The terms of a key hold on its streams, also when they change while it is connected.
import assert from "node:assert/strict";
import { catalog } from "../../src/resources/catalog.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { type Api, testNow } from "../support/clients/api.ts";
import type { EventStream, StreamEvent } from "../support/clients/event-stream.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { hubOf } from "./manual-hub.ts";

const list = "/api/v2.1/calendar/ratings";
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const seen = (events: readonly StreamEvent[]) => events.map(({ event, data }) => `${event} ${data.id}`);

/** Opens a stream with a new key, which is named after the number of keys before it. */
const opened = async (api: Api, terms: Parameters<Api["key"]>[0], url = `${list}/stream`): Promise<EventStream> =>
  api.stream(url, bearer(await api.key(terms)));

/** IDs of news are numbers. */
const exampleId = (name: string, at: number): string | number => (name === "news" ? at + 1 : `r${at}`);

onEveryStore("streams and keys", (test) => {
  test("a stream ends when its key is revoked, without the changes after that", async (api) => {
    const stream = await opened(api, { name: "reader" });
    await api.has("ratings", [{ id: "a" }]);
    await stream.has(1);
    await api.store.revokeKey("reader", testNow);
    await api.has("ratings", [{ id: "b" }]);
    await stream.closed();
    assert.deepEqual(seen(stream.events), ["created a"]);
    assert.deepEqual(stream.comments, ["closed: the key has been revoked"]);
    const again = await api.stream(`${list}/stream`, {
      authorization: "Bearer bw_unknown",
      "last-event-id": stream.lastId,
    });
    assert.equal(again.status, 401);
  });

  test("a change committed after the key was revoked isn't sent, even if it is read before that is noticed", async (api) => {
    const { store } = api;
    let beforeRead = async () => {};
    const slow: typeof store = {
      ...store,
      recordChanges: async (...range) => {
        await beforeRead();
        return store.recordChanges(...range);
      },
    };
    const { hub, subscribe } = hubOf({ ...api, store: slow });
    await api.key({ name: "reader" });
    let isRevoked = false;
    const stream = await subscribe(await store.state(), async () => (isRevoked ? "revoked" : undefined));
    await api.has("ratings", [{ id: "a" }]);
    await hub.tick();
    await waitUntil(() => stream.events.length > 0, "the first change is sent");
    beforeRead = async () => {
      beforeRead = async () => {};
      await store.revokeKey("reader", testNow);
      isRevoked = true;
      await api.has("ratings", [{ id: "c" }]);
    };
    await api.has("ratings", [{ id: "b" }]);
    await hub.tick();
    await waitUntil(() => stream.closed !== undefined || stream.events.length > 1, "the changes are read");
    assert.deepEqual([stream.events, stream.closed], [["created a"], "revoked"]);
    hub.close();
  });

  test("a stream that is opened while the others are checked is checked, too, with the keys of then", async (api) => {
    const { hub, subscribe } = hubOf(api);
    const before = await api.store.state();
    const checking = Promise.withResolvers<undefined>();
    const first = await subscribe(before, () => checking.promise);
    await hub.tick();
    await api.key();
    const ticking = hub.tick();
    await waitUntil(() => first.checks === 1, "the first one is being checked");
    const second = await subscribe(before);
    checking.resolve(undefined);
    await ticking;
    await hub.tick();
    assert.deepEqual([first.checks, second.checks], [1, 1]);
    const third = await subscribe(await api.store.state());
    await hub.tick();
    assert.deepEqual([first.checks, second.checks, third.checks], [1, 1, 0]);
    hub.close();
  });

  test("a delayed key's stream that never begins isn't where the next one starts to read", async (api) => {
    const { store } = api;
    const read: number[] = [];
    const counting: typeof store = {
      ...store,
      recordChanges: (resource, after, limit) => {
        read.push(after);
        return store.recordChanges(resource, after, limit);
      },
    };
    const { hub } = hubOf({ ...api, store: counting });
    await hub.start(ratings, undefined, 10, await store.state());
    await api.has("ratings", [{ id: "a" }, { id: "b" }]);
    const { position } = await store.state();
    api.clock.now += 86_400;
    read.length = 0;
    assert.deepEqual(await hub.start(ratings, undefined, 10, await store.state()), { position });
    assert.deepEqual([...new Set(read)], [position]);
    hub.close();
  });

  test("a stream that was parsed with other settings ends, and the others go on", async (api) => {
    const { hub, subscribe } = hubOf(api);
    const before = await api.store.state();
    await api.store.render({ zone: "Europe/Berlin" });
    const current = await subscribe(await api.store.state());
    const outdated = await subscribe(before);
    await hub.tick();
    assert.deepEqual([outdated.closed, current.closed], ["settings", undefined]);
    hub.close();
  });

  test("a stream that is opened right after settings have changed goes on, and the others end", async (api) => {
    const { hub, subscribe } = hubOf(api);
    const before = await subscribe(await api.store.state());
    await api.store.render({ zone: "Europe/Berlin" });
    const after = await subscribe(await api.store.state());
    await hub.tick();
    assert.deepEqual([before.closed, after.closed], ["settings", undefined]);
    hub.close();
  });

  test("a stream ends when its key expires", async (api) => {
    const stream = await opened(api, { expires: "2026-01-15" });
    await api.has("ratings", [{ id: "a" }]);
    await stream.has(1);
    api.clock.now += 86_400;
    await stream.closed();
    assert.deepEqual(stream.comments, ["closed: the key has expired"]);
  });

  test("a stream ends when its key loses the resource, or what it may see of it changes", async (api) => {
    for (const [name, terms] of [
      ["resources", { resources: ["news"] }],
      ["history", { history: "2025-01-01" }],
      ["delay", { delay: 5 }],
      ["scopes", { scopes: ["write"] }],
      ["compat", { compat: true }],
    ] as const) {
      const stream = await opened(api, { name });
      await api.store.updateKey(name, terms, testNow);
      await stream.closed();
      assert.deepEqual(stream.comments, ["closed: the terms of the key have changed; reconnect"], name);
    }
  });

  test("a stream stays open when other keys change, or its own only in its owner or its last day", async (api) => {
    const stream = await opened(api, { name: "reader" });
    await api.key();
    await api.store.updateKey("reader", { owner: "somebody" }, testNow);
    await api.store.updateKey("reader", { expires: "2026-01-15" }, testNow);
    await api.has("ratings", [{ id: "a" }]);
    assert.deepEqual(seen(await stream.has(1)), ["created a"]);
    assert.equal(stream.isClosed, false);
    api.clock.now += 86_400;
    await stream.closed();
    assert.deepEqual(stream.comments, ["closed: the key has expired"]);
  });

  test("a stream stays open when its key is over its rate limit", async (api) => {
    const key = await api.key({ name: "busy" });
    const stream = await api.stream(`${list}/stream`, bearer(key));
    await api.store.updateKey("busy", { rate: 1, burst: 1 }, testNow);
    await waitUntil(async () => (await api.fetch(list, bearer(key))).status === 429, "the limit is reached");
    await api.store.updateKey("busy", { owner: "somebody" }, testNow);
    await api.has("ratings", [{ id: "a" }]);
    assert.deepEqual(seen(await stream.has(1)), ["created a"]);
    assert.equal(stream.isClosed, false);
  });

  test("records before the history of a key are not sent, and a record that moves there is removed", async (api) => {
    const stream = await opened(api, { history: "2025-01-01" });
    await api.has("ratings", [
      { id: "old", date: "2024-12-31" },
      { id: "new", date: "2025-01-01" },
    ]);
    await api.has("ratings", [{ id: "old", date: "2024-12-30" }]);
    await api.has("ratings", [{ id: "new", date: "2024-12-30" }]);
    await api.store.remove(ratings, ["old", "new"]);
    await api.has("ratings", [{ id: "last", date: "2025-01-02" }]);
    assert.deepEqual(seen(await stream.has(3)), ["created new", "removed new", "created last"]);
  });

  for (const resource of catalog) {
    test(`${resource.name}: a delayed key gets every change once its delay has elapsed, as it was then`, async (api) => {
      const { name, path } = resource;
      const [id, other] = [exampleId(name, 1), exampleId(name, 2)];
      // Lists show primary guidance only, unless a request says otherwise.
      const more = name === "guidance" ? { is_primary: "Y" } : {};
      const write = (id: string | number, updated: number) =>
        api.has(name, [{ id, updated, ...more, ...(name === "news" ? { created: updated } : {}) }]);
      const current = await api.stream(`${path}/stream`);
      const delayed = await opened(api, { delay: 10 }, `${path}/stream`);
      const start = api.clock.now + 7;
      api.clock.now = start;
      await write(id, start);
      await current.has(1);
      api.clock.now += 60;
      await write(id, start + 60);
      await write(other, start + 60);
      await api.store.remove(resource, [String(other)]);
      const [, , , removed] = await current.has(4);
      const { text: undelayed } = await api.fetch(path);
      // The last second before the first minute at which a list shows the record.
      api.clock.now = Math.ceil(start / 60) * 60 + 599;
      const resumed = await api.stream(`${path}/stream?since=start`, bearer(await api.key({ delay: 10 })));
      await waitUntil(() => resumed.lastId !== "");
      assert.deepEqual([delayed.events, resumed.events], [[], []]);
      api.clock.now += 1;
      for (const stream of [delayed, resumed]) assert.deepEqual(seen(await stream.has(1)), [`created ${id}`]);
      const key = bearer(await api.key({ delay: 10 }));
      assert.equal((await api.fetch(path, key)).text.includes(`"id":${JSON.stringify(id)}`), false);
      api.clock.now += 60;
      for (const stream of [delayed, resumed]) {
        const events = await stream.has(4);
        assert.deepEqual(
          events.map(({ text }) => text),
          current.events.map(({ text }) => text),
        );
        assert.equal(events.at(-1)?.id, removed?.id);
      }
      assert.equal((await api.fetch(path, key)).text, undelayed);
    });
  }

  test("the list of a delayed key has a position from which nothing that it hides is missed", async (api) => {
    await api.has("ratings", [{ id: "seen", updated: testNow }]);
    api.clock.now = testNow + 600;
    await api.has("ratings", [{ id: "hidden", updated: testNow + 600 }]);
    const key = bearer(await api.key({ delay: 5 }));
    const response = await api.fetch(list, key);
    assert.deepEqual(
      response.json.ratings.map(({ id }: { id: string }) => id),
      ["seen"],
    );
    const stream = await api.stream(`${list}/stream?since=${response.headers["x-stream-position"]}`, key);
    api.clock.now += 300;
    assert.deepEqual(seen(await stream.has(1)), ["created hidden"]);
  });

  test("the list of a delayed key has a position although everything before it was pruned", async (api) => {
    await api.has("ratings", [{ id: "old" }]);
    api.clock.now += 2 * 86_400;
    await api.has("ratings", [{ id: "hidden", updated: api.clock.now }]);
    assert.equal(await api.store.pruneChanges({ before: api.clock.now - 86_400 }, 10), 1);
    const key = bearer(await api.key({ delay: 5 }));
    const { headers } = await api.fetch(list, key);
    const stream = await api.stream(`${list}/stream?since=${headers["x-stream-position"]}`, key);
    assert.equal(stream.status, 200);
    api.clock.now += 360;
    assert.deepEqual(seen(await stream.has(1)), ["created hidden"]);
    const { databaseId } = await api.store.state();
    const late = `${databaseId}.t${api.clock.now - 86_401}`;
    assert.equal((await api.fetch(`${list}/stream?since=${late}`, key)).json.code, "stream.gone");
  });
});
