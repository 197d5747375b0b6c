// A proxy between a mirror and its upstream that counts what is asked, and misbehaves when told to.
import { request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Asked, type Pretender, pretender } from "./pretender.ts";

export type Between = Pretender & {
  /** Share of requests that go wrong. */
  misbehaving: number;
  /** How many went wrong in each way. */
  readonly wrongs: Map<string, number>;
};

type Passed = { readonly status: number; readonly headers: IncomingMessage["headers"]; readonly body: Buffer };

async function pass(target: URL, { path, query, headers }: Asked): Promise<Passed> {
  return new Promise((resolve, reject) => {
    const url = new URL(`${path}?${query}`, target);
    const { host: _, connection: __, ...rest } = headers;
    const asked = forward(url, { headers: rest, agent: false }, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece as Buffer);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) });
    });
    asked.on("error", reject).end();
  });
}

const give = (response: ServerResponse, { status, headers, body }: Passed): void => {
  const { connection: _, "transfer-encoding": __, ...rest } = headers;
  response.writeHead(status, rest).end(body);
};

/** Each way of going wrong: before the upstream is asked, or with its answer. */
const wrongs: Record<string, (response: ServerResponse, answer: () => Promise<Passed>) => Promise<unknown> | unknown> =
  {
    "dropped at once": (response) => response.destroy(),
    "dropped after the work": async (response, answer) => {
      await answer();
      response.destroy();
    },
    late: async (response, answer) => {
      const passed = await answer();
      await sleep(50 + 250 * Math.random());
      give(response, passed);
    },
    "status 429": (response) => response.writeHead(429).end("slow down"),
    "status 429 with Retry-After": (response) => response.writeHead(429, { "retry-after": "0" }).end(),
    "status 500": (response) => response.writeHead(500).end("<h1>Oops</h1>"),
    "status 503 with Retry-After": (response) => response.writeHead(503, { "retry-after": "0" }).end(),
    garbage: (response) => response.writeHead(200, { "content-type": "application/json" }).end("\u0000\u0001]{"),
    XML: (response) => response.writeHead(200, { "content-type": "application/xml" }).end("<result/>"),
    "wrong type": (response) => response.writeHead(200).end('{"ratings":{"0":"no list"},"removed":7,"records":null}'),
    "truncated, and said so": async (response, answer) => {
      const { status, headers, body } = await answer();
      const { connection: _, "transfer-encoding": __, ...rest } = headers;
      response.writeHead(status, { ...rest, "content-length": String(body.length) });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
    },
    "truncated, as if whole": async (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('[{"id":1,"title":"cut he'),
  };

export async function proxy(target: string): Promise<Between> {
  const counted = new Map<string, number>();
  const names = Object.keys(wrongs);
  const there = await pretender(async (asked, response) => {
    const answer = () => pass(new URL(target), asked);
    const name = names[Math.floor(Math.random() * names.length)] as string;
    try {
      if (Math.random() >= standing.misbehaving) return give(response, await answer());
      counted.set(name, (counted.get(name) ?? 0) + 1);
      await wrongs[name]?.(response, answer);
    } catch {
      response.destroy();
    }
  });
  const standing: Between = { ...there, misbehaving: 0, wrongs: counted };
  return standing;
}
