// Writers of one process queue outside the database, so that connections remain for readers.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { locks } from "../../src/store/postgres/migrate.ts";
import { createMutex } from "../../src/store/postgres/pool/mutex.ts";
import type { Store } from "../../src/store/store.ts";
import { resourceNamed, testNow } from "../support/clients/api.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { openTestStore, postgresDatabase, stores, type TestDatabase } from "../support/stores/stores.ts";
import { withClient } from "./pool/waiting.ts";

const ratings = resourceNamed("ratings");

describe("concurrent writers in one process [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: TestDatabase;
  let store: Store;
  before(async () => {
    database = await postgresDatabase();
    store = await openTestStore(database.name, () => testNow);
  });
  after(async () => {
    await store?.close();
    await database?.release();
  });

  test("leave connections to readers while another process holds the lock, and then write in order", async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `r${n}`);
    await withClient(database.name, async (client) => {
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock($1)", [locks.write]);
      const writes = ids.map((id) =>
        store.put(
          ratings,
          rowsOf(ratings, [{ id, date: "2024-11-05" }]).map((row) => ({ row, stamped: false })),
        ),
      );
      // The pool of the test's store has three connections.
      assert.deepEqual(await Promise.all([1, 2, 3, 4].map(() => store.count(ratings))), [0, 0, 0, 0]);
      await client.query("commit");
      for (const outcome of await Promise.all(writes)) assert.deepEqual(outcome, ["created"]);
    });
    assert.deepEqual(
      (await store.changes(0, 100)).map(({ id }) => id),
      ids,
    );
  });
});

describe("mutex", () => {
  test("continues after a failure, rejects after the timeout, and preserves the order", async () => {
    const mutex = createMutex(20, () => new Error("too long"));
    const seen: string[] = [];
    let finish = () => {};
    const slow = mutex(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      seen.push("slow");
      throw new Error("failed");
    });
    await assert.rejects(
      mutex(async () => seen.push("never")),
      /too long/,
    );
    const late = mutex(async () => seen.push("late"));
    finish();
    await assert.rejects(slow, /failed/);
    await late;
    assert.deepEqual(seen, ["slow", "late"]);
  });
});
