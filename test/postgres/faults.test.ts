// A database that is away, slow, full or closed to us: 503 problems with Retry-After, plain words for commands, never a
// crash or a hang, and recovery without a restart.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { bellwire, bellwireWrites, keyOn, type Serving, serving, start } from "../commands/support/bellwire.ts";
import { makePostgres, type PostgresServer } from "../support/stores/postgres.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, assertUnavailable, hangs, withClient } from "./pool/waiting.ts";

const ratings = "/api/v2.1/calendar/ratings";
const news = "/api/v2/news";
const password = "sesame-opens";

let server: PostgresServer;
let key = "";

const get = ({ url }: Serving, path: string) => ask(`${url}${path}`, { authorization: `Bearer ${key}` });
const ready = (each: Serving) => async () => (await ask(`${each.url}/readyz`)).status === 200;
const serve = (...flags: string[]) =>
  serving(["--no-demo", "--log-level", "error", "--database", server.url, ...flags]);
const answers = (each: Serving, path: string, status: number) => async () => (await get(each, path)).status === status;

/** Runs while another client holds a table, so that whoever reads it waits. */
const holding = (table: string, run: () => Promise<void>) =>
  withClient(server.url, async (client) => {
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    await run();
    await client.query("rollback");
  });

/** How many connections of this name wait for a lock. */
const waiting = (name: string) =>
  withClient(server.url, async (client) => {
    const sql = "select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'";
    return (await client.query(sql, [name])).rowCount;
  });

/** Ends all connections of this name but the asking one, and waits for their end. */
const end = (name: string) =>
  withClient(server.url, (client) => {
    const others = "application_name = $1 and pid <> pg_backend_pid() and backend_type = 'client backend'";
    return client.query(`select pg_terminate_backend(pid, 120000) from pg_stat_activity where ${others}`, [name]);
  });

before(async () => {
  server = await makePostgres();
});

after(async () => server?.remove());

describe("a database that is away [postgres]", hangs, () => {
  let process: Serving;

  after(async () => process?.stop("SIGKILL"));

  test("at the start: the process listens, answers 503, and serves once the database is there", async () => {
    process = await serve();
    assert.match(process.output.stdout, /^the database is not available yet/m);
    assertUnavailable(await get(process, ratings));
    assertUnavailable(await ask(`${process.url}/readyz`));
    assert.equal((await ask(`${process.url}/livez`)).status, 200);
    assert.equal((await ask(`${process.url}/docs`)).status, 200);
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
    test(`later, by a stop that is ${mode}: 503 before it is back, and well again without a restart`, async () => {
      await server.stop(mode);
      // A request may overtake the news of it, and is answered from memory then.
      await waitUntil(answers(process, "/readyz", 503), "it is noticed");
      for (const path of [ratings, news, "/readyz"]) assertUnavailable(await get(process, path));
      await server.start();
      const well = async () => (await get(process, ratings)).status === 200 && ready(process)();
      await waitUntil(well, "it serves again");
      assert.equal(process.child.exitCode, null);
    });
  }

  test("for a moment: every connection is ended, and no request notices", async () => {
    await get(process, ratings);
    await end("");
    const replies = await Promise.all(Array.from({ length: 8 }, () => get(process, ratings)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  });

  test("in the middle of an import: it ends in plain words", async () => {
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
    // On a busy machine any statement may take too long.
    await waitUntil(answers(process, ratings, 200), "it serves");
    await holding("ratings", async () => {
      const slow = get(process, ratings);
      await waitUntil(answers(process, news, 200), "others are served");
      assert.ok(await ready(process)());
      const canceled = await slow;
      assert.deepEqual([canceled.status, canceled.json.code], [503, "server.expensive"]);
      assert.equal(canceled.headers.get("retry-after"), null);
      await waitUntil(async () => (await waiting("")) === 0, "nothing runs on for an answer that was given");
      assert.ok(await ready(process)(), "the server itself was never away");
    });
    await waitUntil(answers(process, ratings, 200), "it serves again");
    assert.equal((await process.stop()).status, 0);
  });

  test("a full pool lets some wait and refuses the rest at once", async () => {
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
      await waitUntil(() => statuses.length === 7, "seven are refused");
      assert.deepEqual(new Set(statuses), new Set([503]));
      assert.ok(await ready(process)(), "a server that is busy is not away");
    });
    await burst;
    assert.deepEqual(statuses.slice(7), [200, 200, 200]);
    assert.equal((await process.stop()).status, 0);
  });

  test("a queue of none still lets requests through, one at a time", async () => {
    const process = await serve("--pool-size", "1", "--pool-queue", "0");
    for (let turn = 0; turn < 5; turn++) assert.equal((await get(process, ratings)).status, 200);
    assert.equal((await process.stop()).status, 0);
  });

  test("no request is refused for the server's own housekeeping: it waits for it", async () => {
    const process = await serve("--pool-size", "1", "--pool-queue", "0");
    let asked: ReturnType<typeof get> | undefined;
    await holding("usage", async () => {
      assert.equal((await get(process, ratings)).status, 200);
      await waitUntil(async () => (await waiting("")) === 1, "its use is being written");
      asked = get(process, ratings);
      assert.equal(await Promise.race([asked.then(() => "answered"), pause(200, "waits")]), "waits");
    });
    assert.equal((await asked)?.status, 200);
    assert.equal((await process.stop()).status, 0);
  });
});

describe("a database that is closed to us [postgres]", hangs, () => {
  before(async () => {
    await withClient(server.url, (client) => client.query(`create role guarded login password '${password}'`));
    const file = join(server.folder, "data", "pg_hba.conf");
    writeFileSync(file, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(file, "utf8")}`);
    await withClient(server.url, (client) => client.query("select pg_reload_conf()"));
  });

  const address = (user: string, database = "postgres") => `postgres://${user}@127.0.0.1:${server.port}/${database}`;
  const refused = {
    "a wrong password": { url: () => address("guarded:not-it-at-all"), words: /password authentication failed/ },
    "no password": { url: () => address("guarded"), words: /password/ },
    "a database that is not there": {
      url: () => address("bellwire:not-it-at-all", "none"),
      words: /none.* does not exist/,
    },
    "a host that is not there": { url: () => "postgres://u:not-it-at-all@127.0.0.1:1/x", words: /ECONNREFUSED/ },
  };

  for (const [what, { url, words }] of Object.entries(refused)) {
    test(`${what} is told by a command in plain words, and by a server as 503`, async () => {
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

  test("an address that can't be read is a mistake of the command line, and is not repeated", async () => {
    for (const command of [
      ["keys", "list"],
      ["serve", "--port", "0"],
      ["copy", "--from", server.url, "--to"],
    ]) {
      const bad = "postgres://user:not/it#at-all@127.0.0.1/x";
      const { status, stderr, stdout } = await bellwire([
        ...command,
        ...(command[0] === "copy" ? [] : ["--database"]),
        bad,
      ]);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^bellwire: --(database|to): expected [^\n]*\n$/);
      assert.doesNotMatch(stdout + stderr, /not.it/);
    }
  });
});

describe("a database that is not what it should be [postgres]", hangs, () => {
  test("one that a newer version made is left alone: the command says so and ends", async () => {
    const rename = (from: number, to: number) =>
      withClient(server.url, (client) =>
        client.query("update migration set number = $2 where number = $1", [from, to]),
      );
    await rename(2, 99);
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
    await rename(99, 2);
  });

  test("a standby in the primary's place can be read, and is told to be read-only", async () => {
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
      await waitUntil(answers(process, ratings, 200), "it is read from");
      const { status, checks } = (await ask(`${process.url}/readyz`)).json;
      assert.deepEqual([status, checks.primary], ["degraded", "read-only"]);
      assert.equal((await process.stop()).status, 0);
    } finally {
      await standby.remove();
    }
  });
});
