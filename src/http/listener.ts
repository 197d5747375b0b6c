// The side of a server that faces its clients: its sockets, those for administration apart from the others, and protection.
import type { Server as HttpServer, IncomingMessage, RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { maxUrlLength } from "../core/query/query-string.ts";
import type { InFlight } from "./protection/in-flight.ts";
import { type Protection, type ProtectionLimits, protect } from "./protection/protection.ts";
import { type ListenAddress, listenOn, makeServer, resolved } from "./sockets.ts";

export type Ports = { readonly port: number; readonly adminPort: number | undefined };

export type Listener = {
  /** A server for the public that does not listen yet. */
  make(): HttpServer;
  readonly protection: Protection;
  /** Whether a request came by the port for administration. */
  isFromAdminPort(request: IncomingMessage): boolean;
  /** Listens for the public, and for administration on a port of its own where one is named. */
  listen(app: FastifyInstance, place: ListenAddress, admin?: ListenAddress): Promise<Ports>;
  /** Ends every connection, whatever it is doing. */
  cut(app: FastifyInstance): void;
  close(): Promise<void>;
};

export function openListener(
  limits: ProtectionLimits,
  inFlight: InFlight,
  ticks: () => number,
  handle: RequestListener,
): Listener {
  const protection = protect(limits, inFlight, ticks);
  // The line of a request may be as long as its address, and its headers as much again.
  const options = { maxHeaderSize: 2 * maxUrlLength, headerMs: limits.headerMs, sweepMs: limits.sweepMs };
  const others: HttpServer[] = [];
  const fromAdminPort = new WeakSet<IncomingMessage>();
  const make = (): HttpServer => {
    const server = makeServer(options, handle);
    protection.connections.count(server);
    return server;
  };
  // Never counted: whoever runs the service gets in when it is full.
  const makeInner = (): HttpServer =>
    makeServer(options, (request, response) => {
      fromAdminPort.add(request);
      handle(request, response);
    });
  return {
    make,
    protection,
    isFromAdminPort: (request) => fromAdminPort.has(request),
    listen: async (app, { host, port: wanted }, admin) => {
      const [first, ...more] = await resolved(host);
      await app.listen({ host: first, port: wanted });
      const { port } = app.server.address() as AddressInfo;
      others.push(...(await listenOn(more, port, make)));
      if (admin === undefined) return { port, adminPort: undefined };
      const [inner, ...further] = await resolved(admin.host);
      const server = makeInner();
      others.push(server);
      await listenOn([inner], admin.port, () => server, "must");
      const { port: adminPort } = server.address() as AddressInfo;
      others.push(...(await listenOn(further, adminPort, makeInner)));
      return { port, adminPort };
    },
    cut: ({ server }) => {
      for (const each of [server as HttpServer, ...others]) each.closeAllConnections();
    },
    close: async () => {
      protection.stop();
      await Promise.all(others.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
