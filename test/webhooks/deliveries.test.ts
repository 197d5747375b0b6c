// Deliveries: payloads, signatures, order, retries, and how a subscription ends.
import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { ratings } from "../../src/resources/ratings.ts";
import type { Body } from "../support/clients/api.ts";
import { waitUntil } from "../support/wait-until.ts";
import { whileDelivering } from "./support/delivering.ts";
import type { Received } from "./support/receiver.ts";

const seen = (received: readonly Received[]) => received.map(({ body }) => `${body.data.action} ${body.data.id}`);
const hours = 3600;
const days = 24 * hours;

whileDelivering("deliveries", (test) => {
  test("are the events of a stream, with the type and the time of the change", async ({ api, receiver, create }) => {
    const stream = await api.stream("/api/v2.1/calendar/ratings/stream?parameters[tickers]=F&fields=id,ticker");
    await create({ filters: "parameters[tickers]=F&fields=id,ticker" });
    await api.has("ratings", [{ id: "a", ticker: "F" }]);
    await api.has("ratings", [{ id: "b", ticker: "GM" }]);
    await api.has("ratings", [{ id: "a", ticker: "F", notes: "new" }]);
    await api.has("ratings", [{ id: "a", ticker: "GM" }]);
    const events = await stream.has(3);
    await waitUntil(() => receiver.received.length === 3);
    assert.deepEqual(
      receiver.received.map(({ text }) => text),
      events.map(({ event, text }) => `{"type":"ratings.${event}","timestamp":"2026-01-15T12:00:00Z","data":${text}}`),
    );
    const [{ headers } = { headers: {} as Received["headers"] }] = receiver.received;
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["user-agent"], "Bellwire/test");
  });

  test("are signed so that the official package accepts them, with both secrets after a rotation", async ({
    api,
    receiver,
    create,
    request,
  }) => {
    api.clock.now = Math.floor(Date.now() / 1000);
    const { id, secret } = await create();
    await api.has("ratings", [{ id: "a" }]);
    await waitUntil(() => receiver.received.length === 1);
    const rotated = (await request("POST", `/${id}/rotate`, { grace_hours: 1 })).json;
    assert.notEqual(rotated.secret, secret);
    // The process that delivers has read the new secret by the time of a later change.
    await waitUntil(async () => {
      await api.has("ratings", [{ id: "a", notes: String(Math.random()) }]);
      return receiver.received.at(-1)?.headers["webhook-signature"]?.includes(" ") === true;
    });
    const [first] = receiver.received;
    const last = receiver.received.at(-1);
    const verify = (key: string, received: Received | undefined) =>
      new Webhook(key).verify(received?.text ?? "", received?.headers ?? {});
    assert.deepEqual(verify(secret, first), first?.body);
    assert.throws(() => verify(rotated.secret, first), /No matching signature/);
    assert.deepEqual(verify(secret, last), last?.body);
    assert.deepEqual(verify(rotated.secret, last), last?.body);
    assert.throws(() => verify(secret, { ...last, text: `${last?.text} ` } as Received), /No matching signature/);
  });

  test("hold back later events of a record that fails, and no others", async ({
    api,
    receiver,
    create,
    show,
    settled,
  }) => {
    let isBroken = true;
    receiver.respond(({ body }) => ({ status: body.data.id === "bad" && isBroken ? 500 : 200, body: "sorry" }));
    const { id } = await create();
    await api.has("ratings", [{ id: "bad", notes: "1" }]);
    await api.has("ratings", [{ id: "good", notes: "1" }]);
    await api.has("ratings", [{ id: "bad", notes: "2" }]);
    await api.has("ratings", [{ id: "good", notes: "2" }]);
    await api.store.remove(ratings, ["bad"]);
    await waitUntil(async () => (await show(id)).held === 1 && receiver.accepted.length === 2);
    assert.deepEqual(seen(receiver.accepted), ["created good", "updated good"]);
    assert.deepEqual(seen(receiver.received.filter(({ body }) => body.data.id === "bad")), ["created bad"]);
    isBroken = false;
    api.clock.now += 6;
    await settled(id);
    assert.deepEqual(seen(receiver.accepted).slice(2), ["created bad", "updated bad", "removed bad"]);
    const [failed, retried] = receiver.received.filter(
      ({ body }) => body.data.action === "created" && body.data.id === "bad",
    );
    assert.equal(failed?.id, retried?.id);
    assert.equal(failed?.text, retried?.text);
  });

  test("are retried after seconds, then hours, and suspended after three days; an operator can go on", async ({
    api,
    receiver,
    create,
    show,
    request,
    settled,
  }) => {
    receiver.respond(() => ({ status: 503, body: "down" }));
    const { id } = await create();
    const startedAt = api.clock.now;
    await api.has("ratings", [{ id: "a" }]);
    const delays: number[] = [];
    for (let attempts = 1; ; attempts++) {
      let webhook: Body;
      await waitUntil(async () => {
        webhook = await show(id);
        return (
          receiver.received.length === attempts &&
          (webhook.state !== "active" || webhook.last_delivery?.at === new Date(api.clock.now * 1000).toISOString())
        );
      }, `attempt ${attempts}`);
      if (webhook.state === "suspended") break;
      const retryAt = Date.parse(webhook.retry_at) / 1000;
      delays.push(retryAt - api.clock.now);
      api.clock.now = retryAt;
    }
    assert.ok((delays[0] ?? 0) >= 5 && (delays[0] ?? 0) <= 6, `${delays}`);
    assert.ok(
      delays.every((delay, at) => at === 0 || delay >= (delays[at - 1] ?? 0) || delay >= 4 * hours),
      `${delays}`,
    );
    assert.ok(Math.max(...delays) <= 4.4 * hours, `${delays}`);
    assert.ok(api.clock.now - startedAt >= 3 * days && api.clock.now - startedAt <= 3 * days + 5 * hours);
    const suspended = await show(id);
    assert.equal(suspended.reason, "Deliveries of an event have failed for 3 days; the last one: status 503");
    assert.equal(suspended.lag_seconds, api.clock.now - startedAt);
    const attempts = receiver.received.length;
    receiver.respond(() => ({ status: 200 }));
    await api.has("ratings", [{ id: "b" }]);
    assert.equal((await request("PATCH", `/${id}`, { state: "active" })).json.state, "active");
    await settled(id);
    assert.deepEqual(seen(receiver.received).slice(attempts).toSorted(), ["created a", "created b"]);
  });

  test("end when the receiver responds with 410", async ({ api, receiver, create, show }) => {
    receiver.respond(() => ({ status: 410 }));
    const { id } = await create();
    await api.has("ratings", [{ id: "a" }]);
    await waitUntil(async () => (await show(id)).state === "ended");
    assert.equal((await show(id)).reason, "The receiver responded with 410 (Gone).");
    await api.has("ratings", [{ id: "b" }]);
    assert.deepEqual(seen(receiver.received), ["created a"]);
  });

  test("pause for as long as the receiver requests with Retry-After", async ({
    api,
    receiver,
    create,
    show,
    settled,
  }) => {
    receiver.respond(() => ({ status: 429, headers: { "retry-after": "120" } }));
    const { id } = await create();
    await api.has("ratings", [{ id: "a" }]);
    await waitUntil(async () => (await show(id)).held === 1);
    const { retry_at: retryAt } = await show(id);
    assert.equal(Date.parse(retryAt) / 1000, api.clock.now + 120);
    receiver.respond(() => ({ status: 200 }));
    await api.has("ratings", [{ id: "b" }]);
    api.clock.now += 119;
    await waitUntil(async () => (await show(id)).lag_seconds >= 119);
    assert.equal(receiver.received.length, 1);
    api.clock.now += 1;
    await settled(id);
    assert.deepEqual(seen(receiver.accepted).toSorted(), ["created a", "created b"]);
  });

  test("wait for a receiver that is down, and all arrive when it is back", async ({
    api,
    receiver,
    create,
    show,
    settled,
  }) => {
    receiver.respond(() => undefined);
    const { id } = await create();
    await api.has(
      "ratings",
      Array.from({ length: 40 }, (_, at) => ({ id: `r${at}` })),
    );
    await waitUntil(async () => (await show(id)).held >= 8);
    const { position, databaseId } = await api.store.state();
    assert.notEqual((await show(id)).position, `${databaseId}.${position}`);
    receiver.respond(() => ({ status: 204 }));
    // Attempts that were in flight may fail only now, and are retried later than the others.
    await waitUntil(async () => {
      api.clock.now += 6;
      return (await show(id)).held === 0;
    }, "no record is held");
    await settled(id);
    assert.equal(new Set(receiver.accepted.map(({ body }) => body.data.id)).size, 40);
    assert.equal(receiver.accepted.length, 40);
    assert.equal((await show(id)).delivered, 40);
  });
});
