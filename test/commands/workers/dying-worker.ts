// A primary process that sends a message to a worker that has just died, before it could notice.
import assert from "node:assert/strict";
import cluster from "node:cluster";
import { readFileSync } from "node:fs";
import { reportListening, runWorkers } from "../../../src/commands/serve/workers.ts";

/** Without returning to the event loop, which would learn of the exit. */
function killAtOnce(pid: number): void {
  process.kill(pid, "SIGKILL");
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

if (cluster.isWorker) {
  reportListening({ address: "" });
  setInterval(() => {}, 1000);
} else {
  await runWorkers(2, async () => {
    const [requester, other] = Object.values(cluster.workers ?? {});
    killAtOnce(other?.process.pid ?? assert.fail());
    requester?.emit("message", { reportFor: `${requester.id}.1`, name: "families", query: [] });
    cluster.once("online", () => process.kill(process.pid, "SIGTERM"));
  });
}
