// A load into a SQLite file whose disk is full after the commit. On PostgreSQL, checkpoints are no part of a load.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tablesOf } from "../../src/store/rows/row-encoding.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { BulkWriter } from "../../src/store/sqlite/load/bulk-writer.ts";
import { readState } from "../../src/store/sqlite/state.ts";
import { prepareRow } from "../../src/store/sqlite/write/prepare-row.ts";
import { resourceNamed } from "../support/clients/api.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { sqliteDatabase } from "../support/stores/stores.ts";

test("a load that is committed succeeds, although the write-ahead log can't be emptied", async () => {
  const { name: file, release } = sqliteDatabase();
  const connection = new Connection(file, { readOnly: false });
  const ratings = resourceNamed("ratings");
  const [row] = rowsOf(ratings, [{ id: "a", date: "2024-11-05", ticker: "AAPL" }]);
  const writer = new BulkWriter(connection, ratings, 0, {});
  writer.put([
    prepareRow(tablesOf(ratings), { row: row ?? assert.fail(), stamped: false }, readState(connection).rendering),
  ]);
  const { db } = connection;
  const exec = db.exec.bind(db);
  db.exec = (sql) => {
    if (sql.includes("wal_checkpoint")) throw Object.assign(new Error("disk I/O error"), { errcode: 778 });
    exec(sql);
  };
  assert.deepEqual(writer.commit(), { created: 1, updated: 0, unchanged: 0 });
  connection.close();
  const reader = new Connection(file, { readOnly: true });
  assert.equal(reader.all("select id from ratings").length, 1);
  reader.close();
  await release();
});
