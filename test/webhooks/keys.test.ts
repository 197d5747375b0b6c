// The terms of a key hold on its webhooks, also when they change; and the process that delivers follows administrators.
import assert from "node:assert/strict";
import { waitUntil } from "../support/wait-until.ts";
import { localSending, startDelivering, whileDelivering } from "./support/delivering.ts";
import type { Received } from "./support/receiver.ts";

const seen = (received: readonly Received[]) => received.map(({ body }) => `${body.data.action} ${body.data.id}`);

whileDelivering("webhooks of a key", (test) => {
  test("deliver a change once the delay of the key has elapsed", async ({ api, receiver, create, show, settled }) => {
    await api.key({ name: "delayed", delay: 10 });
    const { id } = await create({ key: "delayed" });
    const reference = await create();
    const start = api.clock.now + 7;
    api.clock.now = start;
    await api.has("ratings", [{ id: "a", updated: start }]);
    await settled(reference.id);
    api.clock.now = Math.ceil(start / 60) * 60 + 599;
    const { position } = await show(id);
    await api.has("ratings", [{ id: "b", updated: start }]);
    await settled(reference.id);
    assert.deepEqual([receiver.received.length, (await show(id)).position], [2, position]);
    api.clock.now += 1;
    await waitUntil(() => receiver.received.length === 3);
    assert.deepEqual(seen(receiver.received).at(-1), "created a");
  });

  test("see no record before the history of the key, and go on with its new terms when they change", async ({
    api,
    receiver,
    create,
    settled,
  }) => {
    await api.key({ name: "recent", history: "2025-01-01" });
    const { id } = await create({ key: "recent" });
    await api.has("ratings", [
      { id: "old", date: "2024-12-31" },
      { id: "new", date: "2025-01-01" },
    ]);
    await settled(id);
    assert.deepEqual(seen(receiver.received), ["created new"]);
    await api.store.updateKey("recent", { history: "" }, api.clock.now);
    await waitUntil(async () => {
      await api.has("ratings", [{ id: "old", date: "2024-12-31", notes: `${Math.random()}` }]);
      return receiver.received.some(({ body }) => body.data.id === "old");
    }, "the new terms apply");
    await settled(id);
  });

  test("are suspended when the key expires, is revoked, or loses the resource", async ({
    api,
    receiver,
    create,
    show,
  }) => {
    const ends = {
      expiring: {
        terms: { expires: "2026-01-15" },
        end: async () => {
          api.clock.now += 86_400;
        },
        reason: 'The key "expiring" has expired.',
      },
      revoked: {
        terms: {},
        end: () => api.store.revokeKey("revoked", api.clock.now),
        reason: 'key: expected the name of a valid key, got "revoked"',
      },
      limited: {
        terms: {},
        end: () => api.store.updateKey("limited", { resources: ["news"] }, api.clock.now),
        reason: 'key: expected a key for ratings, got "limited"',
      },
    };
    for (const [name, { terms, end, reason }] of Object.entries(ends)) {
      await api.key({ name, ...terms });
      const { id } = await create({ key: name });
      await api.has("ratings", [{ id: name }]);
      await waitUntil(() => seen(receiver.received).includes(`created ${name}`));
      await end();
      await waitUntil(async () => (await show(id)).state === "suspended", name);
      assert.equal((await show(id)).reason, reason);
    }
  });
});

whileDelivering("webhooks that are changed", (test) => {
  test("deliver nothing while paused, and everything afterwards, once", async ({
    api,
    receiver,
    create,
    request,
    settled,
    show,
  }) => {
    const { id } = await create();
    await api.has("ratings", [{ id: "a" }]);
    await settled(id);
    await request("PATCH", `/${id}`, { state: "paused" });
    // Deliveries of a newer webhook show that the process that delivers has noticed the pause.
    await create({ resource: "news" });
    await api.has("news", [{ id: 7 }]);
    await waitUntil(() => receiver.received.length === 2);
    const reference = await create();
    await api.has("ratings", [{ id: "b" }]);
    await settled(reference.id);
    assert.equal((await show(id)).delivered, 1);
    api.clock.now += 100;
    assert.equal((await show(id)).lag_seconds, 100);
    await request("PATCH", `/${id}`, { state: "active" });
    await settled(id);
    assert.deepEqual(seen(receiver.received), ["created a", "created 7", "created b", "created b"]);
  });

  test("deliver everything after a position again, with the same IDs", async ({
    api,
    receiver,
    create,
    request,
    settled,
  }) => {
    const { id } = await create();
    for (const each of ["a", "b", "c"]) await api.has("ratings", [{ id: each }]);
    await settled(id);
    const before = receiver.received.map((each) => each.id).toSorted();
    await request("POST", `/${id}/replay`, { since: "start" });
    await waitUntil(() => receiver.received.length === 6);
    await settled(id);
    assert.deepEqual(
      receiver.received
        .slice(3)
        .map((each) => each.id)
        .toSorted(),
      before,
    );
    assert.deepEqual(
      receiver.received
        .slice(3)
        .map(({ text }) => text)
        .toSorted(),
      receiver.received
        .slice(0, 3)
        .map(({ text }) => text)
        .toSorted(),
    );
  });

  test("are sent to the new URL at once, with what failed at the old one", async ({
    api,
    receiver,
    create,
    request,
    settled,
    show,
  }) => {
    receiver.respond(({ path }) => ({ status: path === "/new" ? 200 : 500 }));
    const { id } = await create();
    await api.has("ratings", [{ id: "a" }]);
    await waitUntil(async () => (await show(id)).held === 1);
    await request("PATCH", `/${id}`, { url: receiver.url.replace("/hooks", "/new") });
    await settled(id);
    assert.deepEqual(
      receiver.accepted.map(({ path }) => path),
      ["/new"],
    );
  });

  test("are sent to the new URL at once, although the old one requested a pause", async ({
    api,
    receiver,
    create,
    request,
    settled,
    show,
  }) => {
    receiver.respond(({ path }) => ({ status: path === "/new" ? 200 : 429, headers: { "retry-after": "3600" } }));
    const { id } = await create();
    await api.has("ratings", [{ id: "a" }]);
    await waitUntil(async () => (await show(id)).held === 1);
    await request("PATCH", `/${id}`, { url: receiver.url.replace("/hooks", "/new") });
    await settled(id);
    assert.equal(receiver.accepted.length, 1);
  });

  test("stop when they are removed, and leave nothing behind", async ({ api, receiver, create, request, settled }) => {
    const { id } = await create();
    const reference = await create();
    await api.has("ratings", [{ id: "a" }]);
    await settled(id);
    await request("DELETE", `/${id}`);
    await waitUntil(async () => {
      const before = receiver.received.length;
      await api.has("ratings", [{ id: "a", notes: `${Math.random()}` }]);
      await settled(reference.id);
      return receiver.received.length === before + 1;
    }, "one webhook is left");
    assert.deepEqual(await api.store.webhooks.deliveries(id, 10), []);
  });

  test("are delivered by one process at a time, and by the next when it stops", async ({
    api,
    receiver,
    create,
    settled,
    deliverer,
  }) => {
    const { id } = await create();
    const second = startDelivering(api, localSending);
    try {
      await api.has("ratings", [{ id: "a" }]);
      await settled(id);
      assert.equal(receiver.received.length, 1);
      const holders = () => [deliverer, second.deliverer].filter((each) => each.families().length > 0);
      const [first, ...others] = holders();
      assert.ok(first !== undefined && others.length === 0);
      // Another process takes its lease, renews it for a while, and releases it.
      const lease = JSON.parse((await api.store.getMetadata("webhooks lease")) ?? "{}");
      const other = { ...lease, run: "other", machine: "another", beat: 0 };
      const setLease = (more = {}) =>
        api.store.setMetadata("webhooks lease", JSON.stringify({ ...other, ...more, beat: ++other.beat }));
      await waitUntil(async () => {
        await setLease();
        return holders().length === 0;
      }, "the first one has lost it");
      await setLease({ ended: true });
      await waitUntil(() => holders().length > 0, "one has taken it");
      await api.has("ratings", [{ id: "b" }]);
      await settled(id);
      assert.deepEqual([...new Set(seen(receiver.received))].toSorted(), ["created a", "created b"]);
    } finally {
      await second.stop();
    }
  });
});
