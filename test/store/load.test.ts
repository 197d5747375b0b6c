// A load writes what `put` writes, all at once or not at all.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { IncomingRow, LoadResult, Store } from "../../src/store/store.ts";
import { type RecordInput, resourceNamed } from "../support/clients/api.ts";
import { crowd, sample } from "../support/records/records.ts";
import { spread } from "../support/records/spread.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { openTestStore, ownPostgres, sqliteDatabase, stores } from "../support/stores/stores.ts";
import { tablesIn } from "../support/stores/tables.ts";

const now = 1_730_800_000;

const incoming = (resource: Resource, records: readonly RecordInput[], stamped = false): IncomingRow[] =>
  rowsOf(resource, records).map((row) => ({ row, stamped }));

async function load(
  store: Store,
  resource: Resource,
  rows: readonly IncomingRow[],
  rebuild: boolean,
): Promise<LoadResult> {
  const begun = await store.load(resource, { rebuild });
  for (const [index, row] of rows.entries()) {
    begun.add(row);
    if (index % 40 === 39) await begun.flush();
  }
  return begun.commit();
}

for (const name of stores) {
  describe(`a load [${name}]`, () => {
    const opened: { readonly store: Store; readonly release: () => Promise<void> }[] = [];
    // After each test, so that the next one reuses the threads.
    afterEach(async () => {
      for (const { store, release } of opened.splice(0)) {
        await store.close();
        await release();
      }
    });
    const open = async (): Promise<{ database: string; store: Store }> => {
      const [database, release] =
        name === "sqlite"
          ? (({ name: file, release }) => [file, release] as const)(sqliteDatabase())
          : (({ url, drop }) => [url, drop] as const)(await ownPostgres("load"));
      const store = await openTestStore(database, () => now);
      opened.push({ store, release });
      return { database, store };
    };
    const ratings = resourceNamed("ratings");
    const rating = (id: string, more: RecordInput = {}): RecordInput => ({
      id,
      date: "2024-11-05",
      ticker: "AAPL",
      ...more,
    });

    for (const rebuild of [true, false]) {
      test(`fills every table as put does, for every resource, ${rebuild ? "with" : "without"} rebuilding indexes`, async () => {
        const [expected, actual] = [await open(), await open()];
        for (const resource of catalog) {
          const rows = incoming(resource, spread(resource, sample(crowd(resource, 40))));
          await expected.store.put(resource, rows);
          assert.deepEqual(await load(actual.store, resource, rows, rebuild), {
            created: rows.length,
            updated: 0,
            unchanged: 0,
          });
        }
        assert.deepEqual(await tablesIn(actual.database), await tablesIn(expected.database));
      });

      test(`updates records, and recognizes those that are unchanged, ${rebuild ? "with" : "without"} rebuilding indexes`, async () => {
        const [expected, actual] = [await open(), await open()];
        for (const resource of catalog) {
          const records = spread(resource, sample(crowd(resource, 40)));
          const changed = records.map((record, index) =>
            index % 2 === 0 ? record : { ...records[(index + 7) % records.length], id: record.id },
          );
          for (const { store } of [expected, actual]) await store.put(resource, incoming(resource, records));
          const outcomes = await expected.store.put(resource, incoming(resource, changed));
          const result = await load(actual.store, resource, incoming(resource, changed), rebuild);
          for (const outcome of ["created", "updated", "unchanged"] as const)
            assert.equal(result[outcome], outcomes.filter((each) => each === outcome).length, resource.name);
        }
        const [{ change: changes, ...rest }, { change: expectedChanges, ...expectedRest }] = [
          await tablesIn(actual.database),
          await tablesIn(expected.database),
        ];
        assert.deepEqual(rest, expectedRest);
        assert.equal(changes?.length, expectedChanges?.length);
      });

      test(`writes the last of several records with an ID, ${rebuild ? "with" : "without"} rebuilding indexes`, async () => {
        const { store } = await open();
        const records = [
          rating("a", { notes: "first" }),
          rating("b"),
          rating("a", { notes: "second" }),
          rating("a", { notes: "last" }),
          rating("b"),
        ];
        assert.deepEqual(await load(store, ratings, incoming(ratings, records), rebuild), {
          created: 2,
          updated: 2,
          unchanged: 1,
        });
        const found = await store.rowsOf(ratings, ["a", "b"]);
        assert.deepEqual(found.map(({ id, notes }) => [id, notes]).sort(), [
          ["a", "last"],
          ["b", ""],
        ]);
        assert.equal(await store.count(ratings), 2);
      });

      test(`leaves the time of import of an unchanged record, ${rebuild ? "with" : "without"} rebuilding indexes`, async () => {
        const { store } = await open();
        await store.put(ratings, incoming(ratings, [rating("a", { updated: 1000 })], true));
        const again = incoming(ratings, [rating("a", { updated: 2000 }), rating("b", { updated: 2000 })], true);
        assert.deepEqual(await load(store, ratings, again, rebuild), { created: 1, updated: 0, unchanged: 1 });
        const found = await store.rowsOf(ratings, ["a", "b"]);
        assert.deepEqual(found.map(({ id, updated }) => [id, updated]).sort(), [
          ["a", 1000],
          ["b", 2000],
        ]);
      });
    }

    test("is invisible before it commits, and readers continue with the previous data", async () => {
      const { database, store } = await open();
      const reader = await openTestStore(database, () => now);
      await store.put(ratings, incoming(ratings, [rating("a")]));
      const begun = await store.load(ratings, { rebuild: true });
      for (const row of incoming(ratings, [rating("b"), rating("c")])) begun.add(row);
      await begun.flush();
      for (const each of [reader, store]) {
        assert.equal(await each.count(ratings), 1);
        assert.deepEqual(
          (await each.rowsAfter(ratings, undefined, 10)).map(({ id }) => id),
          ["a"],
        );
      }
      await begun.commit();
      assert.equal(await reader.count(ratings), 3);
      await reader.close();
    });

    test("leaves nothing behind if it is rolled back", async () => {
      const { database, store } = await open();
      await store.put(ratings, incoming(ratings, [rating("a")]));
      const before = await tablesIn(database);
      const begun = await store.load(ratings, { rebuild: true });
      for (const row of incoming(ratings, [rating("b"), rating("a", { notes: "changed" })])) begun.add(row);
      await begun.flush();
      await begun.rollback();
      assert.deepEqual(await tablesIn(database), before);
    });

    test("fails as a whole if a record can't be written", async () => {
      const { database, store } = await open();
      const before = await tablesIn(database);
      const [good, bad] = incoming(ratings, [rating("a"), rating("b")]) as [IncomingRow, IncomingRow];
      const begun = await store.load(ratings, { rebuild: true });
      begun.add(good);
      begun.add({ ...bad, row: { ...bad.row, importance: 9 } });
      await assert.rejects(begun.commit(), /unexpected values of importance: 9/);
      await begun.rollback();
      assert.deepEqual(await tablesIn(database), before);
    });

    test("reports a record that can't be written once, however many follow", async () => {
      const { store } = await open();
      const begun = await store.load(ratings, { rebuild: true });
      const records = Array.from({ length: 5000 }, (_, index) => rating(`r${index}`));
      for (const { row, stamped } of incoming(ratings, records)) begun.add({ row: { ...row, importance: 9 }, stamped });
      await assert.rejects(begun.commit(), /unexpected values of importance: 9/);
      await begun.rollback();
      assert.equal(await store.count(ratings), 0);
    });

    test("makes other writes of the process wait until it ends", async () => {
      const { store } = await open();
      const begun = await store.load(ratings, { rebuild: true });
      const order: string[] = [];
      const written = store.put(ratings, incoming(ratings, [rating("b")])).then(() => order.push("put"));
      begun.add(incoming(ratings, [rating("a")])[0] as IncomingRow);
      await begun.flush();
      await begun.commit().then(() => order.push("load"));
      await written;
      assert.deepEqual(order, ["load", "put"]);
      assert.equal(await store.count(ratings), 2);
    });

    test("isn't affected by one before it, which has nothing left to roll back", async () => {
      const { store } = await open();
      const first = await store.load(ratings);
      await first.commit();
      const second = await store.load(ratings);
      await first.rollback();
      second.add(incoming(ratings, [rating("a")])[0] as IncomingRow);
      assert.deepEqual(await second.commit(), { created: 1, updated: 0, unchanged: 0 });
    });

    test("makes a removed record exist again", async () => {
      const { database, store } = await open();
      await store.put(ratings, incoming(ratings, [rating("a")]));
      await store.remove(ratings, ["a"]);
      await load(store, ratings, incoming(ratings, [rating("a")]), true);
      assert.deepEqual((await tablesIn(database)).removal, []);
    });
  });
}
