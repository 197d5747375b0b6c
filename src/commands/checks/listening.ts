// Whether something listens where the server would, and whether that is a server that is ready.
import { get } from "node:http";
import { json } from "node:stream/consumers";
import { type Finding, fine, warning } from "./finding.ts";

/** A server on a machine with too much to do is not taken for another program. */
const patienceMs = 30_000;

export async function checkListening(host: string, port: string): Promise<Finding> {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  const address = `http://${name}:${port}`;
  try {
    const { status, told } = await readiness(address);
    return status === 200
      ? fine("server", `one answers at ${address}, and its database is ${told}`)
      : warning("server", `one answers at ${address} with ${status}`, "see its log");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ECONNREFUSED"
      ? fine("server", `none runs at ${address}`)
      : warning("server", `what listens at ${address} is no Bellwire that answers`, "choose another --port, or end it");
  }
}

/** Not by fetch, which takes some ports for those of other protocols. */
function readiness(address: string): Promise<{ readonly status: number | undefined; readonly told: unknown }> {
  return new Promise((resolve, reject) => {
    const request = get(`${address}/readyz`, { agent: false, signal: AbortSignal.timeout(patienceMs) }, (answer) => {
      json(answer).then(
        (body) => resolve({ status: answer.statusCode, told: (body as { status?: unknown }).status }),
        reject,
      );
    });
    request.on("error", reject);
  });
}
