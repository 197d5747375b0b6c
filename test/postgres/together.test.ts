// Statements of one kind that come at once are asked as one: each gets its own answer, and neither a slow nor a failing one
// harms others.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
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

/** Asks for a value that is made of each number, as the server says it. */
const asker = (database: Database, value: (number: string) => string) => {
  const together = `select b.n as n, ${value("b.v")} as value, ${statement} from unnest($1::float8[]) with ordinality b (v, n)`;
  const sql = `select ${value("$1::float8")} as value, ${statement}`;
  return async (number: number) => {
    const [row] = await database.queryQuickly({ sql, parameters: [number], together });
    return row ?? {};
  };
};

const doubled = (number: string) => `(2 * ${number})::int`;
const slept = (number: string) => `pg_sleep(${number})::text || ${number}`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("statements of one kind [postgres]", { timeout: 60_000 }, () => {
  test("that come at once are asked together, sixteen at most, and each gets its own answer", () =>
    using(10, async (database) => {
      const rows = await Promise.all(numbers(40).map(asker(database, doubled)));
      assert.deepEqual(
        rows.map(({ value }) => value),
        numbers(40).map((n) => 2 * n),
      );
      const statements = rows.map((row) => row.statement);
      const sizes = [...new Set(statements)].map((each) => statements.filter((other) => other === each).length);
      assert.deepEqual(sizes, [16, 16, 8]);
    }));

  test("that come while two are on their way go together as soon as one is done", () =>
    using(10, async (database) => {
      const ask = asker(database, slept);
      const first = [Promise.all([0, 0.05].map(ask))];
      await pause(1);
      first.push(Promise.all([0.02, 0.05].map(ask)));
      await pause(1);
      const later: Promise<Record<string, unknown>>[] = [];
      for (const number of [0, 0, 0]) {
        later.push(ask(number));
        await pause(2);
      }
      await Promise.all(first);
      const rows = await Promise.all(later);
      assert.equal(new Set(rows.map((row) => row.statement)).size, 1);
    }));

  test("do not wait for company", () =>
    using(10, async (database) => {
      assert.equal((await asker(database, doubled)(21)).value, 42);
      assert.deepEqual(
        (await Promise.all([1, 2].map(asker(database, doubled)))).map(({ value }) => value),
        [2, 4],
      );
    }));

  test("fail alone", () =>
    using(2, async (database) => {
      const ask = asker(database, (number) => `6 / ${number}::int`);
      const asked = await Promise.allSettled([1, 0, 2, 0, 3].map(ask));
      const seen = asked.map((each) => (each.status === "fulfilled" ? each.value.value : each.reason.message));
      assert.deepEqual(seen, [6, "division by zero", 3, "division by zero", 2]);
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
      assert.deepEqual(
        rows.map(({ value }) => value),
        ["3.5", "0.01", "0.02"],
      );
    }));

  test("go on while two are stuck", () =>
    using(4, async (database) => {
      const ask = asker(database, slept);
      const stuck: Promise<unknown>[] = [];
      for (const numbers of [
        [2, 0],
        [2, 0],
      ]) {
        stuck.push(...numbers.map(ask));
        await pause(1);
      }
      const began = performance.now();
      assert.equal((await ask(0.01)).value, "0.01");
      assert.ok(performance.now() - began < 1500);
      await Promise.all(stuck);
    }));

  test("that were on their way when their connection was lost are refused; the next are answered", () =>
    using(1, async (database) => {
      const ask = asker(database, slept);
      const asked = Promise.allSettled([20, 20].map(ask));
      await pause(50);
      await withClient(server.url, (client) =>
        client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()",
        ),
      );
      for (const each of await asked) {
        assert.equal(each.status, "rejected");
        assert.ok(each.reason instanceof StoreError, String(each.reason));
      }
      assert.deepEqual(
        (await Promise.all([0, 0].map(ask))).map(({ value }) => value),
        ["0", "0"],
      );
    }));

  test("are given up when the server is to be left", () =>
    using(2, async (database) => {
      const asked = Promise.allSettled([20, 20, 20].map(asker(database, slept)));
      await pause(50);
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
