// When a feed is polled next.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { secondsUntilNextPoll } from "../../src/feeds/fetch/schedule.ts";
import "../support/budget.ts";

const next = (outlook: Partial<Parameters<typeof secondsUntilNextPoll>[0]>): number =>
  secondsUntilNextPoll({ everySeconds: 300, failures: 0, ...outlook }, 0);

test("a feed is polled at the configured interval", () => {
  assert.equal(next({}), 300);
  assert.equal(next({ ttlSeconds: 60 }), 300);
});

test("a publisher's longer interval is respected, up to an hour", () => {
  assert.equal(next({ ttlSeconds: 900 }), 900);
  assert.equal(next({ ttlSeconds: 604_800 }), 3600);
  assert.equal(next({ everySeconds: 86_400, ttlSeconds: 60 }), 86_400);
});

test("consecutive failures double the interval, up to an hour", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 50].map((failures) => next({ failures })),
    [300, 600, 1200, 2400, 3600, 3600],
  );
  assert.equal(next({ everySeconds: 7200, failures: 9 }), 7200);
});

test("Retry-After is respected, up to a day", () => {
  assert.equal(next({ failures: 1, waitSeconds: 5 }), 300);
  assert.equal(next({ failures: 1, waitSeconds: 7200 }), 7200);
  assert.equal(next({ failures: 1, waitSeconds: 1e9 }), 86_400);
});

test("no poll is earlier than the configured interval, or more than a tenth later than the longest reason to wait", () => {
  const seconds = fc.integer({ min: -10, max: 1e7 });
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 604_800 }),
      seconds,
      seconds,
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (everySeconds, ttlSeconds, waitSeconds, failures, random) => {
        const found = secondsUntilNextPoll({ everySeconds, ttlSeconds, waitSeconds, failures }, random);
        assert.ok(found >= everySeconds && found <= Math.max(everySeconds, 86_400) * 1.1);
      },
    ),
  );
});
