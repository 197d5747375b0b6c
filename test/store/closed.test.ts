// Closing a SQLite store, also while a snapshot of it is being read.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openSqlite } from "../../src/open-sqlite.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { crowd, sample } from "../support/records/records.ts";
import { parseUrl, rowsOf } from "../support/requests/requests.ts";

let folder: string;
let file: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "bellwire-closed-"));
  file = join(folder, "records.db");
  const store = openSqlite({ file });
  const rows = rowsOf(ratings, sample(crowd(ratings, 3)));
  await store.put(
    ratings,
    rows.map((row) => ({ row, stamped: false })),
  );
  await store.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe("a closed store", () => {
  test("fails every call, and can be closed again", async () => {
    const other = openSqlite({ file });
    await other.prepare();
    await other.close();
    await other.close();
    for (const call of [() => other.state(), () => other.getMetadata("waits"), () => other.setMetadata("waits", "no")])
      await assert.rejects(async () => call(), /is closed/);
  });

  test("may be closed while a snapshot of it is being closed, in either order, and fails its reads", async () => {
    const { plan } = parseUrl(ratings, ratings.path) ?? assert.fail("no plan");
    for (const order of ["store first", "snapshot first"]) {
      const other = openSqlite({ file });
      await other.prepare();
      const snapshot = await other.snapshot();
      const [first, second] = order === "store first" ? [other, snapshot] : [snapshot, other];
      const closing = first.close();
      // The message to the thread is on its way.
      await setImmediate();
      await Promise.all([closing, second.close()]);
      await assert.rejects(snapshot.page(plan), /is closed/);
    }
    // Threads are reused: one that was returned twice would serve two databases.
    const [some, others] = [openSqlite({ file }), openSqlite({ file: join(folder, "others.db") })];
    await Promise.all([some.prepare(), others.prepare()]);
    assert.notEqual((await some.state()).databaseId, (await others.state()).databaseId);
    assert.deepEqual([(await some.count(ratings)) > 0, await others.count(ratings)], [true, 0]);
    await Promise.all([some.close(), others.close()]);
  });
});
