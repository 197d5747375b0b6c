// Creates Node's HTTP servers and binds them to addresses.
import { lookup } from "node:dns/promises";
import type { RequestListener, Server } from "node:http";
import { respondOnSocket, respondToMalformed } from "./malformed-request.ts";
import { createServer } from "./node-http.ts";
import { methodNotAllowed } from "./not-found.ts";
import { isWebSocketRequest, upgradeListener } from "./websocket/upgrade.ts";

type SocketOptions = {
  /** Of request line and headers together. */
  readonly maxHeaderSize: number;
  /** Time for the headers to arrive, from the start of the connection or from their first byte. */
  readonly headerMs: number;
  readonly sweepMs: number;
};

const keepAliveMs = 72_000;

/** A server that doesn't listen yet. */
export function httpServer({ maxHeaderSize, headerMs, sweepMs }: SocketOptions, handle: RequestListener): Server {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: headerMs,
    // Bodies have separate limits.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: sweepMs,
    // Detects clients that vanish without closing.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    // The middleware rejects a missing Host: Node would do it without body and request ID.
    requireHostHeader: false,
    // Other protocols are not switched to: such a request is served like one without the header.
    shouldUpgradeCallback: isWebSocketRequest,
  });
  server.on("request", handle);
  server.on("upgrade", upgradeListener(handle));
  server.on("clientError", respondToMalformed);
  // By default, Node sends an empty response to an unknown expectation, and none to CONNECT.
  server.on("checkExpectation", handle);
  server.on("connect", (_request, socket) => {
    // Node detaches such a socket: nothing else handles its errors or closes it.
    for (const event of ["error", "finish"]) socket.on(event, () => socket.destroy());
    respondOnSocket(socket, methodNotAllowed("CONNECT is not served."));
  });
  return server;
}

export type ListenAddress = { readonly host: string; readonly port: number };

/** All addresses of a host: `localhost` has two. */
export async function resolveHost(host: string): Promise<[string, ...string[]]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  const [first = host, ...others] = new Set(found.map(({ address }) => address));
  return [first, ...others];
}

/** A server per address. Unless required, addresses that can't be bound, such as IPv6 where there is none, are skipped. */
export async function listenOn(
  addresses: readonly string[],
  port: number,
  make: () => Server,
  need?: "required",
): Promise<readonly Server[]> {
  const servers: Server[] = [];
  for (const host of addresses) {
    const server = make();
    try {
      await listening(server, { host, port });
      servers.push(server);
    } catch (error) {
      if (need === "required") throw error;
    }
  }
  return servers;
}

function listening(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}
