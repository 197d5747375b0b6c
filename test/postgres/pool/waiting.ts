// For tests with processes and database servers of their own: every request and every wait has a limit.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { text as textOf } from "node:stream/consumers";
import pg from "pg";
import type { Body } from "../../support/clients/api.ts";

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Body;
};

/** A hang fails, at a time that no machine needs for what is not hanging. */
export const hangs = { timeout: 600_000 };

/**
 * A GET that fails when there is no whole answer in a time that ends a hang. Each has a connection to itself: a process
 * that is to stop would wait a second for connections that may bring another request.
 */
export async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const [answer] = await once(get(url, { headers, agent: false, signal: AbortSignal.timeout(120_000) }), "response");
  const text = await textOf(answer as IncomingMessage);
  return {
    status: (answer as IncomingMessage).statusCode ?? 0,
    headers: new Headers((answer as IncomingMessage).headers as Record<string, string>),
    text,
    get json() {
      return JSON.parse(text) as Body;
    },
  };
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
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 120_000 });
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
