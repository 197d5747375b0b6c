// Warms up servers, so that compilation isn't measured.
import { Agent, request } from "node:http";
import type { Contender } from "../contenders/contender.ts";
import { drive } from "./driver.ts";
import type { BenchRequest } from "./request.ts";

/** The load generator takes whole seconds; for less, requests are sent from here. */
const leastDrivenMs = 1000;

/** Sends requests for a while; a failure ends the benchmark, since later ones would be meaningless. */
export async function warmUp(
  contender: Contender,
  requests: readonly BenchRequest[],
  { ms, connections }: { readonly ms: number; readonly connections: number },
): Promise<void> {
  const { url } = contender;
  if (ms >= leastDrivenMs) {
    await sent(url, requests[0] as BenchRequest);
    const { failed, refused } = await drive(contender, requests, { seconds: ms / 1000, connections });
    if (failed + refused > 0)
      throw new Error(`${url} failed ${failed} requests and refused ${refused} of the first ones`);
    return;
  }
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + ms;
  let place = 0;
  const send = async () => {
    while (performance.now() < until) await sent(url, requests[place++ % requests.length] as BenchRequest, agent);
  };
  try {
    await Promise.all(Array.from({ length: connections }, send));
  } finally {
    agent.destroy();
  }
}

function sent(url: string, { path, method = "GET", headers = {}, body }: BenchRequest, agent?: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${path}`, { method, headers, ...(agent && { agent }) }, (answer) => {
      const status = answer.statusCode ?? 0;
      answer.resume();
      answer.once("end", () =>
        status < 400 ? resolve() : reject(new Error(`${url} answered ${status} to ${hidden(path)}`)),
      );
    });
    asking.once("error", reject);
    asking.end(body);
  });
}

/** A path without its key. */
export const hidden = (path: string): string => path.replace(/token=[^&]*/, "token=…");
