// A body far larger than the heap: a server needs the same small heap however much it receives.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { describe, test } from "node:test";
import { createGzip } from "node:zlib";
import { bellwireWrites, freshDatabase, serving } from "../../commands/support/bellwire.ts";
import { runs } from "../../support/budget.ts";
import type { Body } from "../../support/clients/api.ts";

/** More than the heap of the server. */
const count = runs(1650, 4000);
const heapMb = runs(40, 64);
const notes = "Shares of the company rose after it said that earnings were above estimates. ".repeat(400);

function* lines(): Generator<string> {
  for (let n = 0; n < count; n++)
    yield `${JSON.stringify({ id: `r${n}`, date: "2024-11-05", notes: `${n} ${notes}` })}\n`;
}

function* array(): Generator<string> {
  let before = "[";
  for (const line of lines()) {
    yield before + line;
    before = ",";
  }
  yield "]";
}

describe(`a server with a heap of ${heapMb} MB`, () => {
  test("accepts more than that in one body, compressed and plain, as lines and as an array", async (t) => {
    const database = freshDatabase();
    const key = (
      await bellwireWrites(["keys", "create", "--name", "w", "--scope", "write", "--database", database])
    ).trim();
    const flags = ["--database", database, "--no-demo", "--log-level", "fatal"];
    const server = await serving(flags, { env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` } });

    /** Sends a body while generating it, and returns the report. */
    async function send(pieces: Iterable<string>, type: string, gzip: boolean): Promise<Body> {
      const headers = {
        ...{ authorization: `Bearer ${key}`, "content-type": type },
        ...(gzip ? { "content-encoding": "gzip" } : {}),
      };
      const sent = request(`${server.url}/admin/v1/records/ratings`, { method: "POST", headers });
      const response = new Promise<Readable>((resolve, reject) => sent.on("response", resolve).on("error", reject));
      const bytes = Readable.from(pieces);
      await (gzip ? pipeline(bytes, createGzip({ level: 1 }), sent) : pipeline(bytes, sent));
      return json(await response);
    }

    const first = await send(lines(), "application/x-ndjson", true);
    assert.deepEqual([first.read, first.created, first.refused], [count, count, 0]);
    const second = await send(array(), "application/json", false);
    assert.deepEqual([second.read, second.updated + second.unchanged, second.refused], [count, count, 0]);
    const peak = /VmHWM:\s+(\d+) kB/.exec(readStatus(server.child.pid))?.[1];
    if (peak !== undefined) t.diagnostic(`most memory in use: ${Math.round(Number(peak) / 1000)} MB`);
    assert.equal((await server.stop()).status, 0);
  });
});

/** Linux's status of a process; empty elsewhere. */
function readStatus(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
