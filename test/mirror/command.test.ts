// `mirror`, `mirror status`, and `serve --mirror` as processes: only one of them mirrors, and its status can be watched.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, type TestContext, test } from "node:test";
import { openSqlite } from "../../src/open-sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import {
  bellwire,
  bellwireWrites,
  freshDatabase,
  keyOn,
  type Serving,
  serving,
  start,
} from "../commands/support/bellwire.ts";
import { resourceNamed } from "../support/clients/api.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { dropSchema, postgresDatabase, stores, type TestDatabase } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { proxy } from "./support/proxy.ts";

const upstreamFile = freshDatabase();
let upstream: Serving;
let store: Store;
let token: string;

async function publish(...ids: string[]): Promise<void> {
  const ratings = resourceNamed("ratings");
  const updated = Math.floor(Date.now() / 1000);
  const rows = rowsOf(
    ratings,
    ids.map((id) => ({ id, date: "2024-11-05", updated })),
  );
  await store.put(
    ratings,
    rows.map((row) => ({ row, stamped: false })),
  );
}

before(async () => {
  store = openSqlite({ file: upstreamFile });
  await publish("a", "b");
  token = await keyOn(upstreamFile, "mirror", ["read", "replicate"]);
  upstream = await serving(["--database", upstreamFile, "--no-demo", "--log-level", "silent"]);
});

after(async () => {
  await upstream?.stop("SIGKILL");
  await store?.close();
});

const env = () => ({ BELLWIRE_MIRROR_TOKEN: token });

/** Polls until the result is as expected. */
const eventually = <T>(what: () => Promise<T>, expected: T): Promise<void> =>
  waitUntil(async () => JSON.stringify(await what()) === JSON.stringify(expected), JSON.stringify(expected));

async function idsAt(url: string, key: string): Promise<string[]> {
  const response = await fetch(`${url}/api/v2.1/calendar/ratings`, { headers: { authorization: `Bearer ${key}` } });
  const { ratings = [] } = (await response.json()) as { ratings?: { id: string }[] };
  return ratings.map(({ id }) => id).sort();
}

const statusOn = async (database: string) =>
  JSON.parse(await bellwireWrites(["mirror", "status", "--json", "--database", database]));

describe("the command", () => {
  test("mirror --once fills a database, prints record counts, and exits", async () => {
    const database = freshDatabase();
    const { status, stdout, stderr } = await bellwire(
      ["mirror", upstream.url, "--once", "--resources", "ratings,news", "--database", database],
      { env: env() },
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^news: 0 records, refused 0\nratings: \d+ records, refused 0\n$/);
    assert.ok(!`${stdout}${stderr}`.includes(token));
    for (const file of [database, `${database}-wal`].filter(existsSync)) assert.ok(!readFileSync(file).includes(token));
    const table = await bellwireWrites(["mirror", "status", "--database", database]);
    assert.match(table, /^upstream +http:\/\/127\.0\.0\.1:\d+$/m);
    assert.match(table, /^running +no$/m);
    assert.match(table, /^ratings +\d+ +\d+ s +0 +0 /m);
    const metrics = await bellwireWrites(["mirror", "status", "--metrics", "--database", database]);
    assert.match(metrics, /^# TYPE bellwire_mirror_lag_seconds gauge$/m);
    assert.match(metrics, /^bellwire_mirror_records\{resource="ratings"\} \d+$/m);
    for (const line of metrics.trimEnd().split("\n")) assert.match(line, /^# |^bellwire_mirror_\w+(\{.*\})? \d+$/);
  });

  test("mirror follows until stopped, and then hands over to another process at once", async () => {
    const database = freshDatabase();
    const ids = async () => {
      const lines = await bellwireWrites(["export", "ratings", "--database", database]);
      return lines
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).id);
    };
    const flags = [
      "mirror",
      upstream.url,
      "--via",
      "lists",
      "--every",
      "1s",
      "--budget",
      "100/s",
      "--database",
      database,
    ];
    const running = start(flags, { env: env() });
    await eventually(async () => (await bellwire(["mirror", "status", "--database", database])).status, 0);
    await publish("followed");
    await eventually(async () => (await ids()).includes("followed"), true);
    assert.match((await statusOn(database)).holder, new RegExp(`^process ${running.child.pid} on `));
    const { status, stderr } = await running.stop();
    assert.equal(status, 0, stderr);
    assert.equal((await statusOn(database)).holder, null);
  });

  test("invalid arguments are reported before anything is done", async () => {
    const rejected = async (args: string[], variables = {}) => {
      const { status, stderr } = await bellwire(["mirror", ...args, "--database", freshDatabase()], { env: variables });
      assert.equal(status, 2, stderr);
      return stderr;
    };
    assert.match(await rejected([]), /BASE_URL: expected a URL such as .*, got nothing/);
    assert.match(await rejected(["ftp://example.com"]), /BASE_URL: expected a URL/);
    assert.doesNotMatch(await rejected(["https://me:secret@example.com"]), /secret/);
    assert.match(await rejected(["https://example.com"]), /BELLWIRE_MIRROR_TOKEN: expected the upstream.s API key/);
    assert.match(await rejected(["https://example.com", "--budget", "5"]), /--budget: expected a rate such as 5\/s/);
    assert.match(
      await rejected(["https://example.com"], { BELLWIRE_MIRROR_VIA: "x" }),
      /BELLWIRE_MIRROR_VIA: expected one of/,
    );
    assert.match(
      await rejected(["https://example.com", "--resources", "news,stocks"]),
      /--resources: expected some of news/,
    );
    assert.match(await rejected(["https://example.com", "--from", "2024-13-01"]), /--from: expected a day/);
    const { status, stderr } = await bellwire(["mirror", "status", "--database", upstreamFile]);
    assert.deepEqual([status, /not a mirror/.test(stderr)], [1, true]);
  });

  test("mirror --once exits with status 1, says which resources failed, and mirrors the others", async () => {
    const between = await proxy(upstream.url);
    between.instead = ({ path }, response) => {
      if (path !== "/api/v2.1/calendar/economics") return false;
      response.writeHead(403).end('{"message":"not in your plan"}');
      return true;
    };
    try {
      const { status, stdout, stderr } = await bellwire(
        ["mirror", between.url.href, "--once", "--via", "lists", "--database", freshDatabase()],
        { env: env() },
      );
      assert.equal(status, 1, stderr);
      assert.match(stdout, /^economics: 0 records, refused 0, failed$/m);
      assert.match(stdout, /^ratings: [1-9]\d* records, refused 0$/m);
      assert.deepEqual(
        stderr.split("\n").filter((line) => line.startsWith("mirror: failed: ")),
        ["mirror: failed: economics: the token may not read this list (not in your plan)"],
      );
    } finally {
      await between.close();
    }
  });

  test("an invalid token is reported, with exit status 1", async () => {
    const { status, stderr } = await bellwire([
      "mirror",
      upstream.url,
      "--once",
      "--token",
      "wrong-wrong-wrong",
      "--database",
      freshDatabase(),
    ]);
    assert.equal(status, 1);
    assert.match(stderr, /the upstream does not accept the token/);
    assert.ok(!stderr.includes("wrong-wrong"));
  });
});

for (const kind of stores) {
  describe(`serve --mirror [${kind}]`, () => {
    after(dropSchema);
    const databaseOf = async (): Promise<TestDatabase> =>
      kind === "postgres" ? postgresDatabase() : { name: freshDatabase(), release: async () => {} };
    const flags = (database: string) => [
      ...["--database", database, "--mirror", upstream.url, "--mirror-every", "1s", "--mirror-budget", "100/s"],
      ...["--log-level", "warn"],
    ];

    /** A database of the test's, and servers of it: none of them outlives a test that fails. */
    const setting = async (t: TestContext) => {
      const { name: database, release } = await databaseOf();
      const servers: Serving[] = [];
      t.after(async () => {
        await Promise.all(servers.map((server) => server.stop("SIGKILL")));
        await release();
      });
      const serve = async (...more: string[]): Promise<Serving> => {
        const server = await serving([...flags(database), ...more], { env: env() });
        servers.push(server);
        return server;
      };
      return { database, serve };
    };

    test("serves the upstream's records, without the demo, and mirrors in only one of several processes", async (t) => {
      const { database, serve } = await setting(t);
      const servers = [await serve(), await serve()];
      const key = await keyOn(database);
      const urls = servers.map(({ url }) => url);
      const everywhere = async () => Promise.all(urls.map((url) => idsAt(url, key)));
      const expected = await idsAt(upstream.url, token);
      await eventually(everywhere, [expected, expected]);

      const holder = async () => Number(/\d+/.exec((await statusOn(database)).holder ?? "0")?.[0]);
      const pids = servers.map(({ child }) => child.pid as number);
      const first = await holder();
      assert.ok(pids.includes(first), `${first} is one of ${pids}`);
      // When the mirroring process is killed, the other takes over.
      await servers[pids.indexOf(first)]?.stop("SIGKILL");
      const [other] = servers.filter(({ child }) => child.pid !== first) as [Serving];
      await publish(`after-${kind}`);
      await eventually(() => idsAt(other.url, key), await idsAt(upstream.url, token));
      assert.equal(await holder(), other.child.pid);
      const { status, stderr } = await other.stop();
      assert.equal(status, 0, stderr);
      assert.ok(!stderr.includes(token));
      assert.equal(await holder(), 0);
    });

    test("with workers, the primary process mirrors and every worker reports its status", async (t) => {
      const { database, serve } = await setting(t);
      const server = await serve("--workers", "2");
      const key = await keyOn(database);
      await eventually(() => idsAt(server.url, key), await idsAt(upstream.url, token));
      assert.match((await statusOn(database)).holder, new RegExp(`^process ${server.child.pid} on `));
      const headers = { authorization: `Bearer ${await keyOn(database, "operator", ["admin"])}`, connection: "close" };
      const fetchText = async (path: string) => (await fetch(`${server.url}${path}`, { headers })).text();
      // The lag is known once everything was read; a worker knows the key a moment after it was created.
      for (let time = 0; time < 4; time++)
        await waitUntil(
          async () =>
            /^bellwire_mirror_lag_seconds\{resource="ratings"\} \d+$/m.test(await fetchText("/metrics")) &&
            JSON.parse(await fetchText("/admin/v1/status")).mirror?.upstream === upstream.url,
          "every worker reports the mirror",
        );
      assert.equal((await server.stop()).status, 0);
    });
  });
}
