// An upstream that is not ours: a server whose every answer the test decides.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Asked = {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
};

export type Pretender = {
  readonly url: URL;
  /** Every request so far. */
  readonly asked: Asked[];
  close(): Promise<void>;
};

export type Answering = (asked: Asked, response: ServerResponse, count: number) => void | Promise<void>;

export async function pretender(answer: Answering): Promise<Pretender> {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const one = { path: url.pathname, query: url.searchParams, headers: request.headers };
    asked.push(one);
    void answer(one, response, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
