// Key usage in every store: sums of what many processes report, by day, key, and resource.
import assert from "node:assert/strict";
import { type LimitDelta, StoreError, type UsageRow } from "../../src/store/store.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { openTestStore } from "../support/stores/stores.ts";

const row = (input: Partial<UsageRow>): UsageRow => ({
  ...{ day: "2026-01-15", key: "a", resource: "news" },
  ...{ requests: 1, records: 10, bytes: 5000, errors: 0, limited: 0 },
  ...input,
});

const ofQuota = (key: string, period: string, requests: number): LimitDelta => ({
  ...{ key, period, requests },
  ...{ seconds: 0, age: 0, maxSeconds: 0 },
});

const ofBucket = (key: string, requests: number, seconds: number, age = 0): LimitDelta => ({
  ...{ key, period: "", requests, seconds, age },
  maxSeconds: 100,
});

/** As callers do: on SQLite, a write that meets another one fails after 10 milliseconds and changes nothing. */
async function retried<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreError && error.retry)) throw error;
    }
  }
}

onEveryStore("usage", (test) => {
  test("rows of the same day, key, and resource are added up, and others stay separate", async ({ store }) => {
    await store.addUsage([row({}), row({ resource: "ratings", errors: 1 }), row({ key: "b", limited: 2 })], 100);
    await store.addUsage([row({ requests: 4, bytes: 9_000_000_000_000 }), row({ day: "2026-01-16" })], 200);
    assert.deepEqual(await store.usage({ from: "2026-01-15", to: "2026-01-15" }), [
      row({ requests: 5, records: 20, bytes: 9_000_000_005_000 }),
      row({ resource: "ratings", errors: 1 }),
      row({ key: "b", limited: 2 }),
    ]);
    assert.deepEqual(await store.usage({ from: "2026-01-16", to: "2026-02-01" }), [row({ day: "2026-01-16" })]);
    assert.deepEqual(await store.usage({ from: "2026-01-01", to: "2026-12-31", key: "b" }), [
      row({ key: "b", limited: 2 }),
    ]);
    assert.deepEqual(await store.usage({ from: "2027-01-01", to: "2027-12-31" }), []);
  });

  test("each key remembers its last use, however late that is reported", async ({ store }) => {
    await store.addUsage([row({}), row({ resource: "ratings" }), row({ key: "b" })], 200);
    await store.addUsage([row({})], 100);
    assert.deepEqual([...(await store.lastUsed())].sort(), [
      ["a", 200],
      ["b", 200],
    ]);
  });

  test("rows from concurrent processes are all counted", async ({ store, file }) => {
    const others = await Promise.all([1, 2, 3].map(() => openTestStore(file, () => 0)));
    const writers = [store, ...others];
    const rows = [row({}), row({ key: "b" }), row({ key: "c", resource: "ratings" })];
    for (let round = 0; round < 5; round++)
      await Promise.all(
        writers.map((each, index) => retried(() => each.addUsage(index % 2 ? rows : rows.toReversed(), round))),
      );
    const found = await store.usage({ from: "2026-01-15", to: "2026-01-15" });
    assert.deepEqual(
      found.map(({ requests }) => requests),
      [20, 20, 20],
    );
    for (const other of others) await other.close();
  });
});

onEveryStore("an exchange", (test) => {
  test("adds up requests by key and period, and returns the totals", async ({ store }) => {
    const first = await store.syncLimits([ofQuota("a", "2026-01-15", 3), ofQuota("b", "2026-01", 5)]);
    assert.deepEqual(
      first.map(({ key, period, requests }) => [key, period, requests]),
      [
        ["a", "2026-01-15", 3],
        ["b", "2026-01", 5],
      ],
    );
    const [second] = await store.syncLimits([ofQuota("a", "2026-01-15", 4)]);
    assert.equal(second?.requests, 7);
    const [looked] = await store.syncLimits([ofQuota("b", "2026-01", 0)]);
    assert.equal(looked?.requests, 5);
    const [unknown] = await store.syncLimits([ofQuota("c", "2026-01", 0)]);
    assert.equal(unknown?.requests, 0);
  });

  test("starts a new period at zero, and drops the one before", async ({ store }) => {
    await store.syncLimits([ofQuota("a", "2026-01-15", 3), ofQuota("a", "2026-01", 9), ofBucket("a", 1, 10)]);
    const [next] = await store.syncLimits([ofQuota("a", "2026-01-16", 1)]);
    assert.equal(next?.requests, 1);
    const [before, month, bucket] = await store.syncLimits([
      ofQuota("a", "2026-01-15", 0),
      ofQuota("a", "2026-01", 0),
      ofBucket("a", 0, 0),
    ]);
    assert.deepEqual([before?.requests, month?.requests, bucket?.requests], [0, 9, 1]);
  });

  test("delays a bucket's refill by what was taken, from when it was taken, and never beyond the bound", async ({
    store,
  }) => {
    const began = performance.now();
    // The remaining time shrinks while this runs, however long the machine takes.
    const near = (found = Number.NaN, expected = 0) => {
      const passed = (performance.now() - began) / 1000;
      assert.ok(found < expected + 1 && found > expected - passed - 1, `${found} is not ${expected}`);
    };
    const [first] = await store.syncLimits([ofBucket("a", 2, 40)]);
    near(first?.secondsToFull, 40);
    const [second] = await store.syncLimits([ofBucket("a", 1, 20, 10)]);
    near(second?.secondsToFull, 60);
    const [old] = await store.syncLimits([ofBucket("b", 1, 20, 50)]);
    near(old?.secondsToFull, -30);
    const [most] = await store.syncLimits([ofBucket("a", 100, 2000)]);
    near(most?.secondsToFull, 100);
    const [looked] = await store.syncLimits([ofBucket("a", 0, 0)]);
    near(looked?.secondsToFull, 100);
    assert.deepEqual([second?.requests, most?.requests, looked?.requests], [3, 103, 103]);
  });

  test("loses nothing with concurrent processes", async ({ store, file }) => {
    const others = await Promise.all([1, 2, 3].map(() => openTestStore(file, () => 0)));
    const spending = ["a", "b", "c"].map((key) => ofQuota(key, "2026-01-15", 2));
    for (let round = 0; round < 5; round++)
      await Promise.all(
        [store, ...others].map((each, index) =>
          retried(() => each.syncLimits(index % 2 ? spending : spending.toReversed())),
        ),
      );
    const all = await store.syncLimits(["a", "b", "c"].map((key) => ofQuota(key, "2026-01-15", 0)));
    assert.deepEqual(
      all.map(({ requests }) => requests),
      [40, 40, 40],
    );
    for (const other of others) await other.close();
  });
});
