// The response to a request of a client.
import type { ClientRequest, IncomingMessage } from "node:http";

/** Rejects if there is none, also if the server switches protocols, which Node ends without an error. */
export const responseTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request
      .once("response", resolve)
      .once("error", reject)
      .once("close", () => reject(Object.assign(new Error("no HTTP response"), { code: "EPROTO" })));
  });
