// Stopping `serve`: in-flight requests finish, new ones are rejected, and the process exits with status 0.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { before, describe, test } from "node:test";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwireWrites, fileOf, freshDatabase, keyOn, serving } from "../support/bellwire.ts";

const database = freshDatabase();
let key = "";

/** A response much larger than the socket buffers. */
const notes = "n".repeat(1_000_000);
const records = 48;

before(async () => {
  key = await keyOn(database);
  const lines = Array.from({ length: records }, (_, at) => JSON.stringify({ id: `${at}`, date: "2024-11-05", notes }));
  await bellwireWrites(["import", "earnings", fileOf("large.ndjson", lines.join("\n")), "--database", database]);
});

const start = (...flags: string[]) => serving(["--database", database, "--no-demo", "--log-level", "info", ...flags]);

/** Requests the large response over a socket and stops reading at its first bytes. */
async function stalled(url: string) {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const pieces: (string | Uint8Array)[] = [];
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("error", () => {});
  socket.write(`GET /api/v2.1/calendar/earnings?token=${key} HTTP/1.1\r\nHost: x\r\n\r\n`);
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

describe("a signal", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} lets the in-flight response finish, then the process exits with status 0`, async () => {
      const server = await start("--stop-seconds", "600");
      const { socket, ended, body } = await stalled(server.url);
      server.child.kill(signal);
      // New requests are rejected once the signal has arrived; the rest is read only then.
      await waitUntil(() =>
        fetch(`${server.url}/livez`).then(
          (found) => !found.ok,
          () => true,
        ),
      );
      socket.resume();
      const run = await server.finished;
      await ended;
      assert.deepEqual([run.status, run.signal], [0, null]);
      assert.match(body(), /^HTTP\/1\.1 200 OK\r\n/);
      const [head = "", json = ""] = body().split("\r\n\r\n");
      assert.equal(Number(/content-length: (\d+)/i.exec(head)?.[1]), Buffer.byteLength(json));
      assert.equal(JSON.parse(json).earnings.length, records);
      assert.equal(run.stdout.match(/^listening on /gm)?.length, 1);
    });
  }

  test("stops an idle server at once, despite keep-alive connections", async () => {
    const server = await start("--stop-seconds", "600");
    const found = await fetch(`${server.url}/livez`, { headers: { connection: "keep-alive" } });
    await found.text();
    assert.equal((await server.stop()).status, 0);
  });

  test("waits no longer than stop-seconds for a client that never reads", async () => {
    const server = await start("--stop-seconds", "1");
    const { socket, ended, body } = await stalled(server.url);
    assert.equal((await server.stop()).status, 0);
    socket.resume();
    await ended;
    assert.ok(body().length < records * notes.length);
  });
});
