// A lagging replica does not revive a revoked key.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Api, startApi } from "../../support/clients/api.ts";
import { execute, makePostgres, type PostgresServer } from "../../support/stores/postgres.ts";
import { openTestStore } from "../../support/stores/stores.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { hangs } from "../pool/waiting.ts";

describe("a lagging replica [postgres]", hangs, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let api: Api;

  before(async () => {
    primary = await makePostgres();
    await primary.start();
    await (await openTestStore(primary.url, () => 0)).close();
    await primary.stop();
    replica = await makePostgres(primary);
    await Promise.all([primary.start(), replica.start()]);
    api = await startApi({ database: primary.url, replicas: [replica.url] });
  });

  after(async () => {
    await api?.close();
    await Promise.all([primary?.remove(), replica?.remove()]);
  });

  const statusWith = async (key: string): Promise<number> =>
    (await api.request("/api/v2/news", { headers: { authorization: `Bearer ${key}` } })).status;

  test("rejects a key that was revoked on the primary, before and after the primary is lost", async () => {
    const leaked = await api.key();
    const isReplicated = `select from api_key where name = 'test-2'`;
    await waitUntil(async () => (await execute(replica.url, isReplicated)).rowCount === 1, "the key is replicated");
    assert.equal(await statusWith(leaked), 200);
    await execute(replica.url, "select pg_wal_replay_pause()");
    assert.ok(await api.store.revokeKey("test-2", api.clock.now));
    assert.equal(await statusWith(leaked), 401);
    assert.equal(await statusWith(api.token), 200);
    await primary.stop();
    await waitUntil(async () => (await api.store.health()).checks.primary === "away", "the loss is noticed");
    assert.equal(await statusWith(api.token), 200, "a key read from the newest set is still valid");
    assert.equal(await statusWith(leaked), 503, "no server can say whether this key is still valid");
    await execute(replica.url, "select pg_wal_replay_resume()");
    await waitUntil(async () => (await statusWith(leaked)) === 401, "the replica has caught up");
  });
});
