// CPU time of the benchmark includes processes that have exited; memory is the peak.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { peakMemoryOf, usageOf } from "../../bench/driver/machine.ts";

/** Uses 0.3 s of CPU time, however long that takes. */
const burn = "while (process.cpuUsage().user < 300_000);";
const parent = `
  require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(burn)}]);
  process.stdout.write("ended");
  setInterval(() => {}, 1000);
`;

test("the CPU time of exited processes counts for their parent", {
  skip: process.platform !== "linux",
}, async (t) => {
  const child = spawn(process.execPath, ["-e", parent], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill());
  await once(child.stdout, "data");
  const { cpuSeconds = 0 } = usageOf([child.pid as number]) ?? {};
  assert.ok(cpuSeconds >= 0.3, `${cpuSeconds} s`);
});

/** Prints its memory after it has freed 128 MB. */
const freeing = `
  let held = Buffer.alloc(128 * 2 ** 20, 1);
  held = undefined;
  gc();
  process.stdout.write(String(process.memoryUsage.rss()));
  setInterval(() => {}, 1000);
`;

test("peak memory includes what a process has freed", { skip: process.platform !== "linux" }, async (t) => {
  const child = spawn(process.execPath, ["--expose-gc", "-e", freeing], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill());
  const [printed] = await once(child.stdout, "data");
  const peak = peakMemoryOf(child.pid as number) ?? 0;
  assert.ok(peak >= Number(printed) + 100 * 2 ** 20, `${peak} bytes after ${printed}`);
});
