// The handshake of a WebSocket. The library is loaded with the first one.
import type { WebSocket, WebSocketServer } from "ws";
import { problem } from "../../core/problem.ts";
import type { Exchange } from "../exchange.ts";
import { ProblemError } from "../response/problem-error.ts";

/** Clients only send short commands. */
const maxMessageBytes = 4096;

/** How long a client may take to confirm that the connection is closed. */
const closeMs = 5000;

let loaded: Promise<WebSocketServer> | undefined;

async function load(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A compression context takes more memory per client than everything else.
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    closeTimeout: closeMs,
  } as ConstructorParameters<typeof WebSocketServer>[0]);
}

/** Undefined if the client has left; throws a ProblemError if it sent an invalid handshake. */
export async function acceptWebSocket(exchange: Exchange, headers: readonly string[]): Promise<WebSocket | undefined> {
  const { request } = exchange;
  loaded ??= load();
  const server = await loaded;
  let accepted: WebSocket | undefined;
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure = error;
  };
  const addHeaders = (lines: string[]): void => {
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  };
  server.once("wsClientError", fail).once("headers", addHeaders);
  server.handleUpgrade(request, request.socket, Buffer.alloc(0), (socket) => {
    accepted = socket;
  });
  server.off("wsClientError", fail).off("headers", addHeaders);
  if (failure !== undefined) {
    const versions = { headers: { "sec-websocket-version": "13, 8" } };
    throw new ProblemError(problem("request.malformed", `Invalid WebSocket handshake: ${failure.message}.`, versions));
  }
  exchange.isUpgraded = accepted !== undefined;
  return accepted;
}
