// Statements of one kind that come at once are asked as one: each gets its own answer, and neither a slow nor a failing one
// harms others.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { Database } from "../../src/store/postgres/database.ts";
import { StoreError } from "../../src/store/store.ts";
import { makePostgres, type PostgresServer } from "../support/postgres.ts";
import { withClient } from "./waiting.ts";

let server: PostgresServer;

before(async () => {
  server = await makePostgres();
  await server.start();
  await withClient(server.url, (client) =>
    client.query(`
      create sequence asked;
      create sequence failed;
      create function full_at(number float8, which float8) returns text language plpgsql as
        $$ begin
          if number = which then raise exception using errcode = '53400', message = 'too large'; end if;
          return number;
        end $$`),
  );
});

after(async () => server?.remove());

async function using(poolSize: number, work: (database: Database) => Promise<void>, prepare = true): Promise<void> {
  const database = new Database({ url: server.url, poolSize, queueSize: 100, statementSeconds: 10, prepare });
  try {
    await work(database);
  } finally {
    await database.end();
  }
}

/** Statements that began at the same moment on the same connection are one. */
const statement = "pg_backend_pid() || ' ' || statement_timestamp() as statement";

/** Asks for a value that the server makes of each number. */
const asker = (database: Database, value: (number: string) => string) => {
  const together = `select b.n as n, ${value("b.v")} as value, ${statement}, true as together from unnest($1::float8[]) with ordinality b (v, n)`;
  const sql = `select ${value("$1::float8")} as value, ${statement}, false as together`;
  return async (number: number) => {
    const [row] = await database.queryQuickly({ sql, parameters: [number], together });
    return row ?? {};
  };
};

/** Until so many statements that sleep are under way. */
async function sleeping(count: number): Promise<void> {
  const active =
    "select pid from pg_stat_activity where state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()";
  await withClient(server.url, async (client) => {
    while ((await client.query(active)).rows.length < count) await pause(5);
  });
}

const valuesOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ value }) => value);
const doubled = (number: string) => `(2 * ${number})::int`;
const slept = (number: string) => `pg_sleep(${number})::text || ${number}`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("statements of one kind [postgres]", { timeout: 60_000 }, () => {
  test("that come at once are asked together, sixteen at most, and each gets its own answer", () =>
    using(10, async (database) => {
      const rows = await Promise.all(numbers(40).map(asker(database, doubled)));
      assert.deepEqual(
        valuesOf(rows),
        numbers(40).map((n) => 2 * n),
      );
      const statements = rows.map((row) => row.statement);
      const sizes = [...new Set(statements)].map((each) => statements.filter((other) => other === each).length);
      assert.deepEqual(sizes, [16, 16, 8]);
    }));

  test("that come while two are on their way go together as soon as one is done", () =>
    using(10, async (database) => {
      const ask = asker(database, slept);
      const first: Promise<unknown>[] = [];
      for (const number of [0.04, 0.05]) {
        first.push(...[number, number].map(ask));
        await turn();
      }
      const later: ReturnType<typeof ask>[] = [];
      for (const number of [0, 0, 0]) {
        later.push(ask(number));
        await turn();
      }
      const rows = await Promise.all(later);
      assert.equal(new Set(rows.map((row) => row.statement)).size, 1);
      assert.ok(rows.every((row) => row.together));
      await Promise.all(first);
    }));

  test("that come alone are asked alone", () =>
    using(10, async (database) => {
      const row = await asker(database, doubled)(21);
      assert.deepEqual([row.value, row.together], [42, false]);
    }));

  test("are asked by themselves while four others are each asked together, which leaves connections for the rest", () =>
    using(10, async (database) => {
      /** `at` makes a kind of its own. */
      const twoOf = async (at: number, number: number) => {
        const ask = asker(database, (value) => `${slept(value)} || ${at}`);
        return Promise.all([ask(number), ask(number)]);
      };
      const long: ReturnType<typeof twoOf>[] = [];
      for (const at of numbers(4)) {
        long.push(twoOf(at, 0.05));
        await turn();
      }
      const fifth = await twoOf(4, 0);
      assert.deepEqual(
        fifth.map((row) => row.together),
        [false, false],
      );
      for (const rows of await Promise.all(long)) assert.ok(rows.every((row) => row.together));
      assert.ok((await twoOf(4, 0)).every((row) => row.together));
    }));

  test("are asked by themselves where a connection would have to be waited for", () =>
    using(1, async (database) => {
      const long = database.queryQuickly({ sql: "select pg_sleep(0.3)", parameters: [] });
      await sleeping(1);
      const asked = Promise.all([1, 2].map(asker(database, doubled)));
      await turn();
      assert.equal(database.load.waiting, 0);
      const rows = await asked;
      assert.deepEqual(
        rows.map((row) => [row.value, row.together]),
        [
          [2, false],
          [4, false],
        ],
      );
      await long;
    }));

  test("fail alone", () =>
    using(2, async (database) => {
      const ask = asker(database, (number) => `6 / ${number}::int`);
      const asked = await Promise.allSettled([1, 0, 2, 0, 3].map(ask));
      const seen = asked.map((each) => (each.status === "fulfilled" ? each.value.value : each.reason.message));
      assert.deepEqual(seen, [6, "division by zero", 3, "division by zero", 2]);
    }));

  test("are answered though the server refuses one of them, whatever for", () =>
    using(2, async (database) => {
      const asked = await Promise.allSettled([1, 2, 3].map(asker(database, (number) => `full_at(${number}, 2)`)));
      const seen = asked.map((each) =>
        each.status === "fulfilled" ? each.value.value : each.reason instanceof StoreError,
      );
      assert.deepEqual(seen, ["1", true, "3"]);
    }));

  test("are asked once, though this process was busy when their answers came", () =>
    using(4, async (database) => {
      const ask = asker(database, (number) => `nextval('asked') || pg_sleep(${number})::text`);
      const asked = Promise.all([0.02, 0.02, 0.02].map(ask));
      await sleeping(1);
      const until = performance.now() + 300;
      while (performance.now() < until);
      await asked;
      // So that anything asked twice has come by.
      await pause(100);
      await withClient(server.url, async (client) => {
        assert.equal((await client.query("select last_value from asked")).rows[0].last_value, "3");
      });
    }));

  test("that fail when they are asked alone, behind a slow one, are not asked again and again", () =>
    using(4, async (database) => {
      const ask = asker(database, (number) => `nextval('failed') || pg_sleep(${number})::text || 6 / (${number})::int`);
      const [slow, failing] = await Promise.allSettled([1, 0].map(ask));
      assert.deepEqual([slow?.status, failing?.status], ["fulfilled", "rejected"]);
      await withClient(server.url, async (client) => {
        const { last_value: count } = (await client.query("select last_value from failed")).rows[0];
        assert.ok(Number(count) <= 5, `asked ${count} times`);
      });
    }));

  test("that come before or behind a slow one have their answers before long", () =>
    using(4, async (database) => {
      const ask = asker(database, slept);
      let isOver = false;
      const others = [0.01, 0.02].map(ask);
      const slow = ask(2).then(() => {
        isOver = true;
      });
      others.push(...[0.03, 0.04].map(ask));
      assert.deepEqual(
        (await Promise.all(others)).map(({ value }) => value),
        ["0.01", "0.02", "0.03", "0.04"],
      );
      assert.equal(isOver, false);
      await slow;
    }));

  test("wait for a slow one where there is no other connection, for as long as it takes", () =>
    using(1, async (database) => {
      // Longer than a connection is waited for.
      const rows = await Promise.all([3.5, 0.01, 0.02].map(asker(database, slept)));
      assert.deepEqual(valuesOf(rows), ["3.5", "0.01", "0.02"]);
    }));

  test("go on while two are stuck, or told little by little", () =>
    using(6, async (database) => {
      const busy = [
        { value: slept, numbers: [2, 0] },
        { value: (number: string) => `${slept(number)} || repeat('x', 9000)`, numbers: Array<number>(16).fill(0.06) },
      ];
      for (const { value, numbers } of busy) {
        const ask = asker(database, value);
        const others: Promise<unknown>[] = [];
        for (let round = 0; round < 2; round++) {
          others.push(...numbers.map(ask));
          await turn();
        }
        const began = performance.now();
        await ask(0.01);
        assert.ok(performance.now() - began < 700);
        await Promise.all(others);
      }
    }));

  test("that were on their way when their connection was lost are refused; the next are answered", () =>
    using(1, async (database) => {
      const ask = asker(database, slept);
      const began = performance.now();
      const asked = Promise.allSettled([20, 20].map(ask));
      await sleeping(1);
      await withClient(server.url, (client) =>
        client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()",
        ),
      );
      for (const each of await asked) {
        assert.equal(each.status, "rejected");
        assert.ok(each.reason instanceof StoreError, String(each.reason));
      }
      assert.ok(performance.now() - began < 5000);
      assert.deepEqual(valuesOf(await Promise.all([0, 0].map(ask))), ["0", "0"]);
    }));

  test("are given up when the server is to be left", () =>
    using(2, async (database) => {
      const asked = Promise.allSettled([20, 20, 20].map(asker(database, slept)));
      await sleeping(1);
      const began = performance.now();
      database.abandon();
      for (const { status } of await asked) assert.equal(status, "rejected");
      assert.ok(performance.now() - began < 5000);
    }));

  test("are asked one by one behind a pooler in transaction mode", () =>
    using(
      10,
      async (database) => {
        const rows = await Promise.all(numbers(8).map(asker(database, doubled)));
        assert.equal(new Set(rows.map((row) => row.statement)).size, 8);
      },
      false,
    ));
});
