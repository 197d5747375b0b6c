// A limiter and the store it shares: which requests wait, which don't, and what happens when the store is lost.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Zone, zone } from "../../src/core/value/time-zone.ts";
import { Limiter } from "../../src/limits/limiter.ts";
import type { LimitDelta, LimitTotal } from "../../src/store/store.ts";
import { waitUntil } from "../support/wait-until.ts";

const utc = zone("UTC") as Zone;
const key = { name: "key", rate: 0, burst: 0, quota: 0, quotaPer: "day" } as const;

/** A store that adds up what it receives; each exchange ends when it is released. */
function slowStore() {
  const totals = new Map<string, number>();
  const exchanges: (readonly LimitDelta[])[] = [];
  let gate = Promise.resolve();
  let fails = false;
  return {
    exchanges,
    hold: () => {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    fail: (value: boolean) => {
      fails = value;
    },
    used: () => [...totals.values()].reduce((sum, each) => sum + each, 0),
    exchange: async (spending: readonly LimitDelta[]): Promise<readonly LimitTotal[]> => {
      exchanges.push(spending);
      await gate;
      if (fails) throw new Error("away");
      return spending.map(({ key, period, requests }) => {
        const sum = (totals.get(`${key} ${period}`) ?? 0) + requests;
        totals.set(`${key} ${period}`, sum);
        return { key, period, requests: sum, secondsToFull: 0 };
      });
    },
  };
}

const clockAt = (time: { now: number }) => ({ now: () => 1_768_478_400 + time.now, ticks: () => time.now });

describe("a limiter", () => {
  test("syncs before its first decision, then decides immediately until much is unsynced", async () => {
    const store = slowStore();
    const limiter = new Limiter({ exchange: store.exchange, clock: clockAt({ now: 0 }) });
    const allowance = limiter.allowanceOf({ ...key, quota: 6400 }, utc);
    assert.ok(allowance);
    assert.equal(limiter.tryDecide(allowance), undefined);
    assert.equal((await limiter.decide(allowance)).refused, undefined);
    let alone = 1;
    while (limiter.tryDecide(allowance) !== undefined) alone++;
    assert.equal(alone, 98);
    await limiter.decide(allowance);
    await limiter.close();
    assert.equal(store.used(), 99);
    assert.ok(store.exchanges.length <= 4, `${store.exchanges.length} exchanges`);
  });

  test("serves many waiting requests with one exchange", async () => {
    const store = slowStore();
    const limiter = new Limiter({ exchange: store.exchange, clock: clockAt({ now: 0 }) });
    const allowance = limiter.allowanceOf({ ...key, quota: 100_000 }, utc);
    assert.ok(allowance);
    const open = store.hold();
    const verdicts = Array.from({ length: 500 }, () => limiter.decide(allowance));
    await new Promise(setImmediate);
    assert.equal(store.exchanges.length, 1);
    open();
    for (const verdict of await Promise.all(verdicts)) assert.equal(verdict.refused, undefined);
    await limiter.close();
    assert.equal(store.used(), 500);
  });

  test("decides locally while the store is unavailable, and reports everything later", async () => {
    const store = slowStore();
    const time = { now: 0 };
    const lost: unknown[] = [];
    const limiter = new Limiter({
      exchange: store.exchange,
      clock: clockAt(time),
      onSyncError: (error) => lost.push(error),
    });
    const allowance = limiter.allowanceOf({ ...key, quota: 10 }, utc);
    assert.ok(allowance);
    store.fail(true);
    const rejected: unknown[] = [];
    for (let index = 0; index < 12; index++) {
      time.now += 0.15;
      rejected.push((await limiter.decide(allowance)).refused);
    }
    assert.deepEqual(rejected, [...Array.from({ length: 10 }, () => undefined), "quota", "quota"]);
    assert.ok(lost.length > 0);
    store.fail(false);
    await limiter.close();
    assert.equal(store.used(), 10);
  });

  test("waits once for a store that is slow to respond, and not for every request", async () => {
    const store = slowStore();
    const time = { now: 0 };
    const lost: unknown[] = [];
    const limiter = new Limiter({
      exchange: store.exchange,
      clock: clockAt(time),
      onSyncError: (error) => lost.push(error),
    });
    const allowance = limiter.allowanceOf({ ...key, quota: 100 }, utc);
    assert.ok(allowance);
    await limiter.decide(allowance);
    const open = store.hold();
    const waiting = limiter.decide(allowance);
    assert.equal(limiter.tryDecide(allowance), undefined);
    assert.deepEqual(lost, []);
    time.now += 3;
    assert.equal(limiter.tryDecide(allowance)?.refused, undefined);
    assert.match(String(lost[0]), /no response within 2 seconds/);
    assert.equal((await limiter.decide(allowance)).refused, undefined);
    open();
    assert.equal((await waiting).refused, undefined);
    await limiter.close();
    assert.equal(store.used(), 4);
  });

  test("has no allowance for a key without limits, and remembers its usage for when it has them again", async () => {
    const store = slowStore();
    const limiter = new Limiter({ exchange: store.exchange, clock: clockAt({ now: 0 }) });
    assert.equal(limiter.allowanceOf(key, utc), undefined);
    const two = limiter.allowanceOf({ ...key, quota: 2 }, utc);
    assert.ok(two);
    await limiter.decide(two);
    await limiter.decide(two);
    assert.equal((await limiter.decide(two)).refused, "quota");
    const three = limiter.allowanceOf({ ...key, quota: 3 }, utc);
    assert.equal(three, two);
    assert.equal((await limiter.decide(two)).refused, undefined);
    assert.equal((await limiter.decide(two)).refused, "quota");
    await limiter.close();
    assert.equal(store.used(), 3);
    assert.equal(limiter.allowanceOf(key, utc), undefined);
  });

  test("keeps the known limits if newly read ones may be outdated", async () => {
    const store = slowStore();
    const limiter = new Limiter({ exchange: store.exchange, clock: clockAt({ now: 0 }) });
    const allowance = limiter.allowanceOf({ ...key, quota: 2 }, utc);
    assert.ok(allowance);
    assert.equal(limiter.allowanceOf({ ...key, quota: 50 }, utc, false), allowance);
    assert.equal(limiter.allowanceOf(key, utc, false), undefined);
    const { statuses: standings } = await limiter.decide(allowance);
    assert.deepEqual(
      standings.map(({ limit }) => limit),
      [2],
    );
    await limiter.close();
  });

  test("reports an exchange that can't start, continues, and makes up for it", async (t) => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    t.after(() => process.off("unhandledRejection", onUnhandled));
    const store = slowStore();
    const time = { now: 0, isWrong: false };
    const lost: unknown[] = [];
    const limiter = new Limiter({
      exchange: store.exchange,
      clock: {
        now: () => (time.isWrong ? Number.NaN : 1_768_478_400 + time.now),
        ticks: () => time.now,
      },
      // The error handler may fail too.
      onSyncError: (error) => {
        lost.push(error);
        throw error;
      },
    });
    const allowance = limiter.allowanceOf({ ...key, rate: 100, quota: 6400 }, utc);
    assert.ok(allowance);
    await limiter.decide(allowance);
    await limiter.decide(allowance);
    time.isWrong = true;
    // The scheduled exchange meets a day that can't be computed.
    await waitUntil(() => lost.length > 0, "the exchange has failed");
    await new Promise(setImmediate);
    assert.ok(lost[0] instanceof Error);
    assert.deepEqual(unhandled, []);
    time.isWrong = false;
    time.now += 1;
    await limiter.close();
    const totals = new Map<string, number>();
    for (const { period, requests } of store.exchanges.flat()) totals.set(period, (totals.get(period) ?? 0) + requests);
    assert.deepEqual(Object.fromEntries(totals), { "": 2, "2026-01-15": 2 });
  });

  test("exchanges nothing while nothing is used", async () => {
    const store = slowStore();
    const limiter = new Limiter({ exchange: store.exchange, clock: clockAt({ now: 0 }) });
    limiter.allowanceOf({ ...key, rate: 5 }, utc);
    await limiter.close();
    assert.equal(store.exchanges.length, 0);
  });
});
