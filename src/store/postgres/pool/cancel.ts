// PostgreSQL's cancel request, which the protocol sends over a separate connection.
import { connect } from "node:net";
import type pg from "pg";

/** After this the statement is left to the server's own timeout. */
const timeoutMs = 1000;

/** Never rejects. Keep the client's connection open until this resolves. */
export function cancelStatement(client: pg.Client): Promise<void> {
  const { processID, secretKey } = client as unknown as { processID: number | null; secretKey: number | null };
  if (processID === null || secretKey === null) return Promise.resolve();
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt16BE(1234, 4);
  request.writeInt16BE(5678, 6);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const { host, port } = client;
    const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    // If the event loop was blocked, a connection may just have been established: the request is sent first.
    socket.setTimeout(timeoutMs, () => setImmediate(() => socket.destroy()));
    socket.on("error", () => {});
    socket.once("close", () => resolve());
    // The server acknowledges by closing the connection.
    socket.resume().write(request);
  });
}
