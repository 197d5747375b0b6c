// Opens the public port and, if configured, a separate admin port.
import type { Server as HttpServer, IncomingMessage, RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { maxUrlLength } from "../core/query/query-string.ts";
import type { InFlight } from "./protection/in-flight.ts";
import { type Protection, type ProtectionLimits, protect } from "./protection/protection.ts";
import { httpServer, type ListenAddress, listenOn, resolveHost } from "./sockets.ts";

export type Ports = { readonly port: number; readonly adminPort: number | undefined };

export type Listener = {
  /** A public server that doesn't listen yet. */
  newServer(): HttpServer;
  readonly protection: Protection;
  /** Whether a request came in on the admin port. */
  isFromAdminPort(request: IncomingMessage): boolean;
  listen(app: FastifyInstance, address: ListenAddress, admin?: ListenAddress): Promise<Ports>;
  /** Closes every connection, busy or idle. */
  closeConnections(app: FastifyInstance): void;
  close(): Promise<void>;
};

export function openListener(
  limits: ProtectionLimits,
  inFlight: InFlight,
  ticks: () => number,
  handle: RequestListener,
): Listener {
  const protection = protect(limits, inFlight, ticks);
  // Room for the longest URL, and as much again for the headers.
  const options = { maxHeaderSize: 2 * maxUrlLength, headerMs: limits.headerMs, sweepMs: limits.sweepMs };
  const extraServers: HttpServer[] = [];
  const fromAdminPort = new WeakSet<IncomingMessage>();
  const make = (): HttpServer => {
    const server = httpServer(options, handle);
    protection.connections.track(server);
    return server;
  };
  // Not counted against connection limits: operators get in even when the server is full.
  const newAdminServer = (): HttpServer =>
    httpServer(options, (request, response) => {
      fromAdminPort.add(request);
      handle(request, response);
    });
  return {
    newServer: make,
    protection,
    isFromAdminPort: (request) => fromAdminPort.has(request),
    listen: async (app, { host, port: requestedPort }, admin) => {
      const [first, ...more] = await resolveHost(host);
      await app.listen({ host: first, port: requestedPort });
      const { port } = app.server.address() as AddressInfo;
      extraServers.push(...(await listenOn(more, port, make)));
      if (admin === undefined) return { port, adminPort: undefined };
      const [adminHost, ...moreAdmin] = await resolveHost(admin.host);
      const server = newAdminServer();
      extraServers.push(server);
      await listenOn([adminHost], admin.port, () => server, "required");
      const { port: adminPort } = server.address() as AddressInfo;
      extraServers.push(...(await listenOn(moreAdmin, adminPort, newAdminServer)));
      return { port, adminPort };
    },
    closeConnections: ({ server }) => {
      for (const each of [server as HttpServer, ...extraServers]) each.closeAllConnections();
    },
    close: async () => {
      protection.stop();
      await Promise.all(extraServers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
