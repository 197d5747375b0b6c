// For tests with processes and database servers of their own: every request and every wait has a limit.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Body } from "../support/api.ts";

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Body;
  readonly ms: number;
};

/** A GET that fails when there is no whole answer in time. */
export async function ask(url: string, headers: Readonly<Record<string, string>> = {}, limitMs = 10_000) {
  const began = performance.now();
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(limitMs) });
  const text = await answer.text();
  const ms = performance.now() - began;
  const reply: Reply = {
    status: answer.status,
    headers: answer.headers,
    text,
    ms,
    get json() {
      return JSON.parse(text) as Body;
    },
  };
  return reply;
}

/** Looks again and again until it is so; gives how long that took. */
export async function eventually(what: string, check: () => Promise<boolean>, limitMs = 3000): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await check()) return Math.round(performance.now() - began);
    assert.ok(performance.now() - began < limitMs, `not within ${limitMs} ms: ${what}`);
    await pause(25);
  }
}

/** What a client is told while no database can answer: a problem, and when to come again. */
export function assertUnavailable({ status, headers, text, json }: Reply): void {
  assert.equal(status, 503, text);
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  assert.equal(json.code, "server.unavailable");
  assert.match(headers.get("retry-after") ?? "", /^\d+$/);
}

/** A connection of the test's own, for as long as `run` takes. */
export async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** Processes that a process has started. */
export function childrenOf(parent: number): number[] {
  const lines = existsSync("/proc/self/stat")
    ? readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [`${name} ${parentOf(name)}`] : []))
    : spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout.split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, of]) => (of === parent ? [Number(pid)] : []));
}

function parentOf(pid: string): string {
  try {
    // After the name, which may hold anything but ends at the last parenthesis: the state, then the parent.
    return (
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1] ?? ""
    );
  } catch {
    return "";
  }
}
