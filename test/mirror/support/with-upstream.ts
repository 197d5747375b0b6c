// Sends requests to a fake upstream on a virtual clock, and checks that the token is never logged.
import assert from "node:assert/strict";
import { requestBudget } from "../../../src/mirror/upstream/request-budget.ts";
import { openUpstream, type UpstreamOptions } from "../../../src/mirror/upstream/upstream.ts";
import { type FakeUpstream, fakeUpstream, type Handler } from "./fake-upstream.ts";
import { type VirtualClock, virtualClock } from "./virtual-clock.ts";

export const token = "bw_secretsecretsecret0123";

type Setting = {
  clock: VirtualClock;
  /** Requests that were sent, whether they arrived or not. */
  sent(): number;
  server: FakeUpstream;
  reported: string[];
  request: (path?: string) => Promise<unknown>;
};

/** Runs requests against a fake upstream, on a virtual clock. */
export async function withUpstream(
  handler: Handler,
  run: (setting: Setting) => Promise<void>,
  options: Partial<UpstreamOptions> = {},
): Promise<void> {
  const server = await fakeUpstream(handler);
  const clock = virtualClock();
  const reported: string[] = [];
  const budget = requestBudget({ requests: 1000, periodMs: 1000 }, clock);
  const { request: send } = openUpstream({
    base: server.url,
    token,
    tokenIn: "header",
    budget,
    clock,
    signal: new AbortController().signal,
    attempts: 5,
    timeoutMs: 120_000,
    onRetry: (text) => reported.push(text),
    ...options,
  });
  const check = (body: unknown) => (Array.isArray(body) ? undefined : "the response is not a list");
  try {
    await run({
      clock,
      server,
      reported,
      sent: () => budget.total,
      request: (path = "/list") => send({ path, parameters: [["parameters[updated]", "5"]], check }),
    });
    for (const text of reported) assert.ok(!text.includes(token), text);
  } finally {
    await server.close();
  }
}
