// A document that exceeds both limits of the parser is reported once, and the process goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { parseInWorker } from "../../src/feeds/parse/parser-worker.ts";

/** Longer than the parser needs to fail; if it doesn't, nothing is tested. */
const blockedMs = 2000;

test("a parser that runs out of memory as its time ends is reported once", async () => {
  const items = "<item><title>a</title><category>b</category></item>".repeat(200_000);
  const limits = { seconds: 0.001, megabytes: 16 };
  process.once("worker", (worker: Worker) => {
    // Once it has begun, and before the event loop looks at timers again, which it does before it looks at messages.
    worker.once("message", async () => {
      await setImmediate();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
    });
  });
  const parsing = parseInWorker(`<rss version="2.0"><channel>${items}</channel></rss>`, "https://example.com/", limits);
  assert.deepEqual(await parsing, { problem: "it took more than 0.001 s to parse" });
  await setImmediate();
});
