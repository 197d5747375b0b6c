// A database that is down, slow, out of connections, or rejects us: 503 with Retry-After, clear errors from commands,
// never a crash or a hang, and recovery without a restart.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { bellwire, bellwireWrites, keyOn, type Serving, serving, start } from "../commands/support/bellwire.ts";
import { execute, makePostgres, type PostgresServer } from "../support/stores/postgres.ts";
import { waitUntil } from "../support/wait-until.ts";
import { assertUnavailable, fetchReply, hangs, withClient } from "./pool/waiting.ts";

const ratings = "/api/v2.1/calendar/ratings";
const news = "/api/v2/news";
const password = "sesame-opens";

let server: PostgresServer;
let key = "";

const get = ({ url }: Serving, path: string) => fetchReply(`${url}${path}`, { authorization: `Bearer ${key}` });
const ready = (each: Serving) => async () => (await fetchReply(`${each.url}/readyz`)).status === 200;
const serve = (...flags: string[]) =>
  serving(["--no-demo", "--log-level", "error", "--database", server.url, ...flags]);
const responses = (each: Serving, path: string, status: number) => async () =>
  (await get(each, path)).status === status;

/** Runs while another client locks a table, so that its readers wait. */
const holding = (table: string, run: () => Promise<void>) =>
  withClient(server.url, async (client) => {
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    await run();
    await client.query("rollback");
  });

/** The number of connections with this application name that wait for a lock. */
const waiting = (name: string) =>
  withClient(server.url, async (client) => {
    const sql = "select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'";
    return (await client.query(sql, [name])).rowCount;
  });

/** Terminates all other connections with this application name, and waits until they have ended. */
const end = (name: string) =>
  withClient(server.url, (client) => {
    const others = "application_name = $1 and pid <> pg_backend_pid() and backend_type = 'client backend'";
    return client.query(`select pg_terminate_backend(pid, 120000) from pg_stat_activity where ${others}`, [name]);
  });

before(async () => {
  server = await makePostgres();
});

after(async () => server?.remove());

describe("a database that is down [postgres]", hangs, () => {
  let process: Serving;

  after(async () => process?.stop("SIGKILL"));

  test("at startup: the server listens, responds with 503, and recovers once the database is up", async () => {
    process = await serve();
    assert.match(process.output.stdout, /^the database is not available yet/m);
    assertUnavailable(await get(process, ratings));
    assertUnavailable(await fetchReply(`${process.url}/readyz`));
    assert.equal((await fetchReply(`${process.url}/livez`)).status, 200);
    assert.equal((await fetchReply(`${process.url}/docs`)).status, 200);
    await server.start();
    await waitUntil(ready(process), "it is ready");
    key = await keyOn(server.url);
    await bellwireWrites(["import", "ratings", "-", "--database", server.url], {
      input: '{"id":"a","date":"2024-11-05"}\n',
    });
    const seen = async () => (await get(process, ratings)).text.includes('"a"');
    await waitUntil(seen, "the record is served");
  });

  for (const mode of ["fast", "immediate"] as const) {
    test(`after a ${mode} shutdown: 503 until it is back, then recovers without a restart`, async () => {
      await server.stop(mode);
      // Until the outage is detected, requests may be served from the cache.
      await waitUntil(responses(process, "/readyz", 503), "the outage is detected");
      for (const path of [ratings, news, "/readyz"]) assertUnavailable(await get(process, path));
      await server.start();
      const recovered = async () => (await get(process, ratings)).status === 200 && ready(process)();
      await waitUntil(recovered, "it serves again");
      assert.equal(process.child.exitCode, null);
    });
  }

  test("for a moment: all connections are terminated, and no request fails", async () => {
    await get(process, ratings);
    await end("");
    const replies = await Promise.all(Array.from({ length: 8 }, () => get(process, ratings)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  });

  test("during an import: it exits with a clear error", async () => {
    await holding("ratings", async () => {
      const named = `${server.url}&application_name=doomed`;
      const run = start(["import", "ratings", "-", "--database", named]);
      run.child.stdin.end('{"id":"b","date":"2024-11-05"}\n');
      await waitUntil(async () => (await waiting("doomed")) === 1, "the import waits");
      await end("doomed");
      const { status, stderr } = await run.finished;
      assert.equal(status, 1);
      assert.match(stderr, /^bellwire: postgres:\/\/\S+ is not available: terminating connection/);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  });
});

describe("a database that is slow [postgres]", hangs, () => {
  test("a statement that takes too long is canceled: 503, while others are served", async () => {
    const process = await serve("--statement-seconds", "1");
    // On a busy machine any statement may time out.
    await waitUntil(responses(process, ratings, 200), "it serves");
    await holding("ratings", async () => {
      // Not cached: it wasn't requested before.
      const slow = get(process, `${ratings}?pagesize=7`);
      await waitUntil(responses(process, news, 200), "others are served");
      assert.ok(await ready(process)());
      const canceled = await slow;
      assert.deepEqual([canceled.status, canceled.json.code], [503, "server.expensive"]);
      assert.equal(canceled.headers.get("retry-after"), null);
      await waitUntil(async () => (await waiting("")) === 0, "the canceled statement has ended");
      assert.ok(await ready(process)(), "the database was up all along");
    });
    await waitUntil(responses(process, ratings, 200), "it serves again");
    assert.equal((await process.stop()).status, 0);
  });

  test("an exhausted pool queues some requests and rejects the rest at once", async () => {
    const process = await serve("--pool-size", "1", "--pool-queue", "2");
    assert.equal((await get(process, ratings)).status, 200);
    const statuses: number[] = [];
    let burst: Promise<unknown> = Promise.resolve();
    await holding("ratings", async () => {
      burst = Promise.all(
        Array.from({ length: 10 }, async () => {
          const reply = await get(process, ratings);
          if (reply.status === 503) assertUnavailable(reply);
          statuses.push(reply.status);
        }),
      );
      await waitUntil(() => statuses.length === 7, "seven are rejected");
      assert.deepEqual(new Set(statuses), new Set([503]));
      assert.ok(await ready(process)(), "a busy server is not down");
    });
    await burst;
    assert.deepEqual(statuses.slice(7), [200, 200, 200]);
    assert.equal((await process.stop()).status, 0);
  });

  test("without a queue, requests wait for background work, and are served one at a time", async () => {
    const process = await serve("--pool-size", "1", "--pool-queue", "0");
    let request: ReturnType<typeof get> | undefined;
    await holding("usage", async () => {
      assert.equal((await get(process, ratings)).status, 200);
      await waitUntil(async () => (await waiting("")) === 1, "its usage is being written");
      request = get(process, ratings);
      assert.equal(await Promise.race([request.then(() => "served"), pause(200, "waits")]), "waits");
    });
    assert.equal((await request)?.status, 200);
    for (let turn = 0; turn < 5; turn++) assert.equal((await get(process, ratings)).status, 200);
    assert.equal((await process.stop()).status, 0);
  });
});

describe("a database that rejects the connection [postgres]", hangs, () => {
  before(async () => {
    await withClient(server.url, (client) => client.query(`create role guarded login password '${password}'`));
    const file = join(server.folder, "data", "pg_hba.conf");
    writeFileSync(file, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(file, "utf8")}`);
    await withClient(server.url, (client) => client.query("select pg_reload_conf()"));
    const isGuarded = () =>
      execute(address("guarded:not-it-at-all"), "select 1").then(
        () => false,
        () => true,
      );
    await waitUntil(isGuarded, "the server has read the file");
  });

  const address = (user: string, database = "postgres") =>
    `postgres://${user}@127.0.0.1:${server.port}/${database}?connect_timeout=120`;
  const rejections = {
    "a wrong password": { url: () => address("guarded:not-it-at-all"), words: /password authentication failed/ },
    "no password": { url: () => address("guarded"), words: /password/ },
    "a missing database": {
      url: () => address("bellwire:not-it-at-all", "none"),
      words: /none.* does not exist/,
    },
    "an unreachable host": { url: () => "postgres://u:not-it-at-all@127.0.0.1:1/x", words: /ECONNREFUSED/ },
  };

  for (const [what, { url, words }] of Object.entries(rejections)) {
    test(`${what} is a clear error from commands, and a 503 from the server`, async () => {
      const commands = [
        ["keys", "list"],
        ["import", "news", "-"],
        ["export", "news"],
      ];
      const runs = await Promise.all(commands.map((command) => bellwire([...command, "--database", url()])));
      for (const { status, stderr, stdout } of runs) {
        assert.equal(status, 1);
        assert.match(stderr, words);
        assert.match(stderr, /^bellwire: postgres:\/\/127\.0\.0\.1:\d+\/\w+ is not available: [^\n]*\n$/);
        assert.doesNotMatch(stdout + stderr, /not-it-at-all/);
      }
      const process = await serve("--database", url());
      assertUnavailable(await get(process, news));
      const { status, stdout, stderr } = await process.stop();
      assert.equal(status, 0);
      assert.match(stderr, words);
      assert.doesNotMatch(stdout + stderr, /not-it-at-all/);
    });
  }

  test("a malformed URL is a usage error that doesn't repeat the URL", async () => {
    for (const command of [
      ["keys", "list"],
      ["serve", "--port", "0"],
      ["copy", "--from", server.url, "--to"],
    ]) {
      const bad = "postgres://user:not/it#at-all@127.0.0.1/x";
      const args = [...command, ...(command[0] === "copy" ? [] : ["--database"]), bad];
      const { status, stderr, stdout } = await bellwire(args, { ownProcess: false });
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^bellwire: --(database|to): expected [^\n]*\n$/);
      assert.doesNotMatch(stdout + stderr, /not.it/);
    }
  });
});

describe("an unsuitable database [postgres]", hangs, () => {
  test("commands reject one from a newer version and leave it unchanged", async () => {
    const rename = (from: number, to: number) =>
      withClient(server.url, (client) =>
        client.query("update migration set number = $2 where number = $1", [from, to]),
      );
    await rename(2, 99);
    try {
      for (const command of [
        ["keys", "list"],
        ["serve", "--port", "0"],
        ["serve", "--port", "0", "--workers", "2"],
      ]) {
        const { status, stderr } = await bellwire([...command, "--database", server.url]);
        assert.equal(status, 1);
        assert.match(stderr, /made by a newer Bellwire \(schema 99/);
        assert.doesNotMatch(stderr, /\n\s+at /);
      }
    } finally {
      await rename(99, 2);
    }
  });

  test("a standby in place of the primary serves reads and is reported as read-only", async () => {
    await server.stop();
    const standby = await makePostgres(server);
    await Promise.all([server.start(), standby.start()]);
    try {
      for (const command of [
        ["keys", "create", "--name", "x"],
        ["import", "news", "-"],
      ]) {
        const { status, stderr } = await bellwire([...command, "--database", standby.url], { input: '{"id":1}' });
        assert.equal(status, 1);
        assert.match(stderr, /^bellwire: postgres:\/\/\S+ is a read-only standby\n$/);
      }
      const process = await serve("--database", standby.url);
      await waitUntil(ready(process), "it is ready");
      assert.equal((await get(process, ratings)).status, 200);
      const { status, checks } = (await fetchReply(`${process.url}/readyz`)).json;
      assert.deepEqual([status, checks.primary], ["degraded", "read-only"]);
      assert.equal((await process.stop()).status, 0);
    } finally {
      await standby.remove();
    }
  });
});
