// Deliberately slow clients, over real sockets: sending requests, sending bodies, reading responses.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { createLog } from "../../../src/http/observe/log.ts";
import { defaultProtection, type ProtectionLimits } from "../../../src/http/protection/protection.ts";
import { buildServer } from "../../../src/http/server.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { startApi } from "../../support/clients/api.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A response much larger than the socket buffers. */
const notes = "n".repeat(1_000_000);
const records = 24;

type Setting = { readonly cacheBytes?: number; readonly isEmpty?: boolean };

async function protectedServer(
  t: TestContext,
  protection: Partial<ProtectionLimits>,
  { cacheBytes = 0, isEmpty = false }: Setting = {},
) {
  const api = await startApi();
  const clock = { ms: 0, looks: 0 };
  const large = Array.from({ length: records }, (_, at) => ({ id: `e${at}`, date: "2024-11-05", notes }));
  if (!isEmpty) await api.has("earnings", large);
  const server = await buildServer({
    catalog,
    store: api.store,
    log: createLog("silent"),
    openapi: {},
    now: () => api.clock.now,
    ticks: () => {
      clock.looks++;
      return clock.ms;
    },
    protection: { ...protection, sweepMs: 20 },
    cacheBytes,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  t.after(async () => {
    server.closeConnections();
    await server.app.close();
    await api.close();
  });
  /** Advances the server's clock, and waits until it has checked its connections. */
  const pass = async (ms: number): Promise<void> => {
    clock.ms += ms;
    const before = clock.looks;
    await waitUntil(() => clock.looks > before + 10);
  };
  return {
    api,
    server,
    port,
    pass,
    large: `GET /api/v2.1/calendar/earnings?token=${api.token} HTTP/1.1\r\nHost: x\r\n`,
  };
}

/** A connection that has sent something, and everything received once the other side has closed it. */
function client(port: number, bytes: string): { socket: Socket; ended: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    text += piece;
  });
  socket.write(bytes);
  return { socket, ended: new Promise((resolve) => socket.on("close", () => resolve(text))) };
}

/** A connection after its first response; retried if this process was blocked for longer than headers may take. */
async function afterResponse(port: number, request: string): Promise<ReturnType<typeof client>> {
  for (;;) {
    const made = client(port, request);
    const first = await new Promise<Buffer>((resolve) => made.socket.once("data", resolve));
    if (String(first).startsWith("HTTP/1.1 200")) return made;
    made.socket.destroy();
  }
}

/** Sends a request, and stops reading at the first byte of the response. */
async function stalled(t: TestContext, port: number, request: string): Promise<Socket> {
  const { socket } = client(port, request);
  t.after(() => socket.destroy());
  await new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.pause();
  return socket;
}

describe("a client that is slow", () => {
  test("to send headers gets a 408 and is disconnected, whether it has started or not", async (t) => {
    const { port } = await protectedServer(t, { headerMs: 100 }, { isEmpty: true });
    for (const begin of ["GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ", "G", ""]) {
      const { ended } = client(port, begin);
      assert.match(await ended, /^HTTP\/1\.1 408 .*"code":"request\.timeout"/s, JSON.stringify(begin));
    }
  });

  test("to send headers is disconnected even if it never closes its end", async (t) => {
    const { port, server } = await protectedServer(t, { headerMs: 100 }, { isEmpty: true });
    for (const begin of ["GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ", ""]) {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      t.after(() => socket.destroy());
      socket.on("error", () => {});
      socket.write(begin);
      const [response] = (await once(socket, "data")) as [Buffer];
      assert.match(String(response), /^HTTP\/1\.1 408/);
      await waitUntil(() => server.protection.connections.open === 0, "the connection is released");
    }
  });

  test("to send the next request has the keep-alive timeout", async (t) => {
    const { port } = await protectedServer(t, { headerMs: 100 }, { isEmpty: true });
    const idle = await afterResponse(port, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
    // A later one that sends nothing is disconnected meanwhile.
    assert.match(await client(port, "").ended, /^HTTP\/1\.1 408/);
    idle.socket.write("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.deepEqual((await idle.ended).match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200", "HTTP/1.1 200"]);
  });

  test("to send an unexpected body gets its response and is disconnected", async (t) => {
    const { port, large } = await protectedServer(t, { bodyMs: 100 });
    // Bodies have no time limit until the response is ready.
    t.mock.timers.enable({ apis: ["setTimeout"] });
    for (const begin of ["GET /livez HTTP/1.1\r\nHost: x\r\n", large]) {
      for (const body of ["Content-Length: 100\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n5\r\nx"]) {
        const { socket, ended } = client(port, `${begin}${body}`);
        await new Promise((resolve) => socket.once("data", resolve));
        t.mock.timers.tick(100);
        assert.match(await ended, /^HTTP\/1\.1 200 OK/);
      }
    }
  });

  test("to read a response is disconnected after the timeout for its size", async (t) => {
    const limits = { ...defaultProtection.slowClientLimits, graceMs: 100, bytesPerSecond: 1e9 };
    const { server, port, large, pass } = await protectedServer(t, { slowClientLimits: limits });
    await stalled(t, port, `${large}\r\n`);
    await pass(0);
    await pass(100);
    assert.equal(server.protection.slowClients.cut, 0);
    await pass(100);
    await waitUntil(() => server.protection.slowClients.cut === 1);
    await waitUntil(() => server.protection.connections.open === 0);
  });

  test("to read an export is disconnected once it has held it up for too long", async (t) => {
    const limits = { ...defaultProtection.slowClientLimits, graceMs: 100, bytesPerSecond: 1e9 };
    const exports = { ...defaultProtection.exports, chunkRecords: 1 };
    const { api, server, port, pass } = await protectedServer(t, { slowClientLimits: limits, exports });
    const path = `/api/v2.1/calendar/earnings?output=ndjson&limit=${records}&token=${api.token}`;
    await stalled(t, port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await pass(0);
    await pass(100);
    assert.equal(server.protection.slowClients.cut, 0);
    // As long as records are read, the server holds itself up.
    await waitUntil(async () => {
      await pass(100);
      return server.protection.slowClients.cut === 1;
    });
    await waitUntil(() => server.protection.connections.open === 0);
  });

  test("but within the timeout reads its response to the end", async (t) => {
    const limits = { ...defaultProtection.slowClientLimits, graceMs: 100, bytesPerSecond: 1_000_000 };
    const { server, port, large, pass } = await protectedServer(t, { slowClientLimits: limits });
    const socket = await stalled(t, port, `${large}Connection: close\r\n\r\n`);
    let bytes = 0;
    socket.on("data", (piece) => {
      bytes += piece.length;
    });
    await pass(10_000);
    socket.resume();
    await new Promise((resolve) => socket.on("close", resolve));
    assert.ok(bytes > (records - 1) * notes.length);
    assert.equal(server.protection.slowClients.cut, 0);
  });

  test("to read a cached response gets all of it, even if it is replaced in the cache", async (t) => {
    const { api, port, large } = await protectedServer(t, {}, { cacheBytes: 8 * records * notes.length });
    const closing = `${large}Connection: close\r\n\r\n`;
    const bodyOf = (raw: string) => raw.slice(raw.indexOf("\r\n\r\n"));
    const fetchBody = async () => bodyOf(await client(port, closing).ended);
    const before = await fetchBody();
    await fetchBody();
    const slow = client(port, closing);
    await new Promise<void>((resolve) => slow.socket.once("data", () => resolve()));
    slow.socket.pause();
    await api.has("earnings", [{ id: "e0", date: "2024-11-05", notes: "replaced" }]);
    for (let time = 0; time < 3; time++) assert.match(await fetchBody(), /replaced/);
    slow.socket.resume();
    assert.ok(bodyOf(await slow.ended) === before);
  });

  test("is disconnected if unread responses take too much memory, longest-waiting first", async (t) => {
    const limits = { ...defaultProtection.slowClientLimits, bufferedBytes: 2 * records * notes.length };
    const { server, port, large } = await protectedServer(t, { slowClientLimits: limits });
    const sockets: Socket[] = [];
    for (let each = 0; each < 4; each++) sockets.push(await stalled(t, port, `${large}\r\n`));
    await waitUntil(() => server.protection.slowClients.cut > 0);
    await waitUntil(() => server.protection.connections.open === 4 - server.protection.slowClients.cut);
    assert.ok(server.protection.slowClients.cut < 4);
    // What the first has not read is lost; the last can still be read to its end.
    const [first, last] = [sockets[0] as Socket, sockets[3] as Socket];
    first.resume();
    await new Promise((resolve) => first.on("close", resolve));
    let bytes = 0;
    const whole = new Promise<void>((resolve) =>
      last.on("data", (piece) => {
        bytes += piece.length;
        if (bytes > (records - 1) * notes.length) resolve();
      }),
    );
    last.resume();
    await whole;
  });
});
