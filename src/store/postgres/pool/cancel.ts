// Asks a server to stop the statement that a connection waits for; the protocol wants a connection of its own for that.
import { connect } from "node:net";
import type pg from "pg";

/** Given up after this: the statement then runs on until the server's own limit. */
const patienceMs = 1000;

/** Resolves when the server has taken note, or does not answer; never fails. The connection must stay open until then. */
export function cancel(client: pg.Client): Promise<void> {
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
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on("error", () => {});
    socket.once("close", () => resolve());
    // The answer is the end of the connection.
    socket.resume().write(request);
  });
}
