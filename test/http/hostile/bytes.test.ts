// Raw bytes over a socket: anything gets well-formed HTTP back, and the server keeps serving.
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer, type Server } from "../../../src/http/server.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { type Api, startApi } from "../../support/clients/api.ts";
import { assertProblem, type Headed, RawClient } from "./hostile-client.ts";

let api: Api;
let server: Server;
let port: number;
const log: string[] = [];

before(async () => {
  api = await startApi();
  for (const { name } of catalog) await api.has(name, [{ id: name === "news" ? 1 : "1" }]);
  server = await buildServer({
    catalog,
    store: api.store,
    log: createLog("info", { write: (line) => log.push(line) }),
    openapi: {},
  });
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
after(async () => {
  await server.app.close();
  await api.close();
  assert.deepEqual(
    log.filter((line) => /"level":"(error|fatal)"/.test(line)),
    [],
  );
});

const latin1 = (text: string) => Buffer.from(text, "latin1");
const authorized = () => `Host: test\r\nAuthorization: Bearer ${api.token}\r\n`;

/** Everything received on a new connection until the server closes it. */
async function exchange(bytes: Uint8Array | string): Promise<Headed[]> {
  const client = new RawClient(port);
  const found: Headed[] = [];
  client.send(bytes);
  for (let next = await client.response(); next !== undefined; next = await client.response()) found.push(next);
  client.close();
  return found;
}

function assertSound(found: Headed | undefined, what: string): void {
  assert.ok(found !== undefined, `${what}: no response`);
  if (found.status === 200) assert.doesNotThrow(() => JSON.parse(found.text), what);
  else if (found.status !== 304) assertProblem(found, what);
}

async function assertHealthy(): Promise<void> {
  const [found] = await exchange(`GET /api/v2/news HTTP/1.1\r\n${authorized()}Connection: close\r\n\r\n`);
  assert.equal(found?.status, 200);
  assert.equal(JSON.parse(found?.text ?? "").length, 1);
}

describe("hostile bytes", () => {
  const names = catalog.flatMap((resource) =>
    resource.rules.flatMap((rule) => Object.values(rule.parameters).flatMap((input) => [...input.names])),
  );
  const escaped = fc
    .uint8Array({ maxLength: 24 })
    .map((bytes) => bytes.reduce((text, byte) => `${text}%${byte.toString(16).padStart(2, "0")}`, ""));
  const visible = fc.string({ unit: fc.constantFrom(..."abz019,:;*+-_.~!$'()[]{}|^`\"<>\\/?@=&%#"), maxLength: 40 });
  const pair = fc
    .tuple(fc.oneof(fc.constantFrom(...names), visible), fc.oneof(escaped, visible))
    .map((both) => both.join("="));
  const line = fc.oneof(
    fc.array(pair, { maxLength: 8 }).map((pairs) => latin1(pairs.join("&"))),
    // A line feed or a carriage return would end the line: these are sent below, on separate connections.
    fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13))),
  );
  const path = fc.constantFrom(...catalog.map((resource) => resource.path));
  const tag = fc.constantFrom("", "If-None-Match: *\r\n");

  test("any bytes as a query get one valid response, on a connection that stays open", async () => {
    let client = new RawClient(port);
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(path, line, tag, async (to, bytes, extra) => {
        client.send(Buffer.concat([latin1(`GET ${to}?`), bytes, latin1(` HTTP/1.1\r\n${authorized()}${extra}\r\n`)]));
        const found = await client.response();
        assertSound(found, `${to}?${bytes.toString("latin1")}`);
        seen.set(found?.status ?? 0, (seen.get(found?.status ?? 0) ?? 0) + 1);
        if (found?.headers.connection !== "close") return;
        assert.equal(await client.response(), undefined, "one request got two responses");
        client.close();
        client = new RawClient(port);
      }),
      { numRuns: runs(800, 4000) },
    );
    client.close();
    // The test is meaningful only if many of the requests reach the data.
    for (const status of [200, 304, 400])
      assert.ok((seen.get(status) ?? 0) > runs(20, 100), `${status}: ${seen.get(status)}`);
    await assertHealthy();
  });

  test("any bytes at all get valid responses or none, and leave the server intact", async () => {
    const start = fc.constantFrom(
      "",
      "GET ",
      "GET / HTTP/1.1\r\n",
      "GET /api/v2/news?",
      "POST /livez HTTP/1.1\r\nHost: a\r\n",
    );
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ minLength: 1, maxLength: 300 }), async (begin, bytes) => {
        const end = `\r\nHost: test\r\nConnection: close\r\n\r\n\0\r\n\r\n`;
        for (const found of await exchange(Buffer.concat([latin1(begin), bytes, latin1(end)]))) {
          assertSound(found, `${begin}${Buffer.from(bytes).toString("latin1")}`);
        }
      }),
      { numRuns: runs(60, 400) },
    );
    await assertHealthy();
  });

  const close = "Connection: close\r\n";
  const broken: Record<string, [request: () => string, status: number]> = {
    "a method that is none": [() => `FROBNICATE / HTTP/1.1\r\n${authorized()}\r\n`, 400],
    "a method in small letters": [() => `get /api/v2/news HTTP/1.1\r\n${authorized()}\r\n`, 400],
    "a version that is none": [() => `GET /api/v2/news HTTP/9.9\r\n${authorized()}\r\n`, 400],
    "the opening of HTTP/2": [() => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    "the opening of TLS": [() => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    "a path without a slash": [() => `GET api/v2/news HTTP/1.1\r\n${authorized()}\r\n`, 400],
    "a blank in the address": [() => `GET /api/v2/news?authors=a b HTTP/1.1\r\n${authorized()}\r\n`, 400],
    "raw bytes above ASCII in the address": [
      () => `GET /api/v2/news?authors=\xe9 HTTP/1.1\r\n${authorized()}\r\n`,
      400,
    ],
    "NUL in a header": [() => `GET /api/v2/news HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n`, 400],
    "a header over two lines": [() => `GET /api/v2/news HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n`, 400],
    "lines that end in a line feed alone": [() => "GET /livez HTTP/1.1\nHost: a\n\n", 400],
    "no Host": [() => `GET /livez HTTP/1.1\r\n${close}\r\n`, 400],
    "two Hosts": [() => `GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}\r\n`, 400],
    "two lengths": [() => `GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    "a length below zero": [() => "GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400],
    "a length and chunks": [
      () => "POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    CONNECT: [() => "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 405],
    "an asterisk for a path": [() => `GET * HTTP/1.1\r\n${authorized()}${close}\r\n`, 404],
    "an asterisk before a path": [() => `GET *api/v2/news HTTP/1.1\r\n${authorized()}${close}\r\n`, 404],
    "another scheme": [() => `GET ftp://a/api/v2/news HTTP/1.1\r\n${authorized()}${close}\r\n`, 404],
    "another method for a whole address": [
      () => `POST http://a/api/v2/news HTTP/1.1\r\n${authorized()}${close}\r\n`,
      405,
    ],
    "an address of 17,000 bytes": [() => `GET /?${"a".repeat(17_000)} HTTP/1.1\r\n${authorized()}${close}\r\n`, 414],
    "a header of 40,000 bytes": [() => `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(40_000)}\r\n\r\n`, 431],
    "20,000 headers": [() => `GET / HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(20_000)}\r\n`, 431],
  };
  for (const [what, [request, status]] of Object.entries(broken)) {
    test(`${what} gets one problem document: ${status}`, async () => {
      const found = await exchange(latin1(request()));
      assert.deepEqual(
        found.map((response) => assertProblem(response, what).status),
        [status],
      );
      await assertHealthy();
    });
  }

  const chunks = "Transfer-Encoding: chunked\r\n\r\n1f\r\nGET /none HTTP/1.1\r\nHost: a\r\n\r\n\r\n0\r\n\r\n";

  test("absolute URLs, expectations, upgrades, and bodies don't affect a valid request", async () => {
    const requests = [
      `GET http://other.example/api/v2/news HTTP/1.1\r\n${authorized()}${close}\r\n`,
      `GET //api//v2/news/ HTTP/1.0\r\nAuthorization: Bearer ${api.token}\r\n\r\n`,
      `GET /api/v2/news HTTP/1.1\r\n${authorized()}Expect: 100-continue\r\n${close}\r\n`,
      `GET /api/v2/news HTTP/1.1\r\n${authorized()}Expect: the-unexpected\r\n${close}\r\n`,
      `GET /api/v2/news HTTP/1.1\r\n${authorized()}Upgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n`,
      `GET /api/v2/news HTTP/1.1\r\n${authorized()}Content-Type: application/json\r\nContent-Length: 5\r\n${close}\r\n{"a":`,
      `GET /api/v2/news HTTP/1.1\r\n${authorized()}${close}${chunks}`,
    ];
    for (const request of requests) {
      const found = await exchange(request);
      assert.deepEqual(
        found.map(({ status, text }) => [status, text.startsWith('[{"author"')]),
        [[200, true]],
        request,
      );
    }
  });

  test("pipelined requests get responses in order, and bodies between them are skipped", async () => {
    const ids = Array.from({ length: 16 }, (_, index) => `ask-${index}`);
    const body = "Content-Length: 38\r\n\r\nGET /none HTTP/1.1\r\nHost: smuggled\r\n\r\n";
    const requests = ids.map((id, index) => {
      const to = index % 3 === 0 ? "/api/v2/news?pageSize=x" : "/api/v2/news?pageSize=1";
      const last = index === ids.length - 1 ? close : "";
      return `GET ${to} HTTP/1.1\r\n${authorized()}X-Request-Id: ${id}\r\n${last}${[body, chunks][index % 5] ?? "\r\n"}`;
    });
    const found = await exchange(requests.join(""));
    assert.deepEqual(
      found.map(({ status, headers }) => [status, headers["x-request-id"]]),
      ids.map((id, index) => [index % 3 === 0 ? 400 : 200, id]),
    );
  });

  test("a client that disconnects at any point leaves the server intact", async () => {
    const request = `GET /api/v2/news?displayOutput=full HTTP/1.1\r\n${authorized()}\r\n`;
    for (const whole of [request, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "\0", request.repeat(20)]) {
      for (let cut = 1; cut <= whole.length; cut += Math.ceil(whole.length / 12)) {
        const client = new RawClient(port);
        client.send(whole.slice(0, cut));
        await new Promise((resolve) => setImmediate(resolve));
        client.close();
      }
    }
    await assertHealthy();
  });
});
