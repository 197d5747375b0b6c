// The queue of a webhook: events of a record stay in order while it is held, however many there are, and after a restart.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { WebhookProgress } from "../../src/core/webhook.ts";
import { DeliveryQueue, maxHeldEvents } from "../../src/webhooks/queue.ts";

const start: WebhookProgress = { epoch: 0, position: 0, held: [], pausedUntil: 0, delivered: 0 };

const add = (queue: DeliveryQueue, record: string, from: number, to: number): void => {
  for (let seq = from; seq <= to; seq++) queue.add({ seq, record, message: "{}", since: 0 });
};

/** Attempts the next event, which fails. */
function fail(queue: DeliveryQueue, now: number): void {
  const attempt = queue.next(now);
  assert.ok(attempt);
  queue.failed(attempt, now);
}

/** Delivers the next event; returns its position. */
function deliver(queue: DeliveryQueue, now: number): number | undefined {
  const attempt = queue.next(now);
  if (attempt !== undefined) queue.succeeded(attempt, now);
  return attempt?.seq;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

describe("events of a held record", () => {
  test("are delivered in order although more of them wait than are stored", () => {
    const queue = new DeliveryQueue(start);
    add(queue, "a", 1, maxHeldEvents + 1);
    fail(queue, 0);
    const order = [deliver(queue, 1000)];
    // There is room for one more now, but an older one waits.
    add(queue, "a", maxHeldEvents + 2, maxHeldEvents + 2);
    while (order.at(-1) !== undefined) order.push(deliver(queue, 1000));
    assert.deepEqual(order.slice(0, -1), upTo(maxHeldEvents + 2));
  });

  test("are not added again when a restart reads them again", () => {
    const first = new DeliveryQueue(start);
    add(first, "a", 1, 1);
    add(first, "b", 2, 2);
    fail(first, 0);
    add(first, "a", 3, 4);
    assert.equal(first.progress.position, 1);
    const second = new DeliveryQueue(first.progress);
    add(second, "b", 2, 2);
    add(second, "a", 3, 4);
    assert.deepEqual(second.progress.held[0]?.events, [1, 3, 4]);
  });
});
