// Several processes with one PostgreSQL database: they start concurrently on an empty database, and see each other's
// writes even if notifications are lost.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import type pg from "pg";
import { migrations } from "../../src/store/migrate.ts";
import type { Store } from "../../src/store/store.ts";
import { bellwireWrites, keyOn, type Serving, serving } from "../commands/support/bellwire.ts";
import { runs } from "../support/budget.ts";
import { resourceNamed, testNow } from "../support/clients/api.ts";
import { endAfterFile } from "../support/processes.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { bareSchema, type OwnPostgres, openTestStore, ownPostgres, stores } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { fetchReply, hangs, withClient } from "./pool/waiting.ts";

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** A process that opens each database at the same time as the others and writes a key to it. */
function starter(index: number, urls: readonly string[]) {
  const code = `
    import { openPostgres } from ${source("store/postgres/postgres.ts")};
    import { catalog } from ${source("resources/catalog.ts")};
    process.stdout.write("ready");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    for (const url of ${JSON.stringify(urls)}) {
      const store = openPostgres({ url, replicas: [], replicaStalenessSeconds: 1, maxStalenessSeconds: 0, poolSize: 1, queueSize: 10,
        statementSeconds: 300, prepare: true, catalog });
      await store.prepare();
      await store.addKey({ name: "key-${index}", hash: "key-${index}", licenses: [], created: 1, expires: "" });
      await store.close();
    }
    process.exit(0);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  endAfterFile(child);
  // One that has failed is reported by its status.
  child.stdin.on("error", () => {});
  let stderr = "";
  child.stderr.on("data", (piece) => {
    stderr += piece;
  });
  const ended = once(child, "close").then(([status]) => ({ status: status as number | null, stderr }));
  return { child, ended };
}

const tablesIn = async (client: pg.Client) => {
  const { rows } = await client.query(
    `select table_name, column_name, data_type, collation_name from information_schema.columns
     where table_schema = current_schema() order by 1, 2`,
  );
  const indexes = await client.query(
    "select indexname, regexp_replace(indexdef, ' ON [^ ]+', '') as def from pg_indexes where schemaname = current_schema() order by 1",
  );
  return [rows, indexes.rows];
};

const skip = !stores.includes("postgres");
const starting = runs(5, 10);

describe("processes [postgres]", { ...hangs, skip }, () => {
  const schemas: OwnPostgres[] = [];
  after(async () => {
    for (const schema of schemas) await schema.drop();
  });
  const freshSchema = async (name: string): Promise<string> => {
    const schema = await bareSchema(name);
    schemas.push(schema);
    return schema.url;
  };

  test(`${starting} that start concurrently on an empty database create one schema, and each can write`, async (t) => {
    const urls = await Promise.all(["a", "b", "c"].map((name) => freshSchema(`start_${name}`)));
    const starters = Array.from({ length: starting }, (_, index) => starter(index, urls));
    t.after(() => {
      for (const { child } of starters) child.kill("SIGKILL");
    });
    await Promise.all(starters.map(({ child, ended }) => Promise.race([once(child.stdout, "data"), ended])));
    for (const { child } of starters) child.stdin.write("go\n");
    for (const { ended } of starters) {
      const { status, stderr } = await ended;
      assert.equal(status, 0, stderr);
    }
    const alone = await freshSchema("alone");
    await (await openTestStore(alone, () => testNow)).close();
    const expected = await withClient(alone, tablesIn);
    for (const url of urls) {
      await withClient(url, async (client) => {
        assert.deepEqual(await tablesIn(client), expected);
        const { rows } = await client.query(`select
          (select count(*)::int from migration) as migrations,
          (select count(*)::int from setting where name = 'database') as names,
          (select count(distinct name)::int from api_key) as keys`);
        assert.deepEqual(rows, [{ migrations: migrations.length, names: 1, keys: starting }]);
      });
    }
  });
});

describe("writes of another process are visible [postgres]", { ...hangs, skip }, () => {
  let database: OwnPostgres;
  let url = "";
  let key = "";
  let servers: Serving[] = [];
  let writer: Store;
  const ratings = resourceNamed("ratings");

  before(async () => {
    database = await ownPostgres("seen");
    url = database.url;
    key = await keyOn(url);
    // Identifies the servers' connections.
    const named = `${url}&application_name=seen-${process.pid}`;
    const flags = ["--database", named, "--no-demo", "--log-level", "fatal"];
    servers = await Promise.all(Array.from({ length: runs(2, 3) }, () => serving(flags)));
    writer = await openTestStore(url, () => testNow);
  });

  after(async () => {
    await Promise.all(servers.map((each) => each.stop()));
    await writer?.close();
    await database?.drop();
  });

  const put = (id: string) =>
    writer.put(
      ratings,
      rowsOf(ratings, [{ id, date: "2024-11-05" }]).map((row) => ({ row, stamped: false })),
    );
  const statusOf = async (at: string, token: string) =>
    (await fetchReply(`${at}${ratings.path}`, { authorization: `Bearer ${token}` })).status;
  const all = (check: (url: string) => Promise<boolean>) => async () =>
    (await Promise.all(servers.map((each) => check(each.url)))).every(Boolean);
  const has = (id: string) =>
    all(async (at) =>
      (await fetchReply(`${at}${ratings.path}`, { authorization: `Bearer ${key}` })).text.includes(`"${id}"`),
    );
  const rejects = (token: string) => all(async (at) => (await statusOf(at, token)) === 401);
  const takes = (token: string) => all(async (at) => (await statusOf(at, token)) === 200);
  /** Terminates every connection of the servers, including those that listen. */
  const deafen = () =>
    withClient(url, (client) =>
      client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", [
        `seen-${process.pid}`,
      ]),
    );

  test("an imported record, even to a client with the previous ETag", async () => {
    const headers = { authorization: `Bearer ${key}` };
    const tags = () =>
      Promise.all(
        servers.map(
          async (each) => (await fetchReply(`${each.url}${ratings.path}`, headers)).headers.get("etag") ?? "",
        ),
      );
    const [empty] = await tags();
    await put("first");
    await waitUntil(has("first"), "all have the record");
    // A process may read the record before it learns of the new version: until then it sends the previous ETag.
    await waitUntil(async () => (await tags()).every((tag) => tag !== empty), "the tag is new everywhere");
    const [tag = "", ...others] = await tags();
    for (const other of others) assert.equal(other, tag, "all processes return the same ETag");
    const conditional = { ...headers, "if-none-match": tag };
    assert.equal((await fetchReply(`${servers[0]?.url}${ratings.path}`, conditional)).status, 304);
    await put("second");
    const changed = all(async (at) => (await fetchReply(`${at}${ratings.path}`, conditional)).status === 200);
    await waitUntil(changed, "the tag is outdated everywhere");
  });

  test("a created key and a revoked one", async () => {
    const made = await keyOn(url, "guest");
    await waitUntil(takes(made), "all take the key");
    await bellwireWrites(["keys", "revoke", "guest", "--database", url]);
    await waitUntil(rejects(made), "all reject the key");
    assert.ok(await takes(key)());
  });

  test("a write whose notification is lost with the listening connections", async () => {
    const made = await keyOn(url, "visitor");
    await waitUntil(takes(made), "all take the key");
    await deafen();
    await Promise.all([put("unheard"), writer.revokeKey("visitor", testNow)]);
    await waitUntil(has("unheard"), "all have the record");
    await waitUntil(rejects(made), "all reject the key");
  });

  test("a write without a notification, through polling", async () => {
    const made = await keyOn(url, "stranger");
    await waitUntil(takes(made), "all take the key");
    await withClient(url, async (client) => {
      await client.query("begin");
      await client.query("update api_key set revoked = 1 where name = 'stranger'");
      await client.query("update version set seq = seq + 1 where name = 'keys'");
      await client.query("commit");
    });
    await waitUntil(rejects(made), "all reject the key");
  });

  test("a write with a notification, without polling", async (t) => {
    // With its timers stopped, a store probes its server only when notified.
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const listener = await openTestStore(url, () => testNow);
    const version = async () => (await listener.state()).versionTag(ratings);
    const before = await version();
    await put("notified");
    // Without timers, which must not be needed.
    while ((await version()) === before) await new Promise((resolve) => setImmediate(resolve));
    await listener.close();
    t.mock.timers.reset();
  });
});
