// Pipelined statements: each gets its own result, and neither a slow nor a failing one affects others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { finished } from "node:stream/promises";
import { describe, test } from "node:test";
import { from } from "pg-copy-streams";
import { ConnectionPool } from "../../../src/store/postgres/pool/pool.ts";
import { StoreError } from "../../../src/store/store.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { passing } from "./gates.ts";
import { url, useTestDatabase, using } from "./test-pool.ts";
import { hangs, withClient } from "./waiting.ts";

useTestDatabase();

/** Waits until the test opens the gate. */
const gated = `select ${passing("9")}`;

const send = (pool: ConnectionPool, sql: string, ...parameters: unknown[]) => pool.queryPipelined({ sql, parameters });

const times = <T>(count: number, run: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

describe("pipelined statements [postgres]", hangs, () => {
  test("share few connections, and each gets its own result", () =>
    using(10, async (pool) => {
      const results = await times(32, (n) => send(pool, "select $1::int as n, pg_backend_pid() as pid", n));
      const rows = results.map(([row]) => row);
      assert.deepEqual(
        rows.map((row) => row?.n),
        rows.map((_, n) => n),
      );
      assert.equal(new Set(rows.map((row) => row?.pid)).size, 2);
    }));

  test("use another connection while a slow one is in flight", async () => {
    const time = { ms: 0 };
    await using(
      2,
      async (pool, gates) => {
        await gates.close(9);
        const slow = send(pool, gated);
        await gates.waiting(1);
        time.ms += 10;
        await times(20, () => send(pool, "select 1"));
        await gates.open(9);
        await slow;
      },
      { clock: () => time.ms },
    );
  });

  test("behind a slow one are sent on another connection, too", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (pool, gates) => {
        await gates.close(9);
        const slow = send(pool, gated);
        const results = times(10, (n) => send(pool, "select $1::int as n", n));
        await gates.waiting(1);
        time.ms += 150;
        assert.deepEqual(
          (await results).map(([row]) => row?.n),
          Array.from({ length: 10 }, (_, n) => n),
        );
        await gates.open(9);
        await slow;
        assert.deepEqual(await send(pool, "select 1 as n"), [{ n: 1 }]);
      },
      { clock: () => time.ms },
    );
  });

  test("are not blocked by the same slow one on every connection", async () => {
    const time = { ms: 0 };
    await using(
      3,
      async (pool, gates) => {
        await gates.close(8, 9);
        const first = send(pool, `select ${passing("8")}`);
        const slow = send(pool, gated);
        const last = send(pool, "select 1 as n");
        await gates.waiting(1);
        time.ms += 150;
        // The slow one precedes the last one on the second connection too, and then on the first.
        await gates.waiting(2);
        await gates.open(8);
        await first;
        await gates.waiting(2);
        time.ms += 150;
        assert.deepEqual(await last, [{ n: 1 }]);
        await gates.open(9);
        await slow;
      },
      { clock: () => time.ms },
    );
  });

  test("continue while two connections are stalled", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (pool, gates) => {
        await gates.close(8, 9);
        const stuck: Promise<unknown>[] = [];
        for (const gate of ["8", "9"]) {
          stuck.push(send(pool, `select ${passing(gate)}`));
          await gates.waiting(stuck.length);
          time.ms += 150;
        }
        assert.deepEqual(await send(pool, "select 1 as n"), [{ n: 1 }]);
        await gates.open(8, 9);
        await Promise.all(stuck);
      },
      { clock: () => time.ms },
    );
  });

  test("are sent once, even if the event loop was blocked when the responses arrived", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (pool, gates) => {
        await gates.close(1);
        const results = times(3, () => send(pool, `select nextval('sent') || ${passing("1")}`));
        const [pid = 0] = await gates.waiting(1);
        time.ms += 300;
        openWhileBusy(gates.holder, pid);
        await results;
      },
      { clock: () => time.ms },
    );
    // The connections have closed, so duplicates would have run by now.
    await withClient(url, async (client) => {
      assert.equal((await client.query("select last_value from sent")).rows[0].last_value, "3");
    });
  });

  test("that fail behind a slow one are not sent repeatedly", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (pool, gates) => {
        await gates.close(9);
        const slow = send(pool, gated);
        const failing = assert.rejects(send(pool, "select nextval('failed') / $1::int", 0), /division by zero/);
        await gates.waiting(1);
        time.ms += 150;
        await failing;
        await gates.open(9);
        await slow;
      },
      { clock: () => time.ms },
    );
    await withClient(url, async (client) => {
      const { rows } = await client.query("select last_value::int as n from failed");
      assert.ok(rows[0].n <= 2, `sent ${rows[0].n} times`);
    });
  });

  test("that fail on another connection reject before the slow one finishes", async () => {
    const time = { ms: 0 };
    await using(
      2,
      async (pool, gates) => {
        await gates.close(9);
        const slow = send(pool, gated);
        const failing = assert.rejects(send(pool, "select 1 / $1::int", 0), /division by zero/);
        await gates.waiting(1);
        time.ms += 150;
        await failing;
        await gates.open(9);
        await slow;
      },
      { clock: () => time.ms },
    );
  });

  test("wait for a slow one if there is no other connection", () =>
    using(
      1,
      async (pool, gates) => {
        await gates.close(9);
        const slow = send(pool, gated);
        const next = send(pool, "select 1 as n");
        await gates.waiting(1);
        await gates.open(9);
        assert.deepEqual(await next, [{ n: 1 }]);
        await slow;
      },
      { clock: () => performance.now() },
    ));

  test("fail independently", () =>
    using(1, async (pool) => {
      const results = await Promise.allSettled([0, 1, 2, 0, 3].map((n) => send(pool, "select 6 / $1::int as q", n)));
      const seen = results.map((each) => (each.status === "fulfilled" ? each.value[0]?.q : each.reason.message));
      assert.deepEqual(seen, ["division by zero", 6, 3, "division by zero", 2]);
    }));

  test("succeed even if the server rejects one of them for lack of resources", () =>
    using(1, async (pool) => {
      const results = await Promise.allSettled(
        [1, 2, 3].map((n) => send(pool, "select full_at($1::float8, 2) as n", n)),
      );
      const seen = results.map((each) =>
        each.status === "fulfilled" ? each.value[0]?.n : each.reason instanceof StoreError,
      );
      assert.deepEqual(seen, ["1", true, "3"]);
    }));

  test("use separate connections behind a pooler in transaction mode", () =>
    using(
      2,
      async (pool, gates) => {
        await gates.close(9);
        const slow = send(pool, gated);
        await gates.waiting(1);
        assert.deepEqual(await send(pool, "select 1 as n"), [{ n: 1 }]);
        await gates.open(9);
        await slow;
      },
      { prepare: false },
    ));

  test("in flight on a lost connection are rejected, and the next succeed", () =>
    using(1, async (pool, gates) => {
      await gates.close(9);
      const results = Promise.allSettled([gated, "select 1"].map((sql) => send(pool, sql)));
      const [pid] = await gates.waiting(1);
      await withClient(url, (client) => client.query("select pg_terminate_backend($1)", [pid]));
      for (const each of await results) {
        assert.equal(each.status, "rejected");
        assert.ok(each.reason instanceof StoreError, String(each.reason));
      }
      assert.deepEqual(await send(pool, "select 1 as n"), [{ n: 1 }]);
    }));

  test("are rejected when in-flight statements are aborted", () =>
    using(1, async (pool, gates) => {
      await gates.close(9);
      const results = Promise.allSettled([gated, "select 1"].map((sql) => send(pool, sql)));
      await gates.waiting(1);
      pool.abortInFlight();
      for (const { status } of await results) assert.equal(status, "rejected");
    }));

  test("leave the connection usable for COPY", () =>
    using(1, async (pool) => {
      await times(3, () => send(pool, "select 1"));
      await pool.transaction(async (client) => {
        await client.query("create temp table loaded (n int)");
        const stream = client.query(from("copy loaded from stdin"));
        stream.end("1\n2\n");
        await finished(stream);
        assert.deepEqual((await client.query("select sum(n)::int as sum from loaded")).rows, [{ sum: 3 }]);
      });
    }));
});

describe("statement timeouts [postgres]", hangs, () => {
  test("reject, cancel the statement on the server, and leave a usable pool", async () => {
    // Without prepared statements, no server-side timeout is set.
    const options = { url, poolSize: 1, queueSize: 10, statementSeconds: 1, prepare: false };
    const pool = new ConnectionPool(options);
    const rows = (sql: string) => pool.query(sql).catch(() => []);
    try {
      await assert.rejects(pool.query("select pg_sleep(3600)"), StoreError);
      await waitUntil(async () => (await rows("select 1 as n"))[0]?.n === 1, "the pool can be used");
      await withClient(url, async (client) => {
        const sleeping = "select 1 from pg_stat_activity where state = 'active' and query = 'select pg_sleep(3600)'";
        await waitUntil(async () => (await client.query(sleeping)).rows.length === 0, "the statement is stopped");
      });
    } finally {
      await pool.end();
    }
  });
});

/** Opens the gates and blocks this process until the responses have arrived, and a while longer. */
function openWhileBusy(holder: number, pid: number): void {
  const script = `
    import pg from "pg";
    const client = new pg.Client(${JSON.stringify(url)});
    await client.connect();
    await client.query("select pg_terminate_backend($1)", [${holder}]);
    const idle = "select from pg_stat_activity where pid = $1 and state = 'idle' and wait_event = 'ClientRead'";
    while ((await client.query(idle, [${pid}])).rowCount === 0);
    await client.end();
    setTimeout(() => {}, 200);`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: import.meta.dirname });
}
