// `keys usage`, and the usage and quotas that survive when a server is stopped or killed.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { localDay, zone } from "../../../src/core/value/time-zone.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwire, bellwireWrites, freshDatabase, type Serving, serving } from "../support/bellwire.ts";

const serve = (database: string) => serving(["--database", database, "--no-demo", "--log-level", "fatal"]);

async function limitedKey(database: string, ...terms: string[]): Promise<string> {
  const written = await bellwireWrites(["keys", "create", "--name", "acme", ...terms, "--database", database]);
  return written.trimEnd().split("\n").at(-1) ?? "";
}

const news = async ({ url }: Serving, key: string) => (await fetch(`${url}/api/v2/news?token=${key}`)).status;

/** Rows of the table without its header, as cells. */
async function usage(database: string, ...args: string[]): Promise<string[][]> {
  const text = await bellwireWrites(["keys", "usage", ...args, "--database", database]);
  const [head = "", ...rows] = text.trimEnd().split("\n");
  if (head === "") return [];
  assert.deepEqual(head.split(/ {2,}/), [
    ...["DAY", "KEY", "RESOURCE", "REQUESTS", "RECORDS", "BYTES", "ERRORS", "LIMITED"],
  ]);
  return rows.map((row) => row.split(/ {2,}/));
}

const today = () => localDay(zone("America/New_York") ?? assert.fail(), Date.now() / 1000);

/** Usage is counted by day, and quotas by month: a run that another day interrupts says nothing and is repeated. */
async function withinOneDay(run: () => Promise<void>): Promise<void> {
  for (;;) {
    const day = today();
    try {
      return await run();
    } catch (error) {
      if (today() === day) throw error;
    }
  }
}

// Concurrently: one of them waits seconds until a server writes its counts.
describe("keys usage", { concurrency: true }, () => {
  test("shows the usage of a stopped server up to its last request, and the quota continues from there", () =>
    withinOneDay(async () => {
      const database = freshDatabase();
      const key = await limitedKey(database, "--quota", "4/month");
      const first = await serve(database);
      assert.deepEqual([await news(first, key), await news(first, key), await news(first, key)], [200, 200, 200]);
      await first.stop();
      const [row = [], ...rest] = await usage(database);
      assert.match(row[0] ?? "", /^\d{4}-\d\d-\d\d$/);
      assert.deepEqual([row.slice(1), rest], [["acme", "news", "3", "0", "6", "0", "0"], []]);
      const second = await serve(database);
      assert.deepEqual([await news(second, key), await news(second, key)], [200, 429]);
      await second.stop();
      const [later = []] = await usage(database, "acme");
      assert.deepEqual([later[3], later[6], later[7]], ["5", "0", "1"]);
      const absent = await bellwire(["keys", "usage", "nobody", "--database", database]);
      assert.deepEqual(
        [absent.status, absent.stdout, absent.stderr],
        [1, "", 'keys usage: no key is named "nobody"; see: bellwire keys list\n'],
      );
    }));

  test("a killed server has written all but the last seconds", () =>
    withinOneDay(async () => {
      const database = freshDatabase();
      const key = await limitedKey(database, "--quota", "3/month");
      const killed = await serve(database);
      assert.deepEqual([await news(killed, key), await news(killed, key)], [200, 200]);
      const db = new DatabaseSync(database, { readOnly: true });
      const written = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0);
      await waitUntil(
        () => written("select sum(requests) from usage") === 2 && written("select max(requests) from spent") === 2,
        "both requests are written, and taken off the quota",
      );
      db.close();
      await killed.stop("SIGKILL");
      assert.equal((await usage(database))[0]?.[3], "2");
      const next = await serve(database);
      assert.deepEqual([await news(next, key), await news(next, key)], [200, 429]);
      await next.stop();
    }));

  test("days are validated before a database is opened, and a range that is too long is reported", async () => {
    const database = freshDatabase();
    for (const [args, output] of [
      [["--from", "yesterday"], /--from: expected a day as YYYY-MM-DD, got "yesterday"/],
      [["--to", "2026-02-30"], /--to: expected a day as YYYY-MM-DD, got "2026-02-30"/],
    ] as const) {
      const { status, stderr } = await bellwire(["keys", "usage", ...args, "--database", database]);
      assert.equal(status, 2);
      assert.match(stderr, output);
    }
    await limitedKey(database);
    const long = await bellwire([
      "keys",
      "usage",
      "--from",
      "2020-01-01",
      "--to",
      "2026-01-01",
      "--database",
      database,
    ]);
    assert.equal(long.status, 2);
    assert.match(long.stderr, /--from: expected a day from 2025-01-01 to 2026-01-01: at most 366 days/);
    const none = await bellwire([
      "keys",
      "usage",
      "--from",
      "2026-01-01",
      "--to",
      "2026-01-02",
      "--database",
      database,
    ]);
    assert.deepEqual([none.status, none.stdout], [0, ""]);
    assert.match(none.stderr, /no usage from 2026-01-01 to 2026-01-02/);
    // A revoked key existed and may have been used.
    await bellwireWrites(["keys", "revoke", "acme", "--database", database]);
    const revoked = await bellwire(["keys", "usage", "acme", "--database", database]);
    assert.equal(revoked.status, 0);
    assert.match(revoked.stderr, /no usage/);
  });
});
