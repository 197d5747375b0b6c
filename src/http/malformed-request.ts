// Responds to invalid HTTP directly on the socket, with a problem document like any other.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Problem, problem } from "../core/problem.ts";
import { STATUS_CODES } from "./node-http.ts";
import { requestId } from "./request/request-id.ts";
import { problemResponse } from "./response/problem.ts";

/** HTTP/1.1 requires exactly one (RFC 9112, section 3.2). */
export function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** Clients that build URLs by hand send UTF-8 as it is. */
const unencoded =
  "The URL contains a character that must be percent-encoded as UTF-8: é, for example, is sent as %C3%A9, and a space as %20.";

/** The code of Node's error when a callback has stopped the parser, after a response. */
const stoppedParser = "HPE_CB_HEADERS_COMPLETE";

export function respondToMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === stoppedParser) return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "request.headers"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request.timeout"
        : "request.malformed";
  respondOnSocket(socket, problem(code, error.code === "HPE_INVALID_URL" ? unencoded : undefined));
}

/** Closing at once, with bytes of the client unread, would reset the connection before the client reads the response. */
const lingerMs = 1000;

/** Responds and closes the connection, even if the client never closes its end. */
export function respondOnSocket(socket: Duplex, failure: Problem): void {
  const { status, headers, body } = problemResponse(failure, requestId(), undefined);
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(lingering));
}
