// Requests for a WebSocket pass through the same handler as all others: until the handshake, they have a response too.
import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ServerResponse } from "../node-http.ts";

const upgrades = new WeakSet<IncomingMessage>();

/** Whether the client waits for the handshake of a WebSocket. */
export const isUpgrade = (request: IncomingMessage): boolean => upgrades.has(request);

/** Requests with a body are served without the upgrade: the body would be taken for frames. */
export const isWebSocketRequest = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  headers.upgrade?.toLowerCase() === "websocket" &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined;

export function upgradeListener(handle: RequestListener) {
  return (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    const socket = connection as Socket;
    // Node detaches such a socket: nothing else handles its errors.
    socket.on("error", () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // The client sent this request before it had the response to the one before.
      socket.destroy();
      return;
    }
    response.once("finish", () => socket.destroySoon());
    if (head.length > 0) socket.unshift(head);
    upgrades.add(request);
    handle(request, response);
  };
}
