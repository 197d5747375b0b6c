// A proxy between a mirror and its upstream that records requests and injects faults.
import { request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeUpstream, fakeUpstream, type ReceivedRequest } from "./fake-upstream.ts";

export type Between = FakeUpstream & {
  /** Share of requests that fail. */
  faultRate: number;
  /** Number of failures by fault. */
  readonly faults: Map<string, number>;
  /** Sends another response; returns whether it did. */
  instead?: (request: ReceivedRequest, response: ServerResponse, count: number) => boolean;
};

export type Passed = { readonly status: number; readonly headers: IncomingMessage["headers"]; readonly body: Buffer };

export async function pass(target: URL, { path, query, headers }: ReceivedRequest): Promise<Passed> {
  return new Promise((resolve, reject) => {
    const url = new URL(`${path}?${query}`, target);
    const { host: _, connection: __, ...rest } = headers;
    const forwarded = forward(url, { headers: rest, agent: false }, (upstream) => {
      const { statusCode: status = 0, headers } = upstream;
      // A stream is never complete: it fails when the upstream stops.
      buffer(upstream).then((body) => resolve({ status, headers, body }), reject);
    });
    forwarded.on("error", reject).end();
  });
}

const send = (response: ServerResponse, { status, headers, body }: Passed): void => {
  const { connection: _, "transfer-encoding": __, ...rest } = headers;
  response.writeHead(status, rest).end(body);
};

type Fault = (response: ServerResponse, respond: () => Promise<Passed>) => Promise<unknown> | unknown;

/** Faults before the upstream is reached, or in its response. */
const faults: Record<string, Fault> = {
  "dropped at once": (response) => response.destroy(),
  "dropped after the upstream responded": async (response, respond) => {
    await respond();
    response.destroy();
  },
  late: async (response, respond) => {
    const passed = await respond();
    await sleep(50 + 250 * Math.random());
    send(response, passed);
  },
  "status 429": (response) => response.writeHead(429).end("slow down"),
  "status 429 with Retry-After": (response) => response.writeHead(429, { "retry-after": "0" }).end(),
  "status 500": (response) => response.writeHead(500).end("<h1>Oops</h1>"),
  "status 503 with Retry-After": (response) => response.writeHead(503, { "retry-after": "0" }).end(),
  "status 503 with Retry-After as a date": (response) =>
    response.writeHead(503, { "retry-after": new Date().toUTCString() }).end(),
  garbage: (response) => response.writeHead(200, { "content-type": "application/json" }).end("\u0000\u0001]{"),
  XML: (response) => response.writeHead(200, { "content-type": "application/xml" }).end("<result/>"),
  "wrong type": (response) => response.writeHead(200).end('{"ratings":{"0":"no list"},"removed":7,"records":null}'),
  "truncated, with the full length announced": async (response, respond) => {
    const { status, headers, body } = await respond();
    const { connection: _, "transfer-encoding": __, ...rest } = headers;
    response.writeHead(status, { ...rest, "content-length": String(body.length) });
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  },
  "truncated, as if complete": async (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('[{"id":1,"title":"cut he'),
};

/** The most faults of one request: a mirror that runs once gives up after twelve, however improbable they are. */
const maxFaults = 8;

type Exchange = (request: ReceivedRequest, count: number) => Promise<Passed>;

export async function proxy(
  target: string,
  exchange: Exchange = (request) => pass(new URL(target), request),
  random: () => number = Math.random,
): Promise<Between> {
  const counted = new Map<string, number>();
  const faultsOf = new Map<string, number>();
  const names = Object.keys(faults);
  const server = await fakeUpstream(async (request, response, count) => {
    if (between.instead?.(request, response, count)) return;
    const respond = () => exchange(request, count);
    const name = names[Math.floor(random() * names.length)] as string;
    const what = `${request.path}?${request.query}`;
    const before = faultsOf.get(what) ?? 0;
    try {
      if (random() >= between.faultRate || before === maxFaults) return send(response, await respond());
      faultsOf.set(what, before + 1);
      counted.set(name, (counted.get(name) ?? 0) + 1);
      await faults[name]?.(response, respond);
    } catch {
      response.destroy();
    }
  });
  const between: Between = { ...server, faultRate: 0, faults: counted };
  return between;
}
