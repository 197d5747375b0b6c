// `serve --workers 2` on either store: both serve, one that dies is replaced, and none outlives the parent process.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { bellwireWrites, keyOn, type Serving, serving } from "../commands/support/bellwire.ts";
import { postgresDatabase, sqliteDatabase, stores, type TestDatabase } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { assertUnavailable, childrenOf, fetchReply, hangs } from "./pool/waiting.ts";

const databases = { sqlite: sqliteDatabase, postgres: postgresDatabase } as const;

/** A response larger than the socket buffers. */
const notes = "n".repeat(1_000_000);
const records = 12;
const path = "/api/v2.1/calendar/earnings";

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

for (const store of stores) {
  describe(`workers [${store}]`, hangs, () => {
    let database: TestDatabase;
    let key = "";
    let [stopped, killed]: Serving[] = [];

    before(async () => {
      database = await databases[store]();
      key = await keyOn(database.name);
      const lines = Array.from({ length: records }, (_, at) =>
        JSON.stringify({ id: `${at}`, date: "2024-11-05", notes }),
      );
      await bellwireWrites(["import", "earnings", "-", "--database", database.name], { input: lines.join("\n") });
      // Concurrently, since a worker that dies soon after its start is replaced after a delay.
      [stopped, killed] = await Promise.all([start("--stop-seconds", "300"), start()]);
    });

    after(async () => {
      await database?.release();
    });

    const start = (...flags: string[]) =>
      serving(["--database", database.name, "--no-demo", "--log-level", "fatal", "--workers", "2", ...flags]);

    /** Which process responds, by the prefix of the request ID. */
    const servedBy = async ({ url }: Serving): Promise<string> => {
      const reply = await fetchReply(`${url}${path}?parameters[tickers]=NONE`, { authorization: `Bearer ${key}` });
      assert.equal(reply.status, 200, reply.text);
      return reply.headers.get("x-request-id")?.split("-")[0] ?? "";
    };
    const served = async (server: Serving): Promise<Set<string>> =>
      new Set(await Promise.all(Array.from({ length: 12 }, () => servedBy(server))));

    test("both serve on one address, and a signal lets the response in flight finish", async () => {
      const server = stopped ?? assert.fail();
      // On a busy machine the same worker may accept several connections in a row.
      await waitUntil(async () => (await served(server)).size === 2, "both serve");
      assert.equal(server.output.stdout.match(/^listening on /gm)?.length, 1);
      const { socket, ended, body } = await stalled(server.url, key);
      const isRefused = await keepRequesting(server.url);
      server.child.kill("SIGTERM");
      await waitUntil(isRefused, "it takes no more requests");
      socket.resume();
      const run = await server.finished;
      await ended;
      assert.deepEqual([run.status, run.signal], [0, null], run.stderr);
      const [head = "", json = ""] = body().split("\r\n\r\n");
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
      assert.equal(JSON.parse(json).earnings.length, records);
    });

    test("a killed worker is replaced, and none outlives the parent process", async () => {
      const server = killed ?? assert.fail();
      const keeper = server.child.pid ?? 0;
      const before = childrenOf(keeper);
      assert.equal(before.length, 2);
      process.kill(before[0] as number, "SIGKILL");
      await waitUntil(() => childrenOf(keeper).some((pid) => !before.includes(pid)), "another is started");
      await waitUntil(async () => (await served(server)).size === 2, "both serve");
      await server.until("stderr", /^worker \d+ exited \(SIGKILL\); starting another$/m);

      const workers = childrenOf(keeper);
      assert.equal(workers.length, 2);
      await server.stop("SIGKILL");
      await waitUntil(() => !workers.some(isAlive), "the workers end");
    });
  });
}

describe("workers without a database [postgres]", hangs, () => {
  test("wait for it, and report that", async () => {
    const flags = ["--database", "postgres://nobody@127.0.0.1:1/none", "--no-demo", "--workers", "2"];
    const server = await serving([...flags, "--log-level", "fatal"]);
    assertUnavailable(await fetchReply(`${server.url}${path}`, { authorization: "Bearer x" }));
    assertUnavailable(await fetchReply(`${server.url}/readyz`));
    assert.equal((await server.stop()).status, 0);
  });
});

/**
 * Sends another request over one connection at each call, and returns whether a response so far was an error, or the
 * end. A new connection might be accepted by a worker that is shutting down, and stall.
 */
async function keepRequesting(url: string): Promise<() => boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let responses = "";
  let isOver = false;
  socket.on("data", (piece) => {
    responses += piece;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isOver = true;
  });
  const request = () => !isOver && socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  request();
  await waitUntil(() => responses.startsWith("HTTP/1.1 200 "), "the connection is served");
  return () => {
    request();
    return isOver || /^HTTP\/1\.1 (?!200 )/m.test(responses);
  };
}

/** Requests the large response over a socket and stops reading after the first chunk. */
async function stalled(url: string, key: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const pieces: (string | Uint8Array)[] = [];
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("error", () => {});
  socket.write(`GET ${path}?token=${key} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await new Promise<void>((resolve) =>
    socket.once("data", (piece) => {
      pieces.push(piece);
      socket.pause();
      resolve();
    }),
  );
  socket.on("data", (piece) => pieces.push(piece));
  socket.pause();
  return { socket, ended, body: () => pieces.map(String).join("") };
}
