// Graceful shutdown: in-flight responses complete, new requests are rejected with Retry-After, over real sockets.
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { createLog } from "../../src/http/observe/log.ts";
import { buildServer } from "../../src/http/server.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { startApi } from "../support/clients/api.ts";

/** A listening server that holds responses until they are released. */
async function heldServer(t: TestContext) {
  const api = await startApi();
  await api.has("news", [{ id: 1, title: "held" }]);
  let release = () => {};
  let markArrived = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    markArrived = resolve;
  });
  const { app, drain } = await buildServer({
    catalog,
    store: {
      ...api.store,
      state: async () => {
        markArrived();
        await held;
        return api.store.state();
      },
    },
    log: createLog("silent"),
    openapi: {},
    now: () => api.clock.now,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  t.after(async () => {
    release();
    app.server.closeAllConnections();
    await app.close();
    await api.close();
  });
  return { token: api.token, port, arrived, release, drain, close: () => app.close() };
}

/** A connection that collects what it receives. */
function client(port: number) {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(text)));
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    text += piece;
  });
  return {
    closed,
    send: (path: string, method = "GET") => socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    until: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const look = () => pattern.test(text) && resolve(text);
        socket.on("data", look);
        look();
      }),
    end: () => socket.end(),
    leave: () => socket.destroy(),
  };
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));

describe("a server that is stopping", () => {
  test("completes in-flight requests; later ones on the same connection get a 503 with Retry-After", async (t) => {
    const server = await heldServer(t);
    const { send, closed } = client(server.port);
    send(`/api/v2/news?token=${server.token}`);
    await server.arrived;
    const drained = server.drain();
    send(`/api/v2/news?token=${server.token}`);
    server.release();
    const text = await closed;
    assert.deepEqual(statuses(text), [200, 503]);
    const [first = "", second = ""] = text.split(/(?=HTTP\/1\.1 503)/);
    assert.match(first, /"title":"held"/);
    assert.match(second, /^retry-after: [1-9]\d*\r$/im);
    assert.match(second, /^connection: close\r$/im);
    assert.match(second, /^x-request-id: \S+\r$/im);
    assert.match(second, /"code":"server.unavailable"/);
    await drained;
    await server.close();
  });

  test("rejects new connections the same way for as long as it has to wait", async (t) => {
    const server = await heldServer(t);
    const first = client(server.port);
    first.send(`/api/v2/news?token=${server.token}`);
    await server.arrived;
    let done = false;
    const drained = server.drain().then(() => {
      done = true;
    });
    const second = client(server.port);
    second.send("/api/v2.1/calendar/ratings");
    const text = await second.closed;
    assert.deepEqual(statuses(text), [503]);
    assert.match(text, /^retry-after: \d+\r$/im);
    assert.equal(done, false, "the first request is still under way");
    server.release();
    await first.until(/"title":"held"/);
    await drained;
    await server.close();
    await first.closed;
  });

  test("completes immediately when no request is in flight, with or without idle connections", async (t) => {
    const server = await heldServer(t);
    server.release();
    const idle = client(server.port);
    idle.send(`/api/v2/news?token=${server.token}`);
    await idle.until(/"title":"held"/);
    await server.drain();
    await server.close();
    assert.deepEqual(statuses(await idle.closed), [200]);
  });

  test("doesn't wait for a client that has disconnected", async (t) => {
    const server = await heldServer(t);
    const gone = client(server.port);
    gone.send(`/api/v2/news?token=${server.token}`);
    await server.arrived;
    const drained = server.drain();
    gone.leave();
    await drained;
  });
});

describe("HEAD on a socket", () => {
  test("sends no byte of a body, for successes and problems alike, but its length", async (t) => {
    const server = await heldServer(t);
    server.release();
    for (const path of [`/api/v2/news?token=${server.token}`, "/api/v2/news", "/nowhere", "/docs/problems", "/livez"]) {
      const { send, until, end, closed } = client(server.port);
      send(path, "HEAD");
      await until(/\r\n\r\n/);
      // Stray bytes would corrupt a second request on the connection.
      send("/livez");
      await until(/\{"status":"ok"\}$/);
      end();
      const [head = "", rest = ""] = (await closed).split("\r\n\r\n");
      assert.match(head, /^content-length: [1-9]\d*$/im, path);
      assert.match(rest, /^HTTP\/1\.1 200 OK/, path);
    }
    await server.close();
  });
});
