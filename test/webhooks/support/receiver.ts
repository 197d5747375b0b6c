// A receiver of webhooks on 127.0.0.1 that records what it receives, and responds as a test says.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { Body } from "../../support/clients/api.ts";

export type Received = {
  readonly path: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Body;
};

export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Without a reply, the connection is cut. */
export type Responder = (received: Received) => Reply | undefined | Promise<Reply | undefined>;

export type Receiver = {
  readonly url: string;
  readonly port: number;
  /** In order of arrival, whatever the response was. */
  readonly received: readonly Received[];
  /** Those that were accepted. */
  readonly accepted: readonly Received[];
  respond(responder: Responder): void;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const accepted: Received[] = [];
  let responder: Responder = () => ({ status: 204 });
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const headers = request.headers as Record<string, string>;
    const each = {
      path: request.url ?? "",
      id: headers["webhook-id"] ?? "",
      headers,
      text: body,
      body: JSON.parse(body),
    };
    received.push(each);
    const reply = await responder(each);
    if (reply === undefined) request.socket.destroy();
    else {
      if (reply.status >= 200 && reply.status < 300) accepted.push(each);
      response.writeHead(reply.status, reply.headers).end(reply.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // If a test fails before it closes the receiver, the run must still end.
  server.unref();
  const { port } = server.address() as { port: number };
  return {
    ...{ url: `http://127.0.0.1:${port}/hooks`, port, received, accepted },
    respond: (next) => {
      responder = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
