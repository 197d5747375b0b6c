// The request budget is never exceeded, whatever the timing of requests.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseRate, printRate, requestBudget } from "../../../src/mirror/upstream/request-budget.ts";
import { runs } from "../../support/budget.ts";
import { seed } from "../../support/records/records.ts";
import { type VirtualClock, virtualClock } from "../support/virtual-clock.ts";

const never = new AbortController().signal;

/** The most requests in any window of the period, both ends included. */
function mostWithin(sent: readonly number[], periodMs: number): number {
  return Math.max(0, ...sent.map((at) => sent.filter((other) => other >= at && other <= at + periodMs).length));
}

async function spend(
  clock: VirtualClock,
  taking: ReturnType<typeof requestBudget>,
  pauses: readonly number[],
): Promise<number[]> {
  const sent: number[] = [];
  for (const pause of pauses) {
    await clock.sleep(pause, never);
    assert.equal(await taking.acquire(never), true);
    sent.push(clock.time);
  }
  return sent;
}

describe("a budget", () => {
  test("is never exceeded in any window of its period, and can be used up", async () => {
    const rates = fc.record({ requests: fc.integer({ min: 1, max: 7 }), periodMs: fc.constantFrom(1000, 60_000) });
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 400 }), fc.nat({ max: 90_000 })), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(rates, pauses, fc.integer({ min: 1, max: 4 }), async (rate, each, workers) => {
        const clock = virtualClock();
        const taking = requestBudget(rate, clock);
        const sent = (await Promise.all(Array.from({ length: workers }, () => spend(clock, taking, each)))).flat();
        assert.ok(mostWithin(sent, rate.periodMs) <= rate.requests);
        assert.equal(taking.total, sent.length);
      }),
      { seed, numRuns: runs(20, 40) },
    );
    const clock = virtualClock();
    const sent = await spend(clock, requestBudget({ requests: 5, periodMs: 1000 }, clock), Array(50).fill(0));
    assert.equal(sent.filter((at) => at === sent[0]).length, 5);
    assert.ok((sent.at(-1) as number) - (sent[0] as number) < 9100, "fifty requests at five a second");
  });

  test("waits out a period in which an earlier mirror may have used it up", async () => {
    const clock = virtualClock(0);
    const [first] = await spend(clock, requestBudget({ requests: 100, periodMs: 60_000 }, clock, 20_000), [0]);
    assert.equal(first, 40_000);
    const [long] = await spend(clock, requestBudget({ requests: 100, periodMs: 60_000 }, clock, 70_000), [0]);
    assert.equal(long, 40_000);
  });

  test("pauses when the upstream throttles", async () => {
    const clock = virtualClock(0);
    const taking = requestBudget({ requests: 100, periodMs: 1000 }, clock);
    taking.pause(30_000);
    taking.pause(10_000);
    assert.deepEqual(await spend(clock, taking, [0, 0]), [30_000, 30_000]);
    assert.equal(taking.used(), 2);
  });

  test("lets no request through after a stop", async () => {
    const clock = virtualClock(0);
    const taking = requestBudget({ requests: 1, periodMs: 1000 }, clock);
    const stop = new AbortController();
    assert.equal(await taking.acquire(stop.signal), true);
    const waiting = taking.acquire(stop.signal);
    stop.abort();
    assert.equal(await waiting, false);
  });

  test("is written as requests per second, minute, or hour", () => {
    assert.deepEqual(parseRate("5/s"), { requests: 5, periodMs: 1000 });
    assert.deepEqual(parseRate("100/m"), { requests: 100, periodMs: 60_000 });
    for (const text of ["5/s", "100/m", "1000/h"]) assert.equal(printRate(parseRate(text) as never), text);
    for (const text of ["", "5", "0/s", "-1/s", "1.5/s", "5/d", "5 /s", "5/s ", "1e3/s"])
      assert.equal(parseRate(text), undefined);
  });
});
