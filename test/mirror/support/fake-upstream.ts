// A fake upstream: a server whose every response the test decides.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedRequest = {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
};

export type FakeUpstream = {
  readonly url: URL;
  /** All requests received so far. */
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
};

export type Handler = (request: ReceivedRequest, response: ServerResponse, count: number) => void | Promise<void>;

export async function fakeUpstream(handle: Handler): Promise<FakeUpstream> {
  const requests: ReceivedRequest[] = [];
  // No connection is closed while it is idle: a request that is sent at that moment would fail.
  const server: Server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const one = { path: url.pathname, query: url.searchParams, headers: request.headers };
    requests.push(one);
    void handle(one, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
