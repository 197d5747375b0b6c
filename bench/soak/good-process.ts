// The process of the well-behaved clients, separate from the abusers so that these don't affect the measurements.
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { BenchRequest } from "../driver/request.ts";

export type GoodOrder = {
  readonly url: string;
  readonly requests: readonly BenchRequest[];
  readonly seconds: number;
} & (
  | {
      /** Each sends a request, reads the response, pauses for about 10 ms, and repeats, on a persistent connection. */
      readonly clients: number;
    }
  | {
      /** Sends requests at this rate, regardless of outstanding responses: a freeze delays many. */
      readonly perSecond: number;
    }
);

export type GoodReport = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** By status; "failed" without a response. */
  readonly statuses: Readonly<Record<string, number>>;
};

/** On average, between a response and the next request. */
const thinkMs = 10;

/** How long a client waits for a response. */
const patienceMs = 30_000;

process.on("message", (order: GoodOrder) => void run(order).then((report) => process.send?.(report)));

async function run(order: GoodOrder): Promise<GoodReport> {
  const { url, requests, seconds } = order;
  const began = performance.now();
  const until = began + seconds * 1000;
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let place = 0;
  const one = async (agent: Agent, since: number) => {
    const { path, headers } = requests[place++ % requests.length] as BenchRequest;
    const status = await send(`${url}${path}`, headers ?? {}, agent);
    times.push(performance.now() - since);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < until) {
      await one(agent, performance.now());
      await pause(2 * thinkMs * Math.random());
    }
    agent.destroy();
  };
  const schedule = async (perSecond: number) => {
    const agent = new Agent({ keepAlive: true });
    const sent: Promise<void>[] = [];
    for (let due = began; due < until; due += 1000 / perSecond) {
      await pause(Math.max(0, due - performance.now()));
      sent.push(one(agent, performance.now()));
    }
    await Promise.all(sent);
    agent.destroy();
  };
  await ("clients" in order ? Promise.all(Array.from({ length: order.clients }, client)) : schedule(order.perSecond));
  const took = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    requests: times.length,
    perSecond: times.length / took,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    worstMs: at(1),
    statuses,
  };
}

const send = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(url, { agent, headers, signal: AbortSignal.timeout(patienceMs) }, (response) => {
      response.on("end", () => resolve(String(response.statusCode)));
      response.on("error", () => resolve("failed"));
      response.resume();
    });
    sent.on("error", () => resolve("failed"));
    sent.end();
  });
