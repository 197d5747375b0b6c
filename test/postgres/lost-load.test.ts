// A load whose connection is lost fails as an outage does, and leaves nothing behind.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type IncomingRow, StoreError } from "../../src/store/store.ts";
import { resourceNamed } from "../support/clients/api.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { execute } from "../support/stores/postgres.ts";
import { openTestStore, ownPostgres, stores } from "../support/stores/stores.ts";
import { tablesIn } from "../support/stores/tables.ts";

const ratings = resourceNamed("ratings");
const rating = (id: string): IncomingRow => {
  const [row] = rowsOf(ratings, [{ id, date: "2024-11-05", ticker: "AAPL" }]);
  return { row: row ?? {}, stamped: false };
};

/** Ends the connection that holds the write lock. */
const cutWriter = (url: string) =>
  execute(
    url,
    `select pg_terminate_backend(l.pid, 60000) from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and l.granted and d.datname = current_database()`,
  );

test("a load whose connection is lost reports the outage and can be repeated [postgres]", {
  skip: !stores.includes("postgres"),
}, async () => {
  const { url, drop } = await ownPostgres("lost");
  const store = await openTestStore(url, () => 1_730_800_000);
  try {
    const before = await tablesIn(url);
    const load = await store.load(ratings);
    load.add(rating("a"));
    await load.flush();
    await cutWriter(url);
    load.add(rating("b"));
    await assert.rejects(load.commit(), StoreError);
    await load.rollback();
    assert.deepEqual(await tablesIn(url), before);
    const again = await store.load(ratings);
    again.add(rating("a"));
    assert.deepEqual(await again.commit(), { created: 1, updated: 0, unchanged: 0 });
  } finally {
    await store.close();
    await drop();
  }
});
