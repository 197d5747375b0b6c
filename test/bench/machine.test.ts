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

test("peak memory includes what a process has freed", { skip: process.platform !== "linux" }, () => {
  const before = process.memoryUsage.rss();
  Buffer.alloc(64 * 2 ** 20, 1);
  assert.ok((peakMemoryOf(process.pid) ?? 0) >= before + 60 * 2 ** 20);
});
