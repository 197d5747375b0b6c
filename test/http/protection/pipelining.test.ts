// A connection with too many requests in flight is closed, before the rest of them is parsed.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { respondToMalformed } from "../../../src/http/malformed-request.ts";
import { isRefused, limitPipelining } from "../../../src/http/protection/pipelining.ts";

const most = 16;

async function limited(t: TestContext) {
  const pipelining = limitPipelining(most);
  let parsed = 0;
  const server = createServer((request, response) => {
    parsed++;
    if (!pipelining.admit(request.socket)) return;
    response.on("close", () => pipelining.release(request.socket));
    setImmediate(() => isRefused(request.socket) || response.end("served"));
  });
  server.on("clientError", respondToMalformed);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    pipelining,
    parsed: () => parsed,
    /** Sends requests on one connection, so many at once, and returns how many were served before it was closed, and the last response. */
    send: async (count: number, atOnce: number): Promise<[served: number, last: string]> => {
      const socket = connect(port, "127.0.0.1");
      let received = "";
      let served = 0;
      const sendMore = () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(atOnce));
      socket.on("data", (bytes: Buffer) => {
        const before = served;
        received += bytes.toString("latin1");
        served = received.split("served").length - 1;
        if (served >= count) socket.destroy();
        else if (served > before && served % atOnce === 0) sendMore();
      });
      socket.on("error", () => {});
      sendMore();
      await new Promise((resolve) => socket.once("close", resolve));
      return [served, received.slice(received.lastIndexOf("HTTP/1.1"))];
    },
  };
}

describe("pipelined requests of a connection", () => {
  test("are served up to the limit, again and again", async (t) => {
    const { send, pipelining } = await limited(t);
    assert.equal((await send(20 * most, most))[0], 20 * most);
    assert.equal((await send(5 * most, 1))[0], 5 * most);
    assert.equal(pipelining.refused, 0);
  });

  test("close it beyond the limit, and the rest of what it sent isn't parsed", async (t) => {
    const { send, parsed, pipelining } = await limited(t);
    const [served, last] = await send(400, 400);
    assert.equal(served, 0);
    assert.match(last, /^HTTP\/1\.1 400 .*at most 16 requests without a response/s);
    assert.deepEqual([parsed(), pipelining.refused], [most + 1, 1]);
    assert.equal((await send(1, 1))[0], 1, "others are served");
  });
});
