// Servers on SQLite files are killed at random moments during writes: acknowledged records exist and are complete.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { freshDatabase, serving } from "../../commands/support/bellwire.ts";
import { runs } from "../../support/budget.ts";
import { type Body, startApi, testNow } from "../../support/clients/api.ts";
import { Traffic } from "../../support/clients/traffic.ts";
import { openTestStore } from "../../support/stores/stores.ts";

/** One file, whose server is killed repeatedly; returns the number of acknowledged writes. */
async function survive(kills: number): Promise<number> {
  const database = freshDatabase();
  const key = generateKey();
  const first = await openTestStore(database, () => testNow);
  await first.addKey({ name: "w", hash: hashKey(key), licenses: [], scopes: ["write"], created: 1, expires: "" });
  await first.close();
  const traffic = new Traffic();
  for (let kill = 0; kill < kills; kill++) {
    const server = await serving(["--database", database, "--no-demo", "--log-level", "fatal"]);
    // It has opened the file as the previous kill left it; from here on, others may read it too.
    const store = await openTestStore(database, () => testNow);
    await traffic.check(store);
    await store.close();
    await traffic.interrupted(server.url, key, async () => {
      assert.equal((await server.stop("SIGKILL")).signal, "SIGKILL");
    });
  }
  const api = await startApi({ database });
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    await traffic.check(api.store);
    assert.deepEqual({ ...db.prepare("pragma integrity_check").get() }, { integrity_check: "ok" });
    await traffic.checkTables(async (sql) => db.prepare(sql).all() as Body[], "rowid");
    await traffic.checkSearch(api);
  } finally {
    db.close();
    await api.close();
  }
  return traffic.acknowledged;
}

const kills = runs(4, 50);

describe("a server killed during writes [sqlite]", () => {
  test(`has every acknowledged record after each of ${kills} kills, and no partial one`, async (t) => {
    // Two files concurrently: most of the time is spent starting servers.
    const acknowledged = await Promise.all([survive(kills / 2), survive(kills / 2)]);
    t.diagnostic(`writes acknowledged: ${acknowledged.join(" and ")}`);
  });
});
