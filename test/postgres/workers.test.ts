// `serve --workers 2` on either kind of store: both serve, one that dies is replaced, and none outlives the process that
// keeps them.
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { bellwire, bellwireWrites, keyOn, type Serving, serving } from "../commands/support/bellwire.ts";
import { postgresDatabase, sqliteDatabase, stores, type TestDatabase } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, assertUnavailable, childrenOf, hangs } from "./pool/waiting.ts";

const databases = { sqlite: sqliteDatabase, postgres: postgresDatabase } as const;

/** An answer larger than what the system takes off the server's hands while nobody reads. */
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
      // Together, since one that loses a worker soon after its start waits before it starts another.
      [stopped, killed] = await Promise.all([start("--stop-seconds", "300"), start()]);
    });

    after(async () => {
      await database?.release();
    });

    const start = (...flags: string[]) =>
      serving(["--database", database.name, "--no-demo", "--log-level", "fatal", "--workers", "2", ...flags]);

    /** Who answers: every process begins its request ids with a word of its own. Asks for few bytes. */
    const answeredBy = async ({ url }: Serving): Promise<string> => {
      const reply = await ask(`${url}${path}?parameters[tickers]=NONE`, { authorization: `Bearer ${key}` });
      assert.equal(reply.status, 200, reply.text);
      return reply.headers.get("x-request-id")?.split("-")[0] ?? "";
    };
    const served = async (server: Serving): Promise<Set<string>> =>
      new Set(await Promise.all(Array.from({ length: 12 }, () => answeredBy(server))));

    test("both serve behind one address, and a signal lets the answer under way be read to its end", async () => {
      const server = stopped ?? assert.fail();
      // Whoever is free is given the next connection: on a busy machine that may be one of them for a while.
      await waitUntil(async () => (await served(server)).size === 2, "both serve");
      assert.equal(server.output.stdout.match(/^listening on /gm)?.length, 1);
      const { socket, ended, body } = await stalled(server.url, key);
      const isRefused = await asking(server.url);
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

    test("one that is killed is replaced, and none outlives the process that keeps them", async () => {
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

    test("a port that is taken is told once, and the command ends", async () => {
      const other = createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => other.once("listening", resolve));
      const { port } = other.address() as { port: number };
      const flags = ["--no-demo", "--workers", "2", "--port", String(port), "--database", database.name];
      const { status, stderr } = await bellwire(["serve", ...flags]);
      other.close();
      assert.equal(status, 1);
      assert.match(stderr, /^bellwire: --port: 127.0.0.1:\d+ is in use by another program/);
      assert.doesNotMatch(stderr, /starting another|\n\s+at /);
    });
  });
}

describe("workers whose database is away [postgres]", hangs, () => {
  test("wait for it, and say so", async () => {
    const flags = ["--database", "postgres://nobody@127.0.0.1:1/none", "--no-demo", "--workers", "2"];
    const server = await serving([...flags, "--log-level", "fatal"]);
    assertUnavailable(await ask(`${server.url}${path}`, { authorization: "Bearer x" }));
    assertUnavailable(await ask(`${server.url}/readyz`));
    assert.equal((await server.stop()).status, 0);
  });
});

/**
 * Asks over one connection, once more at each call, and gives whether an answer so far was a refusal, or the end. A new
 * connection could be handed to a worker that ends at that moment, and wait for as long as the other one takes.
 */
async function asking(url: string): Promise<() => boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answers = "";
  let isOver = false;
  socket.on("data", (piece) => {
    answers += piece;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isOver = true;
  });
  const ask = () => !isOver && socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  ask();
  await waitUntil(() => answers.startsWith("HTTP/1.1 200 "), "the connection is served");
  return () => {
    ask();
    return isOver || /^HTTP\/1\.1 (?!200 )/m.test(answers);
  };
}

/** Asks for the large answer over a socket and stops reading when the first of it comes. */
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
