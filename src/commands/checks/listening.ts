// Checks whether something listens on the server's address, and whether it is a ready Bellwire.
import { get } from "node:http";
import { json } from "node:stream/consumers";
import { type Finding, ok, warning } from "./finding.ts";

/** Long enough that an overloaded server is not mistaken for another program. */
const timeoutMs = 30_000;

export async function checkListening(host: string, port: string): Promise<Finding> {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  const address = `http://${name}:${port}`;
  try {
    const { status, database } = await fetchReadiness(address);
    return status === 200
      ? ok("server", `a server is running at ${address}; its database is ${database}`)
      : warning("server", `the server at ${address} responds with ${status}`, "see its log");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ECONNREFUSED"
      ? ok("server", `none is running at ${address}`)
      : warning(
          "server",
          `${address} is in use, but not by a Bellwire server that responds`,
          "choose another --port, or stop that program",
        );
  }
}

/** Not with fetch, which blocks the well-known ports of other protocols. */
function fetchReadiness(address: string): Promise<{ readonly status: number | undefined; readonly database: unknown }> {
  return new Promise((resolve, reject) => {
    const request = get(`${address}/readyz`, { agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      json(response).then(
        (body) => resolve({ status: response.statusCode, database: (body as { status?: unknown }).status }),
        reject,
      );
    });
    request.on("error", reject);
  });
}
