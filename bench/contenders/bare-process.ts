// The bare node:http baseline: replays recorded responses without any other work.
import { createServer, type IncomingMessage, request } from "node:http";
import type { BenchRequest } from "../driver/request.ts";
import type { Lesson } from "./bare.ts";

type CannedResponse = { readonly status: number; readonly headers: string[]; readonly body: Buffer };

/** Added by Node.js to every response. */
const ownHeaders = ["date", "connection", "keep-alive", "transfer-encoding"];

let responses: readonly CannedResponse[] = [];
let byPath = new Map<string, CannedResponse>();

const server = createServer((incoming, response) => {
  const path = incoming.url ?? "";
  const { status, headers, body } = byPath.get(path) ?? (responses[indexFor(path)] as CannedResponse);
  response.writeHead(status, headers);
  response.end(body);
});

/** A deterministic index into the responses for any path. */
function indexFor(path: string): number {
  let sum = 0;
  for (let i = 0; i < path.length; i++) sum = (Math.imul(sum, 31) + path.charCodeAt(i)) | 0;
  return (sum >>> 0) % responses.length;
}

function fetched(origin: string, { path, method = "GET", headers = {}, body }: BenchRequest): Promise<CannedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, { method, headers }, async (reply: IncomingMessage) => {
      const chunks: Buffer[] = [];
      for await (const chunk of reply) chunks.push(chunk as Buffer);
      const sent: string[] = [];
      for (let i = 0; i < reply.rawHeaders.length; i += 2) {
        const [name = "", value = ""] = reply.rawHeaders.slice(i, i + 2);
        if (!ownHeaders.includes(name.toLowerCase())) sent.push(name, value);
      }
      const status = reply.statusCode ?? 0;
      if (status >= 400) reject(new Error(`${status} for ${path}: ${Buffer.concat(chunks).toString("utf8", 0, 300)}`));
      else resolve({ status, headers: sent, body: Buffer.concat(chunks) });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

process.on("message", async ({ origin, requests }: Lesson) => {
  try {
    const recorded: CannedResponse[] = [];
    for (const each of requests) recorded.push(await fetched(origin, each));
    responses = recorded;
    byPath = new Map(requests.map(({ path }, index) => [path, recorded[index] as CannedResponse]));
    process.send?.("");
  } catch (error) {
    process.send?.((error as Error).message);
  }
});

server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.on("SIGTERM", () => process.exit(0));
