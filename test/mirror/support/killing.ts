// Runs a mirror as a process and kills it, repeatedly.
import assert from "node:assert/strict";
import { start } from "../../commands/support/bellwire.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { ReceivedRequest } from "./fake-upstream.ts";

/** Each run is killed after some of the upstream's `requests`, or some time after the first of them. */
export async function killRepeatedly(
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
  requests: readonly ReceivedRequest[],
  times: number,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    const before = requests.length;
    const enough = before + 2 + Math.floor(Math.random() * 30);
    const running = start(flags, { env });
    const hasEnded = () => running.child.exitCode !== null;
    await waitUntil(() => requests.length > before || hasEnded(), "the mirror sends a request");
    const latest = performance.now() + 2000 * Math.random();
    await waitUntil(() => requests.length >= enough || performance.now() > latest || hasEnded());
    const { signal, stderr } = await running.stop("SIGKILL");
    assert.equal(signal, "SIGKILL", stderr);
  }
}
