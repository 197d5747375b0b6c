// Connection limits, over real sockets: an excess one is closed, and each one that ends makes room.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import fc from "fast-check";
import { networkOf } from "../../../src/core/access/client-network.ts";
import { type ConnectionLimits, limitConnections } from "../../../src/http/protection/connections.ts";
import "../../support/budget.ts";

async function counted(t: TestContext, limits: ConnectionLimits) {
  const connections = limitConnections(limits);
  // Without a timeout, idle connections stay open although the machine pauses.
  const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => response.end("served"));
  connections.track(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    connections,
    /** A connection that has sent one request; returns whether it was served. */
    request: async (): Promise<{ socket: Socket; served: boolean }> => {
      const socket = connect(port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => {});
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      const served = await new Promise<boolean>((resolve) => {
        socket.once("data", () => resolve(true));
        socket.once("close", () => resolve(false));
      });
      return { socket, served };
    },
  };
}

const leave = async (socket: Socket, isGone: () => boolean): Promise<void> => {
  socket.destroy();
  while (!isGone()) await new Promise((resolve) => setImmediate(resolve));
};

describe("connections", () => {
  test("of one address are rejected above their limit, and accepted again when one has closed", async (t) => {
    const { connections, request } = await counted(t, { total: 0, perAddress: 2 });
    const first = await request();
    assert.ok(first.served && (await request()).served);
    assert.equal((await request()).served, false);
    assert.deepEqual([connections.open, connections.refused], [2, 1]);
    await leave(first.socket, () => connections.open === 1);
    assert.ok((await request()).served);
  });

  test("of an address shared by many clients are not counted by address", async (t) => {
    const { request } = await counted(t, {
      total: 0,
      perAddress: 1,
      isShared: (address) => address.endsWith("127.0.0.1"),
    });
    for (let each = 0; each < 5; each++) assert.ok((await request()).served);
  });

  test("in total are rejected above their limit, and idle ones are closed to make room", async (t) => {
    const { connections, request } = await counted(t, { total: 2, perAddress: 0 });
    const open = [await request(), await request()];
    assert.deepEqual(
      open.map(({ served }) => served),
      [true, true],
    );
    assert.equal((await request()).served, false);
    await Promise.all(open.map(({ socket }) => socket.destroyed || once(socket, "close")));
    while (connections.open > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.ok((await request()).served);
  });

  test("are unlimited with 0, and the count is zero when all have closed", async (t) => {
    const { connections, request } = await counted(t, { total: 0, perAddress: 0 });
    const all = await Promise.all(Array.from({ length: 50 }, () => request()));
    assert.ok(all.every(({ served }) => served));
    assert.equal(connections.open, 50);
    for (const { socket } of all) socket.destroy();
    while (connections.open > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(connections.refused, 0);
  });
});

describe("the network of a client", () => {
  test("is its address for IPv4, on any kind of socket, and its first 64 bits for IPv6", () => {
    assert.equal(networkOf("192.0.2.7"), "192.0.2.7");
    assert.equal(networkOf("::ffff:192.0.2.7"), "192.0.2.7");
    assert.equal(networkOf("2001:db8:0:1::5"), "2001:db8:0:1::/64");
    assert.equal(networkOf("2001:DB8:0:1:ffff::1"), "2001:db8:0:1::/64");
    assert.equal(networkOf("2001:db8::1"), "2001:db8:0:0::/64");
    assert.equal(networkOf("::1"), "0:0:0:0::/64");
    assert.equal(networkOf("fe80::1%eth0"), "fe80:0:0:0::/64");
    assert.equal(networkOf(""), "");
  });

  test("is the same for all addresses with the same first half, and different for others", () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16));
    const half = fc.tuple(group, group, group, group).map((groups) => groups.join(":"));
    fc.assert(
      fc.property(half, half, half, (network, host, other) => {
        assert.equal(networkOf(`${network}:${host}`), networkOf(`${network}:${other}`));
        assert.equal(networkOf(`${network}:${host}`) === networkOf(`${other}:${host}`), network === other);
      }),
    );
  });
});
