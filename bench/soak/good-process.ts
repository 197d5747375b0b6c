// The process of the good clients: each asks, reads, thinks a moment and asks again, on a connection that it keeps.
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { BenchRequest } from "../driver/request.ts";

export type GoodOrder = {
  readonly url: string;
  readonly requests: readonly BenchRequest[];
  readonly clients: number;
  readonly seconds: number;
};

export type GoodReport = {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** By status; "failed" where there was none. */
  readonly statuses: Readonly<Record<string, number>>;
};

/** On average, between an answer and the next request. */
const thinkMs = 10;

process.on("message", (order: GoodOrder) => void run(order).then((report) => process.send?.(report)));

async function run({ url, requests, clients, seconds }: GoodOrder): Promise<GoodReport> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let place = 0;
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < until) {
      const asked = requests[place++ % requests.length] as BenchRequest;
      const began = performance.now();
      const status = await ask(`${url}${asked.path}`, asked.headers ?? {}, agent);
      times.push(performance.now() - began);
      statuses[status] = (statuses[status] ?? 0) + 1;
      await pause(2 * thinkMs * Math.random());
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, client));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), statuses };
}

const ask = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(url, { agent, headers }, (answer) => {
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", () => resolve("failed"));
      answer.resume();
    });
    sent.on("error", () => resolve("failed"));
    sent.end();
  });
