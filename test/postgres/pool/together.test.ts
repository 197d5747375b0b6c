// Statements of one kind that come at once are asked as one, and each gets its own answer.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { StoreError } from "../../../src/store/store.ts";
import { askedDatabase, asker, doubled, numbers, passed, using, valuesOf } from "./asking.ts";
import { passing } from "./gates.ts";
import { hangs } from "./waiting.ts";

askedDatabase();

describe("statements of one kind [postgres]", hangs, () => {
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
    using(10, async (database, gates) => {
      const ask = asker(database, passed);
      await gates.close(1, 2);
      const first: Promise<unknown>[] = [];
      for (const number of [1, 2]) {
        first.push(...[number, number].map(ask));
        await turn();
      }
      const later: ReturnType<typeof ask>[] = [];
      for (const number of [0, 0, 0]) {
        later.push(ask(number));
        await turn();
      }
      await gates.waiting(2);
      await gates.open(1);
      const rows = await Promise.all(later);
      assert.equal(new Set(rows.map((row) => row.statement)).size, 1);
      assert.ok(rows.every((row) => row.together));
      await gates.open(2);
      await Promise.all(first);
    }));

  test("that come alone are asked alone", () =>
    using(10, async (database) => {
      const row = await asker(database, doubled)(21);
      assert.deepEqual([row.value, row.together], [42, false]);
    }));

  test("are asked by themselves while four others are each asked together, which leaves connections for the rest", () =>
    using(10, async (database, gates) => {
      /** `at` makes a kind of its own. */
      const twoOf = async (at: number, number: number) => {
        const ask = asker(database, (value) => `${passed(value)} || ${at}`);
        return Promise.all([ask(number), ask(number)]);
      };
      await gates.close(1);
      const long: ReturnType<typeof twoOf>[] = [];
      for (const at of numbers(4)) {
        long.push(twoOf(at, 1));
        await turn();
      }
      const fifth = await twoOf(4, 0);
      assert.deepEqual(
        fifth.map((row) => row.together),
        [false, false],
      );
      await gates.open(1);
      for (const rows of await Promise.all(long)) assert.ok(rows.every((row) => row.together));
      assert.ok((await twoOf(4, 0)).every((row) => row.together));
    }));

  test("are asked by themselves where a connection would have to be waited for", () =>
    using(1, async (database, gates) => {
      await gates.close(1);
      const long = database.queryQuickly({ sql: `select ${passing("1")}`, parameters: [] });
      await gates.waiting(1);
      const asked = Promise.all([1, 2].map(asker(database, doubled)));
      await turn();
      assert.equal(database.load.waiting, 0);
      await gates.open(1);
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

  test("are asked one by one behind a pooler in transaction mode", () =>
    using(
      10,
      async (database) => {
        const rows = await Promise.all(numbers(8).map(asker(database, doubled)));
        assert.equal(new Set(rows.map((row) => row.statement)).size, 8);
      },
      { prepare: false },
    ));
});
