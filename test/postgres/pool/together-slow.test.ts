// Statements of one kind that are asked as one: neither a slow nor a failing one harms the others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { StoreError } from "../../../src/store/store.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { askedDatabase, asker, numbers, passed, realTime, url, using, valuesOf } from "./asking.ts";
import { passing } from "./gates.ts";
import { hangs, withClient } from "./waiting.ts";

askedDatabase();

describe("statements of one kind as one [postgres]", hangs, () => {
  test("are asked once, though this process was busy when their answers came", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (database, gates) => {
        const ask = asker(database, (number) => `nextval('asked') || ${passing(number)}`);
        await gates.close(1);
        const asked = Promise.all([1, 1, 1].map(ask));
        const [pid = 0] = await gates.waiting(1);
        time.ms += 300;
        openWhileBusy(gates.holder, pid);
        await asked;
      },
      { ticks: () => time.ms },
    );
    // The connections have ended, and with them anything that was asked twice.
    await withClient(url, async (client) => {
      assert.equal((await client.query("select last_value from asked")).rows[0].last_value, "3");
    });
  });

  test("that fail when they are asked alone, behind a slow one, are not asked again and again", () =>
    using(
      4,
      async (database, gates) => {
        const counted = (number: string) => `case when ${number} = 0 then nextval('failed') end`;
        const ask = asker(database, (number) => `${counted(number)} || ${passing(number)} || 6 / (${number})::int`);
        const count = () =>
          withClient(url, async (client) => {
            const { is_called, last_value } = (await client.query("select * from failed")).rows[0];
            return is_called ? Number(last_value) : 0;
          });
        await gates.close(1);
        const asked = Promise.allSettled([1, 0].map(ask));
        await waitUntil(async () => (await count()) > 0, "the failing one is asked alone");
        // Time in which it could be asked again and again.
        await pause(500);
        assert.equal(await count(), 1);
        await gates.open(1);
        const [slow, failing] = await asked;
        assert.deepEqual([slow?.status, failing?.status], ["fulfilled", "rejected"]);
        assert.ok((await count()) <= 3, `asked ${await count()} times`);
      },
      { ticks: realTime },
    ));

  test("that come before or behind a slow one have their answers before it", async () => {
    const time = { ms: 0 };
    await using(
      4,
      async (database, gates) => {
        await gates.close(9);
        const ask = asker(database, passed);
        const asked = [1, 2, 9, 3, 4].map(ask);
        const slow = asked.splice(2, 1);
        await gates.waiting(1);
        time.ms += 150;
        // Asked one by one, some are behind the slow one again.
        await gates.waiting(2);
        time.ms += 150;
        assert.deepEqual(valuesOf(await Promise.all(asked)), ["1", "2", "3", "4"]);
        await gates.open(9);
        await Promise.all(slow);
      },
      { ticks: () => time.ms },
    );
  });

  test("wait for a slow one where there is no other connection, for as long as it takes", () =>
    using(
      1,
      async (database, gates) => {
        const isConnected = () =>
          database.query("select 1").then(
            () => true,
            () => false,
          );
        await waitUntil(isConnected, "the connection is there");
        await gates.close(9);
        const asked = Promise.all([9, 1, 2].map(asker(database, passed)));
        await waitUntil(() => database.load.waiting > 0, "another connection is waited for");
        await waitUntil(() => database.load.waiting === 0, "it is no longer");
        await gates.open(9);
        assert.deepEqual(valuesOf(await asked), ["9", "1", "2"]);
      },
      { ticks: realTime, at: impatient() },
    ));

  test("go on while two are stuck", async () => {
    const time = { ms: 0 };
    await using(
      6,
      async (database, gates) => {
        await gates.close(9);
        const ask = asker(database, passed);
        const others: Promise<unknown>[] = [];
        for (let round = 0; round < 2; round++) {
          others.push(...[9, 0].map(ask));
          await turn();
        }
        await gates.waiting(2);
        time.ms += 150;
        assert.equal((await ask(1)).value, "1");
        await gates.open(9);
        await Promise.all(others);
      },
      { ticks: () => time.ms },
    );
  });

  test("go on while two are told little by little", async () => {
    const time = { ms: 0 };
    await using(
      6,
      async (database, gates) => {
        const all = numbers(16).map((n) => n + 1);
        await gates.close(...all);
        const ask = asker(database, (number) => `${passed(number)} || repeat('x', 9000)`);
        const others: Promise<unknown>[] = [];
        for (let round = 0; round < 2; round++) {
          others.push(...all.map(ask));
          await turn();
        }
        await gates.waiting(2);
        time.ms = 60;
        // With the second answer the server sends the last of the first.
        await gates.open(1, 2);
        await Promise.all([others[0], others[16]]);
        time.ms = 120;
        assert.match(String((await ask(0)).value), /^0x/);
        await gates.open(...all.slice(2));
        await Promise.all(others);
      },
      { ticks: () => time.ms },
    );
  });

  test("that were on their way when their connection was lost are refused; the next are answered", () =>
    using(1, async (database, gates) => {
      await gates.close(9);
      const ask = asker(database, passed);
      const asked = Promise.allSettled([9, 9].map(ask));
      const [pid] = await gates.waiting(1);
      await withClient(url, (client) => client.query("select pg_terminate_backend($1)", [pid]));
      for (const each of await asked) {
        assert.equal(each.status, "rejected");
        assert.ok(each.reason instanceof StoreError, String(each.reason));
      }
      assert.deepEqual(valuesOf(await Promise.all([0, 0].map(ask))), ["0", "0"]);
    }));

  test("are given up when the server is to be left", () =>
    using(2, async (database, gates) => {
      await gates.close(9);
      const asked = Promise.allSettled([9, 9, 9].map(asker(database, passed)));
      await gates.waiting(1);
      database.abandon();
      for (const { status } of await asked) assert.equal(status, "rejected");
    }));
});

/** The server's address with little patience for connections. */
function impatient(): string {
  const address = new URL(url);
  address.searchParams.set("connect_timeout", "1");
  return address.href;
}

/** Opens the gates and keeps this process from anything else until the answers have come, and a while longer. */
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
