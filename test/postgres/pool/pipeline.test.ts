// Quick statements on few connections: each gets its own answer, and neither a slow nor a failing one harms others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { finished } from "node:stream/promises";
import { describe, test } from "node:test";
import { from } from "pg-copy-streams";
import { ConnectionPool } from "../../../src/store/postgres/pool/pool.ts";
import { StoreError } from "../../../src/store/store.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { askedDatabase, url, using } from "./asking.ts";
import { passing } from "./gates.ts";
import { hangs, withClient } from "./waiting.ts";

askedDatabase();

/** Waits until the test opens the gate. */
const slowly = `select ${passing("9")}`;

const quickly = (database: ConnectionPool, sql: string, ...parameters: unknown[]) =>
  database.queryPipelined({ sql, parameters });

const rounds = <T>(count: number, ask: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));

describe("quick statements [postgres]", hangs, () => {
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

  test("go another way while a slow one is on its way", async () => {
    const time = { ms: 0 };
    await using(
      2,
      async (database, gates) => {
        await gates.close(9);
        const slow = quickly(database, slowly);
        await gates.waiting(1);
        time.ms += 10;
        await rounds(20, () => quickly(database, "select 1"));
        await gates.open(9);
        await slow;
      },
      { clock: () => time.ms },
    );
  });

  test("that wait behind a slow one have their answers from elsewhere before it", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (database, gates) => {
        await gates.close(9);
        const slow = quickly(database, slowly);
        const asked = rounds(10, (n) => quickly(database, "select $1::int as n", n));
        await gates.waiting(1);
        time.ms += 150;
        assert.deepEqual(
          (await asked).map(([row]) => row?.n),
          Array.from({ length: 10 }, (_, n) => n),
        );
        await gates.open(9);
        await slow;
        assert.deepEqual(await quickly(database, "select 1 as n"), [{ n: 1 }]);
      },
      { clock: () => time.ms },
    );
  });

  test("are not kept by one slow statement on every way that they were sent", async () => {
    const time = { ms: 0 };
    await using(
      3,
      async (database, gates) => {
        await gates.close(8, 9);
        const first = quickly(database, `select ${passing("8")}`);
        const slow = quickly(database, slowly);
        const last = quickly(database, "select 1 as n");
        await gates.waiting(1);
        time.ms += 150;
        // The slow one goes before the last one on the second way too, and then on the first.
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

  test("go on while two connections are stuck", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (database, gates) => {
        await gates.close(8, 9);
        const stuck: Promise<unknown>[] = [];
        for (const gate of ["8", "9"]) {
          stuck.push(quickly(database, `select ${passing(gate)}`));
          await gates.waiting(stuck.length);
          time.ms += 150;
        }
        assert.deepEqual(await quickly(database, "select 1 as n"), [{ n: 1 }]);
        await gates.open(8, 9);
        await Promise.all(stuck);
      },
      { clock: () => time.ms },
    );
  });

  test("are sent once, though this process was busy when their responses arrived", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (database, gates) => {
        await gates.close(1);
        const asked = rounds(3, () => quickly(database, `select nextval('asked') || ${passing("1")}`));
        const [pid = 0] = await gates.waiting(1);
        time.ms += 300;
        openWhileBusy(gates.holder, pid);
        await asked;
      },
      { clock: () => time.ms },
    );
    // The connections have ended, and with them anything that was sent twice.
    await withClient(url, async (client) => {
      assert.equal((await client.query("select last_value from asked")).rows[0].last_value, "3");
    });
  });

  test("that fail behind a slow one are not sent again and again", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (database, gates) => {
        await gates.close(9);
        const slow = quickly(database, slowly);
        const failing = assert.rejects(quickly(database, "select nextval('failed') / $1::int", 0), /division by zero/);
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

  test("that fail elsewhere are told so before it", async () => {
    const time = { ms: 0 };
    await using(
      2,
      async (database, gates) => {
        await gates.close(9);
        const slow = quickly(database, slowly);
        const failing = assert.rejects(quickly(database, "select 1 / $1::int", 0), /division by zero/);
        await gates.waiting(1);
        time.ms += 150;
        await failing;
        await gates.open(9);
        await slow;
      },
      { clock: () => time.ms },
    );
  });

  test("wait for a slow one where there is no other connection", () =>
    using(
      1,
      async (database, gates) => {
        await gates.close(9);
        const slow = quickly(database, slowly);
        const next = quickly(database, "select 1 as n");
        await gates.waiting(1);
        await gates.open(9);
        assert.deepEqual(await next, [{ n: 1 }]);
        await slow;
      },
      { clock: () => performance.now() },
    ));

  test("fail alone", () =>
    using(1, async (database) => {
      const asked = await Promise.allSettled(
        [0, 1, 2, 0, 3].map((n) => quickly(database, "select 6 / $1::int as q", n)),
      );
      const seen = asked.map((each) => (each.status === "fulfilled" ? each.value[0]?.q : each.reason.message));
      assert.deepEqual(seen, ["division by zero", 6, 3, "division by zero", 2]);
    }));

  test("succeed though the server rejects one of them for lack of resources", () =>
    using(1, async (database) => {
      const asked = await Promise.allSettled(
        [1, 2, 3].map((n) => quickly(database, "select full_at($1::float8, 2) as n", n)),
      );
      const seen = asked.map((each) =>
        each.status === "fulfilled" ? each.value[0]?.n : each.reason instanceof StoreError,
      );
      assert.deepEqual(seen, ["1", true, "3"]);
    }));

  test("have a connection each behind a pooler in transaction mode", () =>
    using(
      2,
      async (database, gates) => {
        await gates.close(9);
        const slow = quickly(database, slowly);
        await gates.waiting(1);
        assert.deepEqual(await quickly(database, "select 1 as n"), [{ n: 1 }]);
        await gates.open(9);
        await slow;
      },
      { prepare: false },
    ));

  test("that were on their way when their connection was lost are refused; the next are answered", () =>
    using(1, async (database, gates) => {
      await gates.close(9);
      const asked = Promise.allSettled([slowly, "select 1"].map((sql) => quickly(database, sql)));
      const [pid] = await gates.waiting(1);
      await withClient(url, (client) => client.query("select pg_terminate_backend($1)", [pid]));
      for (const each of await asked) {
        assert.equal(each.status, "rejected");
        assert.ok(each.reason instanceof StoreError, String(each.reason));
      }
      assert.deepEqual(await quickly(database, "select 1 as n"), [{ n: 1 }]);
    }));

  test("are given up when the server is to be left", () =>
    using(1, async (database, gates) => {
      await gates.close(9);
      const asked = Promise.allSettled([slowly, "select 1"].map((sql) => quickly(database, sql)));
      await gates.waiting(1);
      database.abortInFlight();
      for (const { status } of await asked) assert.equal(status, "rejected");
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

describe("statements that are not answered in time [postgres]", hangs, () => {
  test("are given up, stopped in the server, and leave a pool that can be used", async () => {
    // Behind a pooler the server has no limit of its own.
    const options = { url, poolSize: 1, queueSize: 10, statementSeconds: 1, prepare: false };
    const database = new ConnectionPool(options);
    const rows = (sql: string) => database.query(sql).catch(() => []);
    try {
      await assert.rejects(database.query("select pg_sleep(3600)"), StoreError);
      await waitUntil(async () => (await rows("select 1 as n"))[0]?.n === 1, "the pool can be used");
      await withClient(url, async (client) => {
        const sleeping = "select 1 from pg_stat_activity where state = 'active' and query = 'select pg_sleep(3600)'";
        await waitUntil(async () => (await client.query(sleeping)).rows.length === 0, "the statement is stopped");
      });
    } finally {
      await database.end();
    }
  });
});

/** Opens the gates and blocks this process until the responses have arrived, and a while longer. */
function openWhileBusy(holder: number, asked: number): void {
  const script = `
    import pg from "pg";
    const client = new pg.Client(${JSON.stringify(url)});
    await client.connect();
    await client.query("select pg_terminate_backend($1)", [${holder}]);
    const idle = "select from pg_stat_activity where pid = $1 and state = 'idle' and wait_event = 'ClientRead'";
    while ((await client.query(idle, [${asked}])).rowCount === 0);
    await client.end();
    setTimeout(() => {}, 200);`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: import.meta.dirname });
}
