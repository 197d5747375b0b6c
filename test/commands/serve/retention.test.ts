// Old changes are pruned by one of all processes, at startup and then hourly, in batches.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pruneChanges } from "../../../src/commands/serve/retention.ts";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { ratings } from "../../../src/resources/ratings.ts";
import type { Api } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { openTestStore } from "../../support/stores/stores.ts";
import { bellwire, freshDatabase, serving } from "../support/bellwire.ts";

const day = 86_400;

/** Removals on a first day, and one change on each later day. */
async function history(api: Api, days: number): Promise<void> {
  const ids = Array.from({ length: 1200 }, (_, n) => `r${n}`);
  await api.has(
    "ratings",
    ids.map((id) => ({ id })),
  );
  await api.store.remove(ratings, ids);
  for (let n = 1; n < days; n++) {
    api.clock.now += day;
    await api.has("ratings", [{ id: `day ${n}` }]);
  }
}

const retention = (api: Api, days: number) => ({
  days,
  now: () => api.clock.now,
  signal: new AbortController().signal,
});

describe("serve --change-days [sqlite]", () => {
  test("old changes are pruned at startup, and the log says so", async () => {
    const database = freshDatabase();
    const store = await openTestStore(database, () => 1_700_000_000);
    const accepted = ["a", "b"].map((id) => validateRecord(ratings, { id, date: "2024-11-05" }, 1));
    for (const row of accepted) if ("row" in row) await store.put(ratings, [row]);
    await store.close();
    const server = await serving(["--database", database, "--no-demo", "--change-days", "1"]);
    await server.until("stderr", /"lines":1,"days":1,"msg":"pruned old changes"/);
    assert.equal((await server.stop()).status, 0);
    const after = await openTestStore(database, () => 0);
    assert.deepEqual([(await after.changes(0, 10)).length, await after.oldestPosition()], [1, 1]);
    await after.close();
  });

  test("the number of days must be an integer", async () => {
    const { status, stderr } = await bellwire(["serve", "--change-days", "-1"], { ownProcess: false });
    assert.deepEqual([status, /--change-days: expected a number from 0 to 36500/.test(stderr)], [2, true], stderr);
  });
});

onEveryStore("retention", (test) => {
  test("everything older than the setting is pruned, and the rest stays", async (api) => {
    await history(api, 10);
    assert.equal(await pruneChanges(api.store, retention(api, 5)), 2400 + 3 + 1200);
    const remaining = await api.store.changes(0, 100);
    assert.deepEqual(
      remaining.map(({ id }) => id),
      [4, 5, 6, 7, 8, 9].map((n) => `day ${n}`),
    );
    assert.deepEqual((await api.get("/api/v2.1/calendar-removed")).removed, []);
    assert.equal(await api.store.oldestPosition(), (remaining[0]?.seq ?? 0) - 1);
    assert.equal((await api.get("/api/v2.1/calendar/ratings?pagesize=100")).ratings.length, 9, "records stay");
  });

  test("with 0 days, nothing is ever pruned", async (api) => {
    await history(api, 3);
    api.clock.now += 10_000 * day;
    assert.equal(await pruneChanges(api.store, retention(api, 0)), 0);
    assert.equal((await api.store.changes(0, 5000)).length, 2402);
  });

  test("only one of several processes prunes, and none again within the hour", async (api) => {
    await history(api, 10);
    const others = await Promise.all([1, 2].map(() => openTestStore(api.file, () => api.clock.now)));
    try {
      const gone = await Promise.all([api.store, ...others].map((store) => pruneChanges(store, retention(api, 5))));
      assert.equal(gone.filter((count) => count > 0).length, 1);
      api.clock.now += day / 24 - 1;
      assert.equal(await pruneChanges(api.store, retention(api, 2)), 0);
      api.clock.now += 1;
      assert.ok((await pruneChanges(api.store, retention(api, 2))) > 0);
    } finally {
      await Promise.all(others.map((store) => store.close()));
    }
  });

  test("a stop ends it between two batches", async (api) => {
    await history(api, 10);
    const stop = new AbortController();
    const forgetting = pruneChanges(api.store, { ...retention(api, 5), signal: stop.signal });
    stop.abort();
    assert.ok((await forgetting) <= 1000);
    assert.ok((await api.store.changes(0, 5000)).length > 1000);
  });
});
