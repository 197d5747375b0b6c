// Sends a list of requests to a server from another process, and measures throughput, latency, CPU, and noise.
import { fork, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Contender } from "../contenders/contender.ts";
import { temporaryFolder } from "../temporary.ts";
import { momentOf, usageOf } from "./machine.ts";
import type { BenchRequest } from "./request.ts";

export type DriveOptions = {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  /** A number of requests instead of a duration. */
  readonly amount?: number;
};

/** Figures from the load generator. */
export type Driven = {
  readonly seconds: number;
  readonly requests: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Broken connections and requests without a response. */
  readonly failed: number;
  /** Responses with status 400 and above. */
  readonly refused: number;
};

export type Run = Driven & {
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  /** The list was exhausted and restarted: some requests were sent twice. */
  readonly repeated: boolean;
  /** Undefined if the system doesn't report it. */
  readonly cpuSeconds: number | undefined;
  readonly cpuMicros: number | undefined;
  readonly rssBytes: number | undefined;
  /** CPU time of the server relative to wall time: below 0.9 for one process, something else was the bottleneck. */
  readonly cpuShare: number | undefined;
  /** CPU time of other programs, and steal time of a virtual machine, relative to wall time. */
  readonly othersShare: number | undefined;
  readonly stealShare: number | undefined;
};

let wrk: boolean | undefined;

/** The load generator. */
export function driverName(): "wrk" | "autocannon" {
  wrk ??= spawnSync("wrk", ["-v"]).error === undefined;
  return wrk ? "wrk" : "autocannon";
}

/** `otherPids` are processes that belong to the workload, but not to the server. */
export async function drive(
  { url, pid, helpers }: Contender,
  requests: readonly BenchRequest[],
  options: Omit<DriveOptions, "url">,
  otherPids: readonly number[] = [],
): Promise<Run> {
  const pids = [pid, ...helpers];
  const seen = () => ({
    at: performance.now() / 1000,
    usage: usageOf(pids),
    others: usageOf(otherPids)?.cpuSeconds ?? 0,
    moment: momentOf(),
  });
  const before = seen();
  const order = { ...options, url };
  const driven =
    driverName() === "wrk" && options.amount === undefined
      ? await byWrk(order, requests)
      : await byAutocannon(order, requests);
  const after = seen();
  await idle(pids);
  const cpuSeconds = after.usage && before.usage && after.usage.cpuSeconds - before.usage.cpuSeconds;
  const { busy, steal, own } = passed(before.moment, after.moment) ?? {};
  // Over the whole run, including startup and shutdown of the load generator.
  const whole = after.at - before.at;
  const others =
    busy === undefined || own === undefined || cpuSeconds === undefined
      ? undefined
      : Math.max(0, busy - own - cpuSeconds - (after.others - before.others));
  // Avoids division by zero if no request succeeded.
  const answered = Math.max(1, driven.requests);
  return {
    ...driven,
    perSecond: answered / driven.seconds,
    bytesPerSecond: driven.bytes / driven.seconds,
    repeated: requests.length > 1 && driven.requests > requests.length,
    cpuSeconds,
    cpuMicros: cpuSeconds === undefined ? undefined : (cpuSeconds * 1e6) / answered,
    // Of the server alone: each process of a database includes the shared memory.
    rssBytes: usageOf([pid])?.rssBytes,
    cpuShare: cpuSeconds === undefined ? undefined : cpuSeconds / driven.seconds,
    othersShare: others === undefined ? undefined : others / whole,
    stealShare: steal === undefined ? undefined : steal / whole,
  };
}

const idleMs = 100;
const longestIdleSeconds = 30;

/** Waits until a server has finished abandoned requests, which would disturb the next measurement. */
async function idle(pids: readonly number[]): Promise<void> {
  const until = performance.now() + longestIdleSeconds * 1000;
  for (let before = usageOf(pids); before !== undefined && performance.now() < until; ) {
    await pause(idleMs);
    const now = usageOf(pids);
    if (now === undefined || now.cpuSeconds - before.cpuSeconds <= 0.02) return;
    before = now;
  }
}

function passed(from: ReturnType<typeof momentOf>, to: ReturnType<typeof momentOf>) {
  if (from === undefined || to === undefined) return undefined;
  return { busy: to.busy - from.busy, steal: to.steal - from.steal, own: to.own - from.own };
}

async function byWrk({ url, seconds, connections }: DriveOptions, requests: readonly BenchRequest[]): Promise<Driven> {
  const { folder, remove } = temporaryFolder();
  try {
    const list = join(folder, "requests");
    writeFileSync(list, requests.map((request) => rawOf(request, new URL(url).host)).join("\0"));
    const script = join(import.meta.dirname, "wrk.lua");
    const flags = ["-t1", `-c${connections}`, `-d${Math.ceil(seconds)}s`, "--timeout", "60s", "-s", script];
    const output = await outputOf("wrk", [...flags, url, "--", list]);
    const line = output.split("\n").findLast((each) => each.startsWith("{"));
    if (line === undefined) throw new Error(`wrk's output can't be parsed: ${output}`);
    return JSON.parse(line) as Driven;
  } finally {
    remove();
  }
}

function rawOf({ path, method = "GET", headers = {}, body = "" }: BenchRequest, host: string): string {
  const all = { host, ...headers, ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece) => (text += piece));
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${program} ended with status ${code}: ${text}`)),
    );
  });
}

function byAutocannon(order: DriveOptions, requests: readonly BenchRequest[]): Promise<Driven> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, "autocannon-process.ts"), { serialization: "advanced" });
    let driven: Driven | undefined;
    child.once("message", (message) => {
      driven = message as Driven;
    });
    child.once("error", reject);
    child.once("exit", (code) =>
      driven === undefined ? reject(new Error(`autocannon ended with status ${code}`)) : resolve(driven),
    );
    child.send({ ...order, requests });
  });
}
