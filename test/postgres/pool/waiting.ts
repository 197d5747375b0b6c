// Helpers for tests with separate processes and database servers, with timeouts on every request and wait.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import pg from "pg";
import type { Body } from "../../support/clients/api.ts";
import type { PostgresServer } from "../../support/stores/postgres.ts";

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Body;
};

/** A timeout that only a hang reaches. */
export const hangs = { timeout: 600_000 };

/**
 * A GET with a timeout, on a new connection: a process that is shutting down waits a second for idle persistent
 * connections.
 */
export async function fetchReply(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const [response] = await once(get(url, { headers, agent: false, signal: AbortSignal.timeout(120_000) }), "response");
  const text = await textOf(response as IncomingMessage);
  return {
    status: (response as IncomingMessage).statusCode ?? 0,
    headers: new Headers((response as IncomingMessage).headers as Record<string, string>),
    text,
    get json() {
      return JSON.parse(text) as Body;
    },
  };
}

/** The response while no database is available: a problem with Retry-After. */
export function assertUnavailable({ status, headers, text, json }: Reply): void {
  assert.equal(status, 503, text);
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  assert.equal(json.code, "server.unavailable");
  assert.match(headers.get("retry-after") ?? "", /^\d+$/);
}

/** Opens a separate connection during `run`. */
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

/** Runs while all processes of a database server are suspended: it accepts connections, and never responds. */
export async function whileSuspended<T>({ folder }: PostgresServer, run: () => Promise<T>): Promise<T> {
  const [line] = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n");
  const postmaster = Number(line);
  const suspended = new Set<number>();
  const suspend = (pid: number) => {
    suspended.add(pid);
    signal(pid, "SIGSTOP");
  };
  try {
    suspend(postmaster);
    const others = () => childrenOf(postmaster).filter((pid) => !suspended.has(pid));
    // Again, since it may have been starting one when it was suspended.
    for (let found = others(); found.length > 0; found = others()) found.forEach(suspend);
    return await run();
  } finally {
    for (const pid of suspended) signal(pid, "SIGCONT");
  }
}

/** Does nothing if the process has ended, as processes of background work may at any moment. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Child processes of a process. */
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
    // After the name, which may contain anything and ends at the last parenthesis: the state, then the parent.
    return (
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1] ?? ""
    );
  } catch {
    return "";
  }
}
