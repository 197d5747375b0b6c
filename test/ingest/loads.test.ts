// An import into a large table is a sequence of loads, so that other processes can write in between.
import assert from "node:assert/strict";
import { importRecords } from "../../src/ingest/import.ts";
import type { Store } from "../../src/store/store.ts";
import { resourceNamed } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

const ratings = resourceNamed("ratings");
const records = Array.from({ length: 3010 }, (_, index) => ({
  line: index + 1,
  value: { id: `r${index}`, date: "2024-11-05", ticker: "AAPL" },
}));

/** How many records are committed after each batch: the first has 10 records, the others 1,000. */
async function committedBy(store: Store, loading: Partial<Store["loading"]>): Promise<number[]> {
  const committed: number[] = [];
  const limited = { ...store, loading: { ...store.loading, rebuilds: false, ...loading } };
  await importRecords(limited, ratings, [records], {
    now: 0,
    onRefused: (_, reasons) => assert.fail(reasons.join()),
    onBatch: ({ created }) => committed.push(created),
    batchSize: 10,
    bulk: { expected: () => 5000 },
  });
  assert.equal(await store.count(ratings), records.length);
  return committed;
}

sharingEveryStore("an import into a large table", (test) => {
  test("commits a load that has enough records", async ({ store }) => {
    assert.deepEqual(await committedBy(store, { records: 2000, seconds: 3600 }), [0, 0, 2010, 2010]);
  });

  test("commits a load that has taken long enough, however few its records", async ({ store }) => {
    assert.deepEqual(await committedBy(store, { records: 1e6, seconds: 0 }), [10, 1010, 2010, 3010]);
  });

  test("pauses between two loads, for other processes to take the write lock", async ({ store }) => {
    const pauses: number[] = [];
    let ended: number | undefined;
    const watched: Store = {
      ...store,
      load: async (...args) => {
        if (ended !== undefined) pauses.push(performance.now() - ended);
        const load = await store.load(...args);
        const commit: typeof load.commit = async (onPhase) => {
          const result = await load.commit(onPhase);
          ended = performance.now();
          return result;
        };
        return { ...load, commit };
      },
    };
    await committedBy(watched, { seconds: 0, pauseMilliseconds: 20 });
    assert.equal(pauses.length, 4);
    // A timer counts whole milliseconds, and may seem to be one too early.
    for (const pause of pauses) assert.ok(pause >= 19, `${pause} ms`);
  });
});
