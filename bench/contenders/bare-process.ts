// The process of the bare yardstick. It looks up nothing, checks nothing and builds nothing: the limit of one Node.js.
import { createServer, type IncomingMessage, request } from "node:http";
import type { BenchRequest } from "../driver/request.ts";
import type { Lesson } from "./bare.ts";

type Answer = { readonly status: number; readonly headers: string[]; readonly body: Buffer };

/** Written by Node.js itself on every answer. */
const ownHeaders = ["date", "connection", "keep-alive", "transfer-encoding"];

let answers: readonly Answer[] = [];
let byPath = new Map<string, Answer>();

const server = createServer((asked, response) => {
  const path = asked.url ?? "";
  const { status, headers, body } = byPath.get(path) ?? (answers[placeOf(path)] as Answer);
  response.writeHead(status, headers);
  response.end(body);
});

/** A place among the answers for any path, always the same for the same path. */
function placeOf(path: string): number {
  let sum = 0;
  for (let i = 0; i < path.length; i++) sum = (Math.imul(sum, 31) + path.charCodeAt(i)) | 0;
  return (sum >>> 0) % answers.length;
}

function fetched(origin: string, { path, method = "GET", headers = {}, body }: BenchRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}${path}`, { method, headers }, async (answer: IncomingMessage) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const sent: string[] = [];
      for (let i = 0; i < answer.rawHeaders.length; i += 2) {
        const [name = "", value = ""] = answer.rawHeaders.slice(i, i + 2);
        if (!ownHeaders.includes(name.toLowerCase())) sent.push(name, value);
      }
      const status = answer.statusCode ?? 0;
      if (status >= 400) reject(new Error(`${status} for ${path}: ${Buffer.concat(chunks).toString("utf8", 0, 300)}`));
      else resolve({ status, headers: sent, body: Buffer.concat(chunks) });
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

process.on("message", async ({ origin, requests }: Lesson) => {
  try {
    const learned: Answer[] = [];
    for (const each of requests) learned.push(await fetched(origin, each));
    answers = learned;
    byPath = new Map(requests.map(({ path }, place) => [path, learned[place] as Answer]));
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
