// A COPY that the database doesn't complete in time fails like any other statement, and the process goes on.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConnectionPool } from "../../../src/store/postgres/pool/pool.ts";
import { copyInto } from "../../../src/store/postgres/write/copy.ts";
import { BusyError } from "../../../src/store/store.ts";
import { execute } from "../../support/stores/postgres.ts";
import { url, useTestDatabase } from "./test-pool.ts";
import { hangs, withClient } from "./waiting.ts";

describe("a COPY past its time limit", hangs, () => {
  useTestDatabase();

  test("fails once, although the server reports afterward that it was canceled", async () => {
    await execute(url, "create table copied (value text)");
    // Behind a pooler, the driver alone limits the time.
    const pool = new ConnectionPool({ url, poolSize: 1, queueSize: 1, statementSeconds: 1, prepare: false });
    try {
      await withClient(url, async (other) => {
        await other.query("begin");
        await other.query("lock table copied");
        const copying = pool.transaction((client) => copyInto(client, "copied", ["value"], ["a"], (each) => [[each]]));
        await assert.rejects(copying, BusyError);
        await other.query("rollback");
      });
      assert.deepEqual(await pool.query("select value from copied"), []);
    } finally {
      await pool.end();
    }
  });
});
