// Stopping `serve` under load: every accepted request gets its complete response, and the process exits in time.
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { before, describe, test } from "node:test";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwireWrites, fileOf, freshDatabase, keyOn, serving } from "../support/bellwire.ts";

const database = freshDatabase();
let key = "";

before(async () => {
  key = await keyOn(database);
  const lines = Array.from({ length: 1500 }, (_, at) =>
    JSON.stringify({ id: `${at}`, date: "2024-11-05", ticker: at % 2 === 0 ? "AAPL" : "MSFT", notes: "n".repeat(500) }),
  );
  await bellwireWrites(["import", "earnings", fileOf("load.ndjson", lines.join("\n")), "--database", database]);
});

type Outcome = "served" | "output to go" | "not taken" | "cut" | "closed";

/**
 * One request; "cut" is an incomplete response, "closed" a connection that closed as the request was sent: one in use, or,
 * once the server has begun to stop, one that it no longer accepted.
 */
const send = (url: string, agent: Agent, id: string, isStopping: () => boolean): Promise<Outcome> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}`, "x-request-id": id };
    const sent = request(url, { agent, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", () => resolve("cut"));
      response.on("end", () => {
        const body = JSON.parse(Buffer.concat(pieces).toString("utf8")) as { code?: string };
        // A large page waits at most 5 seconds in the queue and then gets a 503 response; the client continues.
        if (response.statusCode === 200 || body.code === "server.busy") resolve("served");
        else resolve(response.statusCode === 503 && body.code === "server.unavailable" ? "output to go" : "cut");
      });
    });
    sent.on("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ECONNREFUSED" ? "not taken" : sent.reusedSocket || isStopping() ? "closed" : "cut"),
    );
    sent.end();
  });

describe("a signal under load", () => {
  for (const workers of ["1", "2"]) {
    test(`leaves no request without a response, with ${workers} serving`, async () => {
      const flags = ["--database", database, "--no-demo", "--log-level", "info", "--stop-seconds", "600"];
      const server = await serving([...flags, "--workers", workers]);
      const seen = new Map<Outcome, number>();
      const paths = ["?pagesize=1000", "?parameters[tickers]=AAPL", "?pagesize=5", "?pagesize=1000&page=1"];
      let started = 0;
      const closed: string[] = [];
      // Each continues on a keep-alive connection, as clients do, until the server closes it.
      const begun = new Set<number>();
      let isStopping = false;
      const clients = Array.from({ length: 16 }, async (_, client) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (;;) {
          const url = `${server.url}/api/v2.1/calendar/earnings${paths[started++ % paths.length]}`;
          const id = `load-${started}`;
          const outcome = await send(url, agent, id, () => isStopping);
          if (outcome === "closed") closed.push(id);
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
          if (outcome !== "served") break;
          begun.add(client);
        }
        agent.destroy();
      });
      // A connection that was not accepted before the stop doesn't count.
      await waitUntil(() => begun.size === clients.length && (seen.get("served") ?? 0) >= 100);
      isStopping = true;
      const run = await server.stop();
      await Promise.all(clients);
      assert.deepEqual([run.status, run.signal], [0, null]);
      assert.equal(seen.get("cut") ?? 0, 0, JSON.stringify([...seen]));
      // The server may close an idle connection, but must respond to every request it has read.
      for (const id of closed)
        assert.ok(!run.stderr.includes(`"${id}"`), `${id} was accepted, but its response was cut`);
      assert.equal((seen.get("output to go") ?? 0) + (seen.get("not taken") ?? 0) + closed.length, 16);
      assert.doesNotMatch(run.stderr, /"level":"(error|fatal)"/);
    });
  }

  test("doesn't wait for connections without a request", async () => {
    const server = await serving(["--database", database, "--no-demo", "--log-level", "warn", "--stop-seconds", "600"]);
    const { port } = new URL(server.url);
    const silent = connect(Number(port), "127.0.0.1");
    const half = connect(Number(port), "127.0.0.1");
    half.write("GET /livez HT");
    const ended = [silent, half].map(
      (socket) =>
        new Promise((resolve) => {
          socket.on("error", () => {});
          socket.resume().on("close", resolve);
        }),
    );
    assert.equal((await fetch(`${server.url}/livez`)).status, 200);
    assert.equal((await server.stop()).status, 0);
    await Promise.all(ended);
  });
});
