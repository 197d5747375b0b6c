// Many processes that share limits, each with its own clock, through a store with arbitrary latency: together they stay
// within the documented tolerance, and a single one is exact.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Zone, zone } from "../../src/core/value/time-zone.ts";
import { Allowance, type KeyLimits } from "../../src/limits/allowance.ts";
import type { LimitDelta, LimitTotal } from "../../src/store/store.ts";
import "../support/budget.ts";

const utc = zone("UTC") as Zone;
const start = 1_768_478_400;

/** What the database does in an exchange. */
function ledger(now: () => number) {
  const rows = new Map<string, { requests: number; until: number }>();
  return ({ key, period, requests, seconds, age, maxSeconds: most }: LimitDelta): LimitTotal => {
    const name = `${key} ${period}`;
    const row = rows.get(name) ?? { requests: 0, until: now() - age };
    const until = requests === 0 ? row.until : Math.min(Math.max(row.until, now() - age) + seconds, now() + most);
    rows.set(name, { requests: row.requests + requests, until });
    return { key, period, requests: row.requests + requests, secondsToFull: until - now() };
  };
}

type Step = { readonly process: number; readonly pause: number };

/** Requests arriving at processes; each syncs when it must, and every fifth of a second if it was used. */
function run(limits: KeyLimits, processes: number, steps: readonly Step[], skew: readonly number[]) {
  let time = 0;
  const database = ledger(() => 5000 + time);
  const allowances = Array.from({ length: processes }, (_, index) => {
    const clock = { now: () => start + time, ticks: () => 100 * (skew[index] ?? 0) + time };
    return { allowance: new Allowance("key", limits, utc, clock), syncedAt: 0, exchanges: 0, isUsed: false };
  });
  type Process = (typeof allowances)[number];
  const exchange = (process: Process) => {
    const sent = process.allowance.beginSync();
    for (const spending of sent.spending) process.allowance.applySync(database(spending), sent);
    process.syncedAt = time;
    process.isUsed = false;
    process.exchanges++;
  };
  const through: number[] = [];
  for (const { process: index, pause } of steps) {
    time += pause;
    for (const each of allowances) if (each.isUsed && time - each.syncedAt >= 0.2) exchange(each);
    const process = allowances[index % processes] as Process;
    if (process.allowance.mustSync()) exchange(process);
    if (process.allowance.consume().refused !== undefined) continue;
    through.push(time);
    process.isUsed = true;
  }
  return { through, exchanges: allowances.map(({ exchanges }) => exchanges) };
}

const steps = fc.array(
  fc.record({
    process: fc.nat({ max: 15 }),
    pause: fc.oneof(
      fc.constant(0),
      fc.double({ min: 0, max: 0.02, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
    ),
  }),
  { minLength: 1, maxLength: 400, size: "max" },
);
const skews = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 16 });
const none: KeyLimits = { rate: 0, burst: 0, quota: 0, quotaPer: "month" };

function heldRate(through: readonly number[], perSecond: number, burst: number, tolerance: number): void {
  for (let from = 0; from < through.length; from++) {
    for (let to = from; to < through.length; to++) {
      const seconds = (through[to] as number) - (through[from] as number);
      const most = burst + seconds * perSecond + tolerance + 1e-3;
      assert.ok(to - from + 1 <= most, `${to - from + 1} in ${seconds} s, at most ${most}`);
    }
  }
}

describe("processes with shared limits", () => {
  test("let exactly as many requests through as a single bucket if there is one process", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 60 }), (input, rate, burst) => {
        const alone = run({ ...none, rate, burst }, 1, input, []);
        let time = 0;
        let fullAt = Number.NEGATIVE_INFINITY;
        const expected = input.flatMap(({ pause }) => {
          time += pause;
          if (burst - Math.max(0, fullAt - time) * rate < 1 - 1e-6) return [];
          fullAt = Math.max(fullAt, time) + 1 / rate;
          return [time];
        });
        assert.deepEqual(alone.through, expected);
      }),
    );
  });

  test("each add at most a fifth of a second of the rate, a 64th of the burst, or one request", () => {
    fc.assert(
      fc.property(
        steps,
        skews,
        fc.integer({ min: 2, max: 16 }),
        fc.oneof(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0.05, max: 20, noNaN: true })),
        fc.integer({ min: 1, max: 100 }),
        (input, skew, processes, rate, burst) => {
          const { through } = run({ ...none, rate, burst }, processes, input, skew);
          const each = Math.max(Math.ceil(rate / 5), Math.floor(burst / 64), 1);
          heldRate(through, rate, burst, processes * each - 1);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("each add at most a 64th of the quota, or one request; less one in total, so that a single process is exact", () => {
    fc.assert(
      fc.property(
        steps,
        skews,
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 1, max: 400 }),
        (input, skew, processes, quota) => {
          const { through } = run({ ...none, quota }, processes, input, skew);
          const each = processes === 1 ? 1 : Math.max(1, Math.floor(quota / 64));
          assert.ok(through.length <= quota + processes * each - 1);
          assert.ok(through.length >= Math.min(quota, input.length));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("exchange rarely: the number of exchanges doesn't grow with the requests", () => {
    const flood = Array.from({ length: 100_000 }, (_, index) => ({ process: index % 2, pause: 0.0001 }));
    const { through, exchanges } = run({ ...none, rate: 1000, burst: 1000, quota: 1_000_000 }, 2, flood, []);
    assert.ok(through.length >= 10_000);
    for (const count of exchanges) assert.ok(count < 150, `${count} exchanges in 10 seconds`);
  });
});
