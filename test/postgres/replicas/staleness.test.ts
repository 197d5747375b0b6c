// While the primary is down, every response reports its staleness, within the configured limit.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Api, type ApiResponse, startApi } from "../../support/clients/api.ts";
import { execute, makePostgres, type PostgresServer } from "../../support/stores/postgres.ts";
import { openTestStore } from "../../support/stores/stores.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { hangs, whileSuspended } from "../pool/waiting.ts";

const url = "/api/v2.1/calendar/ratings?parameters[tickers]=F";

describe("an unavailable primary [postgres]", hangs, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let api: Api;
  /** With a staleness limit. */
  let limited: Api;

  before(async () => {
    primary = await makePostgres();
    await primary.start();
    await (await openTestStore(primary.url, () => 0)).close();
    await primary.stop();
    replica = await makePostgres(primary, ["wal_retrieve_retry_interval=500ms"]);
    await Promise.all([primary.start(), replica.start()]);
    const database = { database: primary.url, replicas: [replica.url] };
    api = await startApi(database);
    limited = await startApi({ ...database, keyNames: "limited", maxStalenessSeconds: 1 });
    await api.has("ratings", [{ id: "a", ticker: "F" }]);
    await api.has("news", [{ id: 1 }]);
    await waitUntil(isReplicated, "the replica has all that was written");
  });

  after(async () => {
    await Promise.all([api?.close(), limited?.close()]);
    await Promise.all([primary?.remove(), replica?.remove()]);
  });

  /** Both services know that the replica has both records. Its records may be seen before its state. */
  const isReplicated = async (): Promise<boolean> => {
    const states = await Promise.all([api, limited].map((each) => each.store.state()));
    return states.every(({ position }) => position >= 2);
  };

  const isAway = async (): Promise<boolean> =>
    (await Promise.all([api, limited].map((each) => each.store.health()))).every(
      ({ checks }) => checks.primary === "away",
    );

  /** Responses of every kind: from the database, cached, without a body, by the framework. */
  const inEveryWay = async (): Promise<ApiResponse[]> => {
    const { etag = "" } = (await api.fetch(url)).headers;
    const authorization = `Bearer ${api.token}`;
    return [
      await api.fetch(`/api/v2.1/calendar/ratings?parameters[tickers]=F,${Date.now()}`),
      await api.fetch(url),
      await api.fetch(url, { "if-none-match": etag }),
      await api.request(url, { method: "HEAD", headers: { authorization } }),
      await api.fetch("/api/v2/news/1"),
    ];
  };

  test("adds no staleness while it is up", async () => {
    const responses = await inEveryWay();
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.age]),
      [200, 200, 304, 200, 200].map((status) => [status, undefined]),
    );
  });

  test("adds the staleness to every response, however it is produced", async () => {
    await primary.stop();
    const stopped = Date.now();
    await waitUntil(isAway, "the loss is noticed");
    for (const least of [0, 1, 2]) {
      await waitUntil(() => Date.now() >= stopped + least * 1000, "time passes");
      const responses = await inEveryWay();
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 304, 200, 200],
      );
      for (const { headers } of responses) {
        assert.match(headers.age ?? "", /^\d+$/);
        assert.ok(Number(headers.age) >= least, `${headers.age} after ${least} seconds`);
      }
    }
  });

  test("turns lists and readiness into 503 beyond the limit, and nothing else", async () => {
    await waitUntil(async () => (await limited.fetch(url)).status === 503, "the limit is reached");
    const { json, headers } = await limited.fetch(url);
    assert.deepEqual([json.code, headers["retry-after"], headers.age], ["server.unavailable", "5", undefined]);
    const words =
      /^The primary database is unreachable\. The data was last known to be current (\d+) seconds ago; the limit is 1\.$/;
    assert.ok(Number(words.exec(json.detail)?.[1]) > 1, json.detail);
    const head = { method: "HEAD", headers: { authorization: `Bearer ${limited.token}` } };
    assert.equal((await limited.request(url, head)).status, 503);
    assert.equal((await limited.request("/readyz")).status, 503);
    assert.equal((await limited.request("/livez")).status, 200);
    assert.equal((await limited.fetch("/metrics")).json.code, "key.scope");
    assert.equal((await api.request("/readyz")).json.status, "degraded");
  });

  test("adds no staleness once it is back", async () => {
    await primary.start();
    await waitUntil(async () => (await limited.fetch(url)).status === 200, "the primary is noticed");
    await waitUntil(async () => (await api.fetch(url)).headers.age === undefined, "the primary is noticed here too");
    for (const { headers } of await inEveryWay()) assert.equal(headers.age, undefined);
    assert.equal((await limited.fetch(url)).headers.age, undefined);
  });

  test("counts the staleness of a lagging replica from the position it has reached", async () => {
    await execute(replica.url, "select pg_wal_replay_pause()");
    await api.has("ratings", [{ id: "b", ticker: "F" }]);
    const written = Date.now();
    await waitUntil(() => Date.now() > written + 2000, "time passes");
    await primary.stop();
    await waitUntil(isAway, "the loss is noticed");
    const { json, headers } = await api.fetch(url);
    assert.equal(json.ratings.length, 1);
    assert.ok(Number(headers.age) >= 2, String(headers.age));
    await primary.start();
    await execute(replica.url, "select pg_wal_replay_resume()");
  });

  test("that stopped responding shows in the staleness of cached responses", async () => {
    const patient = new URL(primary.url);
    // Considered down only long after the test.
    patient.searchParams.set("connect_timeout", "240");
    const alone = await startApi({ database: patient.href, keyNames: "alone", lateMs: 2000 });
    try {
      // The second response is cached.
      for (let times = 0; times < 2; times++)
        await waitUntil(async () => (await alone.fetch(url)).headers.age === undefined, "probes return in time");
      await whileSuspended(primary, () =>
        waitUntil(async () => {
          const { status, headers } = await alone.fetch(url);
          assert.equal(status, 200);
          return headers.age !== undefined && Number(headers.age) >= 2;
        }, "the silence shows"),
      );
    } finally {
      await alone.close();
    }
  });
});
