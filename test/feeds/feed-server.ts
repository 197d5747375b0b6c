// A real HTTP server for feeds on 127.0.0.1, and polling it as the command does.
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type PollContext, type PollResult, pollFeed, type Subscription } from "../../src/feeds/poll.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type Api, resourceNamed } from "../support/clients/api.ts";

export type FeedServer = {
  readonly url: string;
  readonly port: number;
  /** Every request received. */
  readonly requests: readonly IncomingMessage[];
  /** Sets the handler of later requests. */
  respond(listener: RequestListener): void;
  /** Sets the document of later responses, without validators. */
  give(body: string | Uint8Array, headers?: Readonly<Record<string, string>>): void;
};

/** Runs a server during `run`. */
export async function feedServer(run: (server: FeedServer) => Promise<void>): Promise<void> {
  let listener: RequestListener = (_, response) => response.writeHead(404).end();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    await run({
      url: `http://127.0.0.1:${port}/feed.xml`,
      port,
      requests,
      respond: (next) => {
        listener = next;
      },
      give: (body, headers = {}) => {
        listener = (_, response) =>
          response.writeHead(200, { "content-type": "application/xml", ...headers }).end(body);
      },
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

export type Visiting = Partial<Omit<Subscription, "url">> &
  Pick<Partial<PollContext>, "fetching" | "reading"> & { rejected?: string[] };

/** Polls a feed with the clock of the service under test. */
export function visitWith(api: Api, url: string, { channel, rejected, ...more }: Visiting = {}): Promise<PollResult> {
  return pollFeed(
    { url: new URL(url), channel },
    {
      store: api.store,
      catalog,
      news: resourceNamed("news"),
      fetching: { agent: "Bellwire/test" },
      now: () => api.clock.now,
      onRefused: (item, reasons) => rejected?.push(`${item}: ${reasons.join("; ")}`),
      ...more,
    },
  );
}

/** The outcome of a poll in short: counts of created, updated, and unchanged items, or its kind and reason. */
export function inShort(visited: PollResult): string {
  if (visited.kind === "failed") return `failed: ${visited.reason}`;
  if (visited.kind === "same") return "same";
  const { created, updated, unchanged } = visited.counts;
  return `${created} created, ${updated} updated, ${unchanged} unchanged`;
}

/** An RSS 2.0 document with these items. */
export const rss = (items: string, channel = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:media="http://search.yahoo.com/mrss/"><channel><title>A feed</title><link>https://news.example/</link>${channel}
${items}</channel></rss>`;

/** An item with the usual elements. */
export const item = (guid: string, more = "<title>A title</title>"): string =>
  `<item><guid isPermaLink="false">${guid}</guid><pubDate>Tue, 05 Nov 2024 09:30:00 EST</pubDate>${more}</item>`;
