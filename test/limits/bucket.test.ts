// Properties of a rate limit, with a manual clock: never more than the burst and the rate allow, and never less.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Bucket, type Rate } from "../../src/limits/bucket.ts";
import "../support/budget.ts";

const rates: fc.Arbitrary<Rate> = fc.record({
  perSecond: fc.oneof(
    fc.integer({ min: 1, max: 1000 }),
    fc.double({ min: 0.01, max: 50, noNaN: true, noDefaultInfinity: true }),
  ),
  burst: fc.integer({ min: 1, max: 200 }),
});

/** Pauses between requests; many arrive simultaneously. */
const pauses = fc.array(
  fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5, noNaN: true }), fc.double({ min: 0, max: 0.01, noNaN: true })),
  { minLength: 1, maxLength: 300 },
);

/** Any number of requests at these times; returns the times of those let through. */
function letThrough(rate: Rate, moments: readonly number[]): number[] {
  const bucket = new Bucket(rate);
  return moments.filter((now) => {
    if (bucket.wait(now) > 0) return false;
    bucket.spend(now);
    return true;
  });
}

const moments = (pauses: readonly number[], start: number): number[] => {
  let now = start;
  return pauses.map((pause) => {
    now += pause;
    return now;
  });
};

describe("a token bucket", () => {
  test("never lets more through in any period than the burst plus the rate", () => {
    fc.assert(
      fc.property(rates, pauses, fc.integer({ min: 0, max: 1e7 }), (rate, gaps, start) => {
        const through = letThrough(rate, moments(gaps, start));
        for (let from = 0; from < through.length; from++) {
          for (let to = from; to < through.length; to++) {
            const seconds = (through[to] as number) - (through[from] as number);
            assert.ok(to - from + 1 <= rate.burst + seconds * rate.perSecond + 1e-3);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("never rejects a client that stays within the rate", () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 500 }), (rate, count) => {
        const evenly = Array.from({ length: count }, (_, index) => 1000 + index / rate.perSecond);
        assert.equal(letThrough(rate, evenly).length, count);
      }),
    );
  });

  test("lets exactly the whole burst through after it has refilled", () => {
    fc.assert(
      fc.property(rates, pauses, (rate, gaps) => {
        const before = moments(gaps, 0);
        const rested = (before.at(-1) ?? 0) + rate.burst / rate.perSecond;
        const after = Array.from({ length: rate.burst + 5 }, () => rested);
        const through = letThrough(rate, [...before, ...after]).filter((now) => now === rested);
        // The last request before the pause may have arrived at the very moment at which it ends.
        assert.ok(through.length >= rate.burst && through.length <= rate.burst + 1);
      }),
    );
  });

  test("reports a wait that is just long enough", () => {
    fc.assert(
      fc.property(rates, pauses, (rate, gaps) => {
        const bucket = new Bucket(rate);
        for (const now of moments(gaps, 0)) {
          const wait = bucket.wait(now);
          if (wait === 0) bucket.spend(now);
          else {
            assert.equal(bucket.wait(now + wait), 0);
            assert.ok(bucket.wait(now + wait * 0.99 - 1e-4) > 0 || wait < 1e-3);
          }
        }
      }),
    );
  });
});
