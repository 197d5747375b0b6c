// A proxy in front of a real server that breaks one thing.
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";

export type ProxiedRequest = {
  method: string;
  path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly socket: Socket;
};

export type ProxiedResponse = { status: number; readonly headers: Record<string, string>; body: string };

export type Mutant = {
  readonly name: string;
  /** The list that is checked. */
  readonly list: string;
  /** The check that finds it. */
  readonly check: string;
  /** Changes the request before it is forwarded. */
  readonly request?: (request: ProxiedRequest) => unknown;
  /** Changes the response; `request` is as it was received. */
  readonly response?: (response: ProxiedResponse, request: ProxiedRequest) => void;
};

export type BrokenServer = { readonly url: string; mutant: Mutant | undefined; close(): void };

export async function breakServer(upstream: string): Promise<BrokenServer> {
  // Without the limit, which could close a connection that a client is just using again.
  const server = createServer({ keepAliveTimeout: 0 }, async (incoming, outgoing) => {
    const received = proxied(incoming);
    const sent = proxied(incoming);
    await broken.mutant?.request?.(sent);
    const response = await forward(upstream, sent);
    if (response.body !== "" || response.status === 304) broken.mutant?.response?.(response, received);
    const { status, headers, body } = response;
    const hasNoBody = received.method === "HEAD" || status === 304;
    outgoing.writeHead(status, hasNoBody ? headers : { ...headers, "content-length": Buffer.byteLength(body) });
    outgoing.end(hasNoBody ? "" : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const broken: BrokenServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mutant: undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return broken;
}

function proxied({ url = "", method = "", headers, socket }: IncomingMessage): ProxiedRequest {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const { host: _host, connection: _connection, "accept-encoding": _encoding, ...rest } = headers;
  return { method, path: pathname, query: searchParams, headers: { ...rest }, socket };
}

async function forward(upstream: string, { method, path, query, headers }: ProxiedRequest): Promise<ProxiedResponse> {
  const outgoing = request(`${upstream}${path}?${query}`, { method, headers });
  outgoing.end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...rest } = incoming.headers;
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    body: await text(incoming),
  };
}
