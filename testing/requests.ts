// What a server under test received, for assertions.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReceivedRequest } from "./types.ts";

export function recordRequest(request: IncomingMessage, response: ServerResponse): ReceivedRequest {
  const { method = "", url = "", headers } = request;
  // Not by URL, which throws for some of what clients send.
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const received = {
    ...{ method, url, path, query: new URLSearchParams(query), headers: { ...headers } },
    status: undefined as number | undefined,
  };
  // At the headers: a client may look before the response has been sent in full.
  const { writeHead } = response;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    received.status = args[0];
    return writeHead.apply(response, args);
  }) as typeof writeHead;
  return received;
}
