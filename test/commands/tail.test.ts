// `tail` prints changes as they happen, from a server or a database, and misses nothing when it is cut.
import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { generateKey } from "../../src/keys/key.ts";
import { type Api, startApi } from "../support/clients/api.ts";
import { sqliteDatabase } from "../support/stores/stores.ts";
import { bellwire, type Running, start } from "./support/bellwire.ts";

let api: Api;
let url = "";
let port = 0;
const database = sqliteDatabase();
const connections = new Set<Socket>();

/** Passes connections on to the server, so that a test can cut them. */
const proxy = createServer((client) => {
  const server = connect(port, "127.0.0.1");
  connections.add(client);
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const)
    from
      .on("error", () => {})
      .on("close", () => to.destroy())
      .pipe(to);
});

before(async () => {
  api = await startApi({ database: database.name });
  port = await api.port();
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

after(async () => {
  for (const socket of connections) socket.destroy();
  proxy.close();
  await api.close();
  await database.release();
});

const linesOf = ({ output }: Running) =>
  output.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const eventsOf = (running: Running) => linesOf(running).map(({ action, id }) => `${action} ${id}`);

const hurried = { NODE_OPTIONS: `--import=${new URL("support/hurried.ts", import.meta.url).href}` };

describe("tail", () => {
  test("prints the changes of a server that match, and continues where it was cut", async () => {
    const since = (await api.fetch("/api/v2.1/calendar/ratings")).headers["x-stream-position"] ?? "";
    const filters = "parameters[tickers]=F&fields=id,ticker";
    const env = { ...hurried, BELLWIRE_TOKEN: api.token };
    const tail = start(["tail", "ratings", filters, "--url", `${url}/`, "--since", since], { env });
    await api.has("ratings", [
      { id: "a", ticker: "F" },
      { id: "b", ticker: "GM" },
    ]);
    await tail.until("stdout", /\n/);
    for (const socket of connections) socket.destroy();
    await api.has("ratings", [{ id: "c", ticker: "F" }]);
    await tail.until("stderr", /^tail: http:\/\/127\.0\.0\.1:\d+: the connection failed \(.*\); reconnecting$/m);
    await tail.until("stdout", /"c"/);
    await api.has("ratings", [{ id: "a", ticker: "GM" }]);
    await tail.until("stdout", /removed/);
    const { status } = await tail.stop("SIGINT");
    assert.equal(status, 0);
    assert.deepEqual(eventsOf(tail), ["created a", "created c", "removed a"]);
    const { databaseId } = await api.store.state();
    const [{ position, at, ...rest }] = linesOf(tail);
    assert.match(position, new RegExp(`^${databaseId}\\.\\d+$`));
    assert.equal(typeof at, "number");
    assert.deepEqual(rest, { action: "created", id: "a", resource: "ratings", record: { id: "a", ticker: "F" } });
  });

  test("prints the changes of a database, without a key or a server", async () => {
    await api.has("dividends", [{ id: "a", ticker: "F", name: "Ford" }]);
    const args = ["tail", "dividends", "?parameters[tickers]=F&typo=1", "--since", "start", "--database", api.file];
    // The flag takes precedence.
    const tail = start(args, { env: { BELLWIRE_URL: "http://127.0.0.1:1" } });
    await tail.until("stdout", /created/);
    await api.has("dividends", [{ id: "a", ticker: "F", name: "Ford Motor" }]);
    await tail.until("stdout", /"action":"updated"/);
    const { status, stderr } = await tail.stop("SIGTERM");
    assert.deepEqual([status, stderr], [0, "tail: ignored unknown parameters: typo\n"]);
    const [, updated] = linesOf(tail);
    const { dividends } = await api.get("/api/v2.2/calendar/dividends?parameters[tickers]=F");
    assert.deepEqual(updated.record, dividends[0]);
    const stream = await api.stream("/api/v2.2/calendar/dividends/stream?since=start");
    assert.deepEqual(
      (await stream.has(2)).map(({ id, data }) => ({ position: id, ...data })),
      linesOf(tail),
    );
  });

  test("ends when the reader of its output has left, as head does", async () => {
    for (const source of [
      ["--url", url, "--token", api.token],
      ["--database", api.file],
    ]) {
      const tail = start(["tail", "earnings", "--since", "start", ...source]);
      await api.has("earnings", [{ id: `a${source.length}` }]);
      await tail.until("stdout", new RegExp(`a${source.length}`));
      tail.child.stdout.destroy();
      await api.has("earnings", [{ id: `b${source.length}` }]);
      const { status, stderr } = await tail.finished;
      assert.deepEqual([status, stderr], [0, ""]);
    }
  });

  test("a request that can't succeed ends with the reason", async () => {
    const { databaseId } = await api.store.state();
    const server = ["--url", url, "--token", api.token];
    const local = ["--database", api.file];
    for (const [args, expected] of [
      [["parameters[action]=x", ...server], /: status 400: .*parameters\[action\]: expected/],
      [["parameters[action]=x", ...local], /parameters\[action\]: expected .*, got "x"/],
      [["page=1", ...local], /page: expected to be absent, because a stream has no pages/],
      [["", "--url", url, "--token", generateKey()], /: status 401: /],
      [["", "--since", `${databaseId}.999999`, ...server], /: status 410: .*X-Stream-Position/],
      [["", "--since", `${databaseId}.999999`, ...local], /--since: This position belongs to another database/],
      [["", "--url", "http://127.0.0.1:2", "--token", "x"], /127\.0\.0\.1:2: the connection failed \(ECONNREFUSED\)/],
      [["", "--url", `${url}/elsewhere`, "--token", "x"], /: status 404: /],
    ] as const) {
      const run = await bellwire(["tail", "ratings", ...args]);
      assert.deepEqual([run.stdout, run.status === 0], ["", false], run.stderr);
      assert.match(run.stderr, expected);
      assert.match(run.stderr, /^bellwire: [^\n]+\n$/);
      assert.ok(!run.stderr.includes(api.token));
    }
  });

  test("invalid arguments are reported before anything is read", async () => {
    for (const [args, expected] of [
      [["quotes"], /RESOURCE: expected one of news/],
      [["news", "--since", "yesterday"], /--since: expected start, or the position .*, got "yesterday"/],
      [["news", "--url", "news.example.com"], /--url: expected an http:\/\/ or https:\/\/ URL, got "news.example.com"/],
      [["news", "--url", "http://127.0.0.1:1"], /--token: expected a key of the server/],
      [["news", "--token", "x"], /--token: expected --url as well/],
      [["news", "--url", "http://127.0.0.1:1", "--database", "x"], /expected either --url or --database/],
      [["news", "--database", "./none.db"], /there is no database at "\.\/none\.db"/],
    ] as const) {
      const run = await bellwire(["tail", ...args]);
      assert.deepEqual([run.status, run.stdout], [2, ""], run.stderr);
      assert.match(run.stderr, expected);
    }
  });
});
