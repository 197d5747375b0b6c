// A worker that dies doesn't take the primary process with it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { endAfterFile } from "../../support/processes.ts";

const program = fileURLToPath(new URL("dying-worker.ts", import.meta.url));

test("a message to a worker that has just died is lost, and the worker replaced", {
  skip: process.platform === "linux" ? false : "needs /proc to see when a worker is dead",
}, async () => {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "ignore", "pipe"] });
  endAfterFile(child);
  const [errors, [status]] = await Promise.all([text(child.stderr), once(child, "close")]);
  assert.match(errors, /^worker \d+ exited \(SIGKILL\); starting another\n$/);
  assert.equal(status, 0);
});
