// The change log as a follower reads it: by resource, with the rows of its records, pruned from its old end.
import assert from "node:assert/strict";
import type { Row } from "../../src/core/record/row.ts";
import { news } from "../../src/resources/news.ts";
import { ratings } from "../../src/resources/ratings.ts";
import type { Change } from "../../src/store/store.ts";
import type { Api } from "../support/clients/api.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { openTestStore } from "../support/stores/stores.ts";

const describeChange = ({ resource, id, kind }: Change): string => `${resource} ${id} ${kind}`;
const idsOf = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id);

async function log(api: Api, after = 0): Promise<string[]> {
  return (await api.store.changes(after, 1000)).map(describeChange);
}

/** Several ratings, one a day, each written separately. */
async function writeDaily(api: Api, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await api.has("ratings", [{ id: `r${day}` }]);
    api.clock.now += 86_400;
  }
}

onEveryStore("the change log", (test) => {
  test("returns entries of one resource, in order, with their global sequence numbers", async (api) => {
    await api.has("ratings", [{ id: "a" }, { id: "b" }]);
    await api.has("news", [{ id: 1 }]);
    await api.has("ratings", [{ id: "a", notes: "x" }]);
    await api.store.remove(news, ["1"]);
    const all = await api.store.changes(0, 100);
    const ofRatings = await api.store.changes(0, 100, "ratings");
    assert.deepEqual(
      ofRatings,
      all.filter(({ resource }) => resource === "ratings"),
    );
    assert.deepEqual(await api.store.changes(ofRatings[0]?.seq ?? 0, 1, "ratings"), ofRatings.slice(1, 2));
    assert.deepEqual((await api.store.changes(0, 100, "news")).map(describeChange), [
      "news 1 created",
      "news 1 removed",
    ]);
    assert.deepEqual(await api.store.changes(0, 100, "earnings"), []);
  });

  test("returns complete rows by ID, and omits missing ones", async (api) => {
    const input = { title: "One", body: "<p>b</p>", teaser: "t", channels: [{ id: 7, name: "C" }], importance: "high" };
    await api.has("news", [{ id: 4_000_000_000, ...input }, { id: 2 }, { id: 3 }]);
    await api.has("ratings", [{ id: "2" }, { id: `a"'\\ b,é😀` }]);
    const rows = await api.store.rowsOf(news, ["4000000000", "3", "77", "x", "", "9999999999999999999"]);
    assert.deepEqual(idsOf(rows).sort(), [3, 4_000_000_000]);
    const whole = rows.find(({ id }) => id === 4_000_000_000);
    for (const [name, value] of Object.entries(input)) assert.deepEqual(whole?.[name], value, name);
    assert.deepEqual(idsOf(await api.store.rowsOf(ratings, [`a"'\\ b,é😀`, "3"])), [`a"'\\ b,é😀`]);
    assert.deepEqual(await api.store.rowsOf(ratings, []), []);
    assert.equal((await api.store.rowsOf(news, ["2", "2"])).length, 1);
  });

  test("returns rows in order of their IDs, in batches", async (api) => {
    const ids = ["B", "_", "a", "é", "\uffee", "😀", "10", "9", " "];
    await api.has(
      "ratings",
      ids.map((id) => ({ id })),
    );
    const seen: unknown[] = [];
    for (let after: string | undefined; ; ) {
      const rows = await api.store.rowsAfter(ratings, after, 2);
      seen.push(...idsOf(rows));
      if (rows.length < 2) break;
      after = rows.at(-1)?.id as string;
    }
    assert.deepEqual(
      seen,
      ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
    await api.has("news", [{ id: 90 }, { id: 9 }, { id: 100 }]);
    assert.deepEqual(idsOf(await api.store.rowsAfter(news, 9, 10)), [90, 100]);
    assert.deepEqual(idsOf(await api.store.rowsAfter(news, undefined, 1)), [9]);
    assert.deepEqual(await api.store.rowsAfter(news, 100, 10), []);
  });

  test("is pruned from the oldest entry, in batches, and its oldest valid position is known", async (api) => {
    const start = api.clock.now;
    await writeDaily(api, 6);
    const lines = await api.store.changes(0, 100);
    assert.equal(await api.store.oldestPosition(), 0);
    assert.equal(await api.store.pruneChanges({ before: start }, 10), 0);
    assert.equal(await api.store.oldestPosition(), 0);
    const before = start + 3 * 86_400;
    assert.equal(await api.store.pruneChanges({ before }, 2), 2);
    assert.equal(await api.store.oldestPosition(), lines[1]?.seq);
    assert.equal(await api.store.pruneChanges({ before }, 2), 1);
    assert.equal(await api.store.pruneChanges({ before }, 2), 0);
    assert.equal(await api.store.oldestPosition(), lines[2]?.seq);
    assert.deepEqual(await api.store.changes(0, 100), lines.slice(3));
    assert.deepEqual((await api.get("/api/v2.1/calendar/ratings")).ratings.length, 6);
  });

  test("always retains the last entry, and sequence numbers continue after it", async (api) => {
    await writeDaily(api, 3);
    const last = await api.store.lastPosition();
    assert.equal(await api.store.pruneChanges({ before: api.clock.now + 1 }, 100), 2);
    assert.equal(await api.store.pruneChanges({ before: api.clock.now + 1 }, 100), 0);
    assert.deepEqual(await log(api), ["ratings r2 created"]);
    assert.equal(await api.store.lastPosition(), last);
    await api.has("ratings", [{ id: "new" }]);
    assert.deepEqual(await log(api, last), ["ratings new created"]);
    assert.ok((await api.store.lastPosition()) > last);
  });

  test("retains newer entries after one written by a wrong clock", async (api) => {
    const start = api.clock.now;
    await api.has("ratings", [{ id: "a" }]);
    api.clock.now = start + 10 * 86_400;
    await api.has("ratings", [{ id: "b" }]);
    api.clock.now = start + 100;
    await api.has("ratings", [{ id: "c" }]);
    await api.has("ratings", [{ id: "d" }]);
    assert.equal(await api.store.pruneChanges({ before: start + 86_400 }, 100), 1);
    assert.deepEqual(await log(api), ["ratings b created", "ratings c created", "ratings d created"]);
  });

  test("changes nothing that responses depend on when it is pruned", async (api) => {
    await writeDaily(api, 3);
    const { versionTag: stamp } = await api.store.state();
    const before = stamp(ratings);
    await api.store.pruneChanges({ before: api.clock.now }, 100);
    assert.equal((await api.store.state()).versionTag(ratings), before);
  });

  test("can be pruned up to a sequence number, also if it was copied without earlier entries", async (api) => {
    await writeDaily(api, 3);
    const [, second, third] = await api.store.changes(0, 100);
    assert.equal(await api.store.pruneChanges({ upTo: second?.seq ?? 0 }, 1), 1);
    assert.equal(await api.store.pruneChanges({ upTo: second?.seq ?? 0 }, 1), 1);
    assert.equal(await api.store.pruneChanges({ upTo: second?.seq ?? 0 }, 1), 0);
    assert.equal(await api.store.oldestPosition(), second?.seq);
    assert.deepEqual(await api.store.changes(0, 100), [third]);
    const later = { ...(third as Change), seq: 500, id: "later" };
    await api.store.importChanges([later]);
    await api.store.pruneChanges({ upTo: 499 }, 100);
    assert.equal(await api.store.oldestPosition(), 499);
    assert.deepEqual(
      (await api.store.changes(0, 100)).map(({ seq, id }) => [seq, id]),
      [[500, "later"]],
    );
  });

  test("is pruned by one process at a time, and by none again until it is due", async (api) => {
    const other = await openTestStore(api.file, () => api.clock.now);
    try {
      const turns = await Promise.all(
        [api.store, other, api.store, other].map((store) => store.claimPeriodicJob("tidy", 3600)),
      );
      assert.equal(turns.filter(Boolean).length, 1);
      assert.equal(await other.claimPeriodicJob("another", 3600), true);
      api.clock.now += 3599;
      assert.equal(await api.store.claimPeriodicJob("tidy", 3600), false);
      api.clock.now += 1;
      assert.equal(await other.claimPeriodicJob("tidy", 3600), true);
      assert.equal(await api.store.claimPeriodicJob("tidy", 3600), false);
    } finally {
      await other.close();
    }
  });
});
