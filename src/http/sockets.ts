// Where requests come in: servers on Node's own sockets, all made alike, whatever address each listens on.
import { lookup } from "node:dns/promises";
import type { RequestListener, Server } from "node:http";
import { respondOnSocket, respondToMalformed } from "./malformed-request.ts";
import { createServer } from "./node-http.ts";
import { methodNotAllowed } from "./not-found.ts";

export type SocketOptions = {
  /** Of the request line and the headers together. */
  readonly maxHeaderSize: number;
  /** For the headers to arrive, from the beginning of a connection or of its first byte. */
  readonly headerMs: number;
  readonly sweepMs: number;
};

/** How long a connection is kept for another request. */
const keepAliveMs = 72_000;

/** A server that does not listen yet. */
export function makeServer({ maxHeaderSize, headerMs, sweepMs }: SocketOptions, handle: RequestListener): Server {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: headerMs,
    // Bodies have limits of their own.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: sweepMs,
    // Whoever is gone without a word is noticed.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    // A missing Host is refused later: Node.js would do it with no body and no id.
    requireHostHeader: false,
  });
  server.on("request", handle);
  server.on("clientError", respondToMalformed);
  // Left to Node.js, an unknown expectation gets an empty answer and CONNECT none at all.
  server.on("checkExpectation", handle);
  server.on("connect", (_request, socket) => {
    // Such a socket is let go by Node.js: nobody else would hear of its errors or close it.
    for (const event of ["error", "finish"]) socket.on(event, () => socket.destroy());
    respondOnSocket(socket, methodNotAllowed("CONNECT is not served."));
  });
  return server;
}

export type ListenAddress = { readonly host: string; readonly port: number };

/** The addresses of a host: `localhost` has two. */
export async function resolved(host: string): Promise<[string, ...string[]]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  const [first = host, ...others] = new Set(found.map(({ address }) => address));
  return [first, ...others];
}

/** A server for each address. What can't be listened on, as IPv6 where there is none, is left out unless it must be. */
export async function listenOn(
  addresses: readonly string[],
  port: number,
  make: () => Server,
  need?: "must",
): Promise<readonly Server[]> {
  const servers: Server[] = [];
  for (const host of addresses) {
    const server = make();
    try {
      await listening(server, { host, port });
      servers.push(server);
    } catch (error) {
      if (need === "must") throw error;
    }
  }
  return servers;
}

function listening(server: Server, place: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}
