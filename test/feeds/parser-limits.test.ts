// A document that exceeds both limits of the parser is reported once, and the process goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { parseInWorker } from "../../src/feeds/parse/parser-worker.ts";

/** Longer than the parser needs to fail; if it doesn't, nothing is tested. */
const blockedMs = 2000;

// Without the listener for late errors, the worker never ends.
test("a parser that runs out of memory as its time ends is reported once", { timeout: 120_000 }, async (t) => {
  const items = "<item><title>a</title><category>b</category></item>".repeat(200_000);
  const limits = { seconds: 5, megabytes: 16 };
  t.mock.timers.enable({ apis: ["setTimeout"] });
  process.once("worker", (worker: Worker) => {
    worker.once("message", () => {
      // It has begun. Its time ends here, even if it has failed already, and it isn't terminated before it fails.
      t.mock.timers.tick(limits.seconds * 1000);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
    });
  });
  const parsing = parseInWorker(`<rss version="2.0"><channel>${items}</channel></rss>`, "https://example.com/", limits);
  assert.deepEqual(await parsing, { problem: "it took more than 5 s to parse" });
  await setImmediate();
});
