// Quick statements on few connections: each gets its own answer, and neither a slow nor a failing one harms others.
import assert from "node:assert/strict";
import { finished } from "node:stream/promises";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { from } from "pg-copy-streams";
import { Database } from "../../src/store/postgres/database.ts";
import { StoreError } from "../../src/store/store.ts";
import { makePostgres, type PostgresServer } from "../support/postgres.ts";
import { withClient } from "./waiting.ts";

let server: PostgresServer;

before(async () => {
  server = await makePostgres();
  await server.start();
});

after(async () => server?.remove());

async function using(poolSize: number, work: (database: Database) => Promise<void>): Promise<void> {
  const options = { url: server.url, poolSize, queueSize: 100, statementSeconds: 10, prepare: true };
  const database = new Database(options);
  try {
    await work(database);
  } finally {
    await database.end();
  }
}

const quickly = (database: Database, sql: string, ...parameters: unknown[]) =>
  database.queryQuickly({ sql, parameters });

const rounds = <T>(count: number, ask: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));

describe("quick statements [postgres]", { timeout: 60_000 }, () => {
  test("share few connections, and each gets its own answer", () =>
    using(10, async (database) => {
      const asked = await rounds(32, (n) => quickly(database, "select $1::int as n, pg_backend_pid() as pid", n));
      const rows = asked.map(([row]) => row);
      assert.deepEqual(
        rows.map((row) => row?.n),
        rows.map((_, n) => n),
      );
      assert.equal(new Set(rows.map((row) => row?.pid)).size, 2);
    }));

  test("go another way while a slow one is on its way", () =>
    using(2, async (database) => {
      let isOver = false;
      const slow = quickly(database, "select pg_sleep(2)").then(() => {
        isOver = true;
      });
      await pause(100);
      await rounds(20, () => quickly(database, "select 1"));
      assert.equal(isOver, false);
      await slow;
    }));

  test("that wait behind a slow one have their answers from elsewhere before long", () =>
    using(4, async (database) => {
      let isOver = false;
      const slow = quickly(database, "select pg_sleep(2)").then(() => {
        isOver = true;
      });
      const asked = await rounds(10, (n) => quickly(database, "select $1::int as n", n));
      assert.deepEqual(
        asked.map(([row]) => row?.n),
        asked.map((_, n) => n),
      );
      assert.equal(isOver, false);
      await slow;
      assert.deepEqual(await quickly(database, "select 1 as n"), [{ n: 1 }]);
    }));

  test("that fail elsewhere are told so before long", () =>
    using(2, async (database) => {
      let isOver = false;
      const slow = quickly(database, "select pg_sleep(2)").then(() => {
        isOver = true;
      });
      await assert.rejects(quickly(database, "select 1 / $1::int", 0), /division by zero/);
      assert.equal(isOver, false);
      await slow;
    }));

  test("wait for a slow one where there is no other connection", () =>
    using(1, async (database) => {
      const [, [row]] = await Promise.all([
        quickly(database, "select pg_sleep(0.5)"),
        quickly(database, "select 1 as n"),
      ]);
      assert.deepEqual(row, { n: 1 });
    }));

  test("fail alone", () =>
    using(1, async (database) => {
      const asked = await Promise.allSettled(
        [0, 1, 2, 0, 3].map((n) => quickly(database, "select 6 / $1::int as q", n)),
      );
      const seen = asked.map((each) => (each.status === "fulfilled" ? each.value[0]?.q : each.reason.message));
      assert.deepEqual(seen, ["division by zero", 6, 3, "division by zero", 2]);
    }));

  test("that were on their way when their connection was lost are refused; the next are answered", () =>
    using(1, async (database) => {
      const asked = Promise.allSettled(["select pg_sleep(20)", "select 1"].map((sql) => quickly(database, sql)));
      await pause(300);
      await withClient(server.url, (client) =>
        client.query("select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(20)'"),
      );
      for (const each of await asked) {
        assert.equal(each.status, "rejected");
        assert.ok(each.reason instanceof StoreError, String(each.reason));
      }
      assert.deepEqual(await quickly(database, "select 1 as n"), [{ n: 1 }]);
    }));

  test("are given up when the server is to be left", () =>
    using(1, async (database) => {
      const asked = Promise.allSettled(["select pg_sleep(20)", "select 1"].map((sql) => quickly(database, sql)));
      await pause(300);
      const began = performance.now();
      database.abandon();
      for (const { status } of await asked) assert.equal(status, "rejected");
      assert.ok(performance.now() - began < 5000);
    }));

  test("leave their connection as it was: a bulk load may follow", () =>
    using(1, async (database) => {
      await rounds(3, () => quickly(database, "select 1"));
      await database.transaction(async (client) => {
        await client.query("create temp table loaded (n int)");
        const stream = client.query(from("copy loaded from stdin"));
        stream.end("1\n2\n");
        await finished(stream);
        assert.deepEqual((await client.query("select sum(n)::int as sum from loaded")).rows, [{ sum: 3 }]);
      });
    }));
});

describe("statements that are not answered in time [postgres]", { timeout: 60_000 }, () => {
  test("are given up, stopped in the server, and leave a pool that can be used", async () => {
    // Behind a pooler the server has no limit of its own.
    const options = { url: server.url, poolSize: 1, queueSize: 10, statementSeconds: 0.3, prepare: false };
    const database = new Database(options);
    try {
      const began = performance.now();
      await assert.rejects(database.query("select pg_sleep(21)"), StoreError);
      assert.ok(performance.now() - began < 5000);
      assert.deepEqual(await database.query("select 1 as n"), [{ n: 1 }]);
      await withClient(server.url, async (client) => {
        const sleeping = "select 1 from pg_stat_activity where state = 'active' and query = 'select pg_sleep(21)'";
        while ((await client.query(sleeping)).rows.length > 0) await pause(20);
      });
    } finally {
      await database.end();
    }
  });
});
