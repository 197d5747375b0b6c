// What a receiver can't do: lead to another address, respond forever, or never.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { describe, test as nodeTest, type TestContext } from "node:test";
import { Sender, sendOptions } from "../../src/webhooks/send.ts";
import { waitUntil } from "../support/wait-until.ts";
import { localSending, whileDelivering } from "./support/delivering.ts";
import { startReceiver } from "./support/receiver.ts";

const message = { headers: { "webhook-id": "msg_1" }, body: "{}" };

whileDelivering("targets", (test) => {
  test(
    "with a private address get no request, by number or by name, unless a setting allows it",
    async ({ api, receiver, create, request, show }) => {
      for (const host of ["127.0.0.1", "localhost"]) {
        const { id } = await create({ url: `http://${host}:${receiver.port}/` });
        await api.has("ratings", [{ id: host }]);
        await waitUntil(async () => (await show(id)).held > 0);
        const { deliveries } = (await request("GET", `/${id}/deliveries`)).json;
        assert.deepEqual(
          [deliveries[0].status, deliveries[0].response],
          [null, `${host} ${host === "localhost" ? "has" : "is"} a private address, outside of --webhook-networks`],
        );
      }
      assert.deepEqual(receiver.received, []);
    },
    { send: sendOptions("test", []) },
  );

  test("that redirect have failed", async ({ api, receiver, create, show, request }) => {
    receiver.respond(() => ({ status: 307, headers: { location: "/elsewhere" } }));
    const { id } = await create();
    await api.has("ratings", [{ id: "a" }]);
    await waitUntil(async () => (await show(id)).held === 1);
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ["/hooks"],
    );
    assert.equal((await request("GET", `/${id}/deliveries`)).json.deliveries[0].status, 307);
  });
});

/** A sender and a server, closed after the test. */
async function senderTo(t: TestContext, server: Server): Promise<{ sender: Sender; url: URL }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sender = new Sender(localSending);
  t.after(() => {
    sender.close();
    server.close();
  });
  return { sender, url: new URL(`http://127.0.0.1:${port}`) };
}

describe("an attempt", () => {
  nodeTest("ends when the receiver doesn't respond in time", async () => {
    const receiver = await startReceiver();
    receiver.respond(() => new Promise(() => {}));
    const sender = new Sender({ ...localSending, timeoutMs: 50 });
    const { status, response } = await sender.send(new URL(receiver.url), message);
    assert.deepEqual([status, response], [null, "no response within 0.05 s"]);
    sender.close();
    await receiver.close();
  });

  nodeTest("ends when the receiver switches to another protocol", async (t) => {
    const server = createTcpServer((socket) => {
      socket.once("data", () =>
        socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n"),
      );
    });
    const { sender, url } = await senderTo(t, server);
    const { status, response } = await sender.send(url, message);
    assert.deepEqual([status, response], [null, "no HTTP response"]);
  });

  nodeTest("reads the beginning of a response only, without control characters or secrets", async (t) => {
    const server = createServer((_request, response) => {
      response.writeHead(200);
      response.write("\u001b[31m bw_0123456789abcdef whsec_c2VjcmV0c2VjcmV0 ");
      // Never ends.
      const more = setInterval(() => response.write("x".repeat(1000)), 1);
      response.once("close", () => clearInterval(more));
    });
    const { sender, url } = await senderTo(t, server);
    const { status, response } = await sender.send(url, message);
    assert.equal(status, 200);
    assert.match(response, /^\[31m bw_… whsec_… x+$/);
    assert.equal(response.length, 500);
  });

  nodeTest("is made again if the receiver closed an idle connection at that moment", async () => {
    const receiver = await startReceiver();
    const sender = new Sender(localSending);
    let connections = 0;
    const send = () => sender.send(new URL(receiver.url), message);
    assert.equal((await send()).status, 204);
    receiver.respond(() => (++connections === 1 ? undefined : { status: 200 }));
    assert.equal((await send()).status, 200);
    sender.close();
    await receiver.close();
  });
});
