// Bodies in transit: truncated, stalled, slow, too large, rejected early, and in flight during a shutdown.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, test } from "node:test";
import { setImmediate as nextIteration, setTimeout as pause } from "node:timers/promises";
import { resourceNamed } from "../../support/clients/api.ts";
import { type Listening, listening, read } from "../../support/clients/listening.ts";
import { waitUntil } from "../../support/wait-until.ts";

const ratings = resourceNamed("ratings");
const line = (id: string): string => `{"id":"${id}","date":"2024-11-05"}\n`;
const linesFrom = (first: number, count: number): string =>
  Array.from({ length: count }, (_, n) => line(`r${first + n}`)).join("");

/** The head of a POST of NDJSON; without a length the body is chunked. */
function head(key: string, length?: number, more = ""): string {
  const framing = length === undefined ? "transfer-encoding: chunked" : `content-length: ${length}`;
  return `POST /admin/v1/records/ratings HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/x-ndjson\r\n${framing}\r\n${more}\r\n`;
}

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

const storedCount = ({ store }: Listening) => store.count(ratings);

describe("a body in transit", () => {
  test("in any chunks has the same result as in one", () =>
    listening(async (service) => {
      const socket = await open(service.port);
      socket.write(head(await service.key({ scopes: ["write"] }), undefined, "connection: close\r\n"));
      const text = linesFrom(0, 40);
      for (let at = 0; at < text.length; at += 37) {
        socket.write(chunk(text.slice(at, at + 37)));
        if (at % 5 === 0) await pause(1);
      }
      socket.write("0\r\n\r\n");
      const { status, json } = await read(socket);
      assert.deepEqual([status, json.created, json.read], [200, 40, 40]);
    }));

  test("that is to be stored as a whole is rejected when others fill the memory for bodies", () =>
    listening(
      async (service) => {
        const key = await service.key({ scopes: ["write"] });
        const atomic = head(key, undefined, "connection: close\r\n").replace("/ratings", "/ratings?atomic=true");
        const first = await open(service.port);
        const arrived = once(service.server, "request") as Promise<[IncomingMessage]>;
        const sent = atomic + chunk(linesFrom(0, 300));
        first.write(sent);
        const [body] = await arrived;
        // Its key has to be found before it is read.
        const isTaken = () => body.readableDidRead && body.readableLength === 0;
        await waitUntil(() => body.socket.bytesRead >= sent.length && isTaken(), "the first has arrived");
        // Its records are read in slices, one in each iteration of the event loop.
        for (let n = 0; n < 1000; n++) await nextIteration();
        const second = await open(service.port);
        second.write(`${atomic}${chunk(linesFrom(1000, 2))}0\r\n\r\n`);
        const { status, json, headers } = await read(second);
        assert.deepEqual([status, json.code, headers["retry-after"]], [503, "server.busy", "1"]);
        // One that is stored as it arrives needs little memory at a time.
        const streamed = await open(service.port);
        streamed.write(`${head(key, undefined, "connection: close\r\n")}${chunk(linesFrom(2000, 300))}0\r\n\r\n`);
        assert.deepEqual((await read(streamed)).json.created, 300);
        first.write("0\r\n\r\n");
        assert.equal((await read(first)).json.created, 300);
        const after = await open(service.port);
        after.write(`${atomic}${chunk(linesFrom(3000, 2))}0\r\n\r\n`);
        assert.equal((await read(after)).status, 200);
      },
      undefined,
      { writeLimits: { memoryBytes: 100_000 } },
    ));

  test("when the connection is closed, only complete records received before are stored", () =>
    listening(async (service) => {
      const socket = await open(service.port);
      const length = 1_000_000;
      socket.write(head(await service.key({ scopes: ["write"] }), length));
      socket.write(linesFrom(0, 300));
      socket.write('{"id":"half","date":"2024-11-05"}');
      await waitUntil(async () => (await storedCount(service)) >= 200);
      socket.destroy();
      await waitUntil(async () => (await storedCount(service)) === 300);
      await waitUntil(async () => service.log.some((entry) => /"created":300,.*client disconnected/.test(entry)));
      assert.equal(await storedCount(service), 300);
      assert.ok(!service.log.some((entry) => /fault|"level":"error"/.test(entry)), service.log.join(""));
    }));

  test("when the connection is closed, nothing of an atomic one is stored", () =>
    listening(async (service) => {
      const socket = await open(service.port);
      const key = await service.key({ scopes: ["write"] });
      const request = once(service.server, "request") as Promise<[IncomingMessage]>;
      const sent = head(key, 1_000_000).replace("/ratings", "/ratings?atomic=true") + linesFrom(0, 300);
      socket.write(sent);
      const [arriving] = await request;
      await waitUntil(() => arriving.socket.bytesRead === sent.length);
      socket.destroy();
      await waitUntil(async () => service.log.some((entry) => entry.includes("client disconnected")));
      assert.equal(await storedCount(service), 0);
    }));

  test("when no data arrives, the client learns what was stored, and the connection is closed", () =>
    listening(
      async (service) => {
        const key = await service.key({ scopes: ["write"] });
        const some = await open(service.port);
        some.write(head(key, 100_000) + linesFrom(0, 3));
        const partly = await read(some);
        assert.deepEqual([partly.status, partly.json.created, partly.json.refused], [207, 3, 1]);
        assert.match(partly.json.refusals[0].reasons[0], /^no data arrived for 0\.2 seconds: nothing after the record/);
        const none = await open(service.port);
        none.write(head(key, 100_000));
        const nothing = await read(none);
        assert.deepEqual([nothing.status, nothing.json.code], [408, "request.timeout"]);
        assert.equal(nothing.json.detail, "Cannot read the body: no data arrived for 0.2 seconds.");
        const invalid = await open(service.port);
        invalid.write(`${head(key, 100_000)}{}\n`);
        const refused = await read(invalid);
        assert.deepEqual([refused.status, refused.json.code], [422, "records.refused"]);
        for (const { headers } of [partly, nothing, refused]) assert.equal(headers.connection, "close");
      },
      undefined,
      { writeLimits: { idleMs: 200 } },
    ));

  test("that is rejected before it has arrived leaves the connection usable for the next request", () =>
    listening(
      async (service) => {
        const key = await service.key({ scopes: ["write"] });
        const reader = await service.key();
        for (const [rejected, status] of [
          [head("bw_nobody", 300_000), 401],
          [head(reader, 300_000), 403],
          [head(key, 300_000).replace("x-ndjson", "pdf"), 415],
          [head(key, 300_000), 413],
        ] as const) {
          const socket = await open(service.port);
          const responses = read(socket);
          socket.write(rejected);
          // The whole body arrives anyway, as from a client that reads only after it has written.
          for (let part = 0; part < 30; part++) socket.write(linesFrom(0, 300).slice(0, 10_000));
          socket.write("GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
          const { status: first, text } = await responses;
          assert.equal(first, status);
          assert.match(text, /HTTP\/1\.1 200 OK/, `${status}`);
        }
        assert.equal(await storedCount(service), 0);
      },
      undefined,
      { writeLimits: { bytes: 200_000 } },
    ));

  test("that turns out to be too large gets its response while it is still arriving, and the connection stays open", () =>
    listening(
      async (service) => {
        const socket = await open(service.port);
        const responses = read(socket);
        socket.write(head(await service.key({ scopes: ["write"] })));
        for (let part = 0; part < 100; part++) socket.write(chunk(linesFrom(part * 100, 100)));
        socket.write("0\r\n\r\nGET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        const { status, text } = await responses;
        assert.equal(status, 413);
        const { report } = JSON.parse(text.split("HTTP/1.1")[0] ?? "");
        assert.equal(report.created, await storedCount(service));
        assert.ok(report.created > 100 && report.created < 10_000);
        assert.match(text, /HTTP\/1\.1 200 OK/);
      },
      undefined,
      { writeLimits: { bytes: 20_000 } },
    ));

  test("is requested with 100 Continue as soon as possible", () =>
    listening(async (service) => {
      const socket = await open(service.port);
      const body = linesFrom(0, 2);
      socket.write(
        head(await service.key({ scopes: ["write"] }), body.length, "expect: 100-continue\r\nconnection: close\r\n"),
      );
      const [first] = (await once(socket, "data")) as [Buffer];
      assert.match(String(first), /^HTTP\/1\.1 100 Continue/);
      socket.write(body);
      assert.equal((await read(socket)).json.created, 2);
    }));
});

describe("a server that is stopping", () => {
  test("completes in-flight bodies, and accepts no new ones", () =>
    listening(async (service) => {
      const key = await service.key({ scopes: ["write"] });
      const socket = await open(service.port);
      socket.write(head(key, undefined, "connection: close\r\n") + chunk(linesFrom(0, 250)));
      await waitUntil(async () => (await storedCount(service)) >= 200);
      service.drain();
      const late = await service.send(head(key, 0));
      assert.deepEqual([late.status, late.headers["retry-after"]], [503, "5"]);
      socket.write(`${chunk(linesFrom(250, 50))}0\r\n\r\n`);
      const { status, json } = await read(socket);
      assert.deepEqual([status, json.created], [200, 300]);
    }));
});
