// Waits for what another process or the event loop brings about. The limit only ends a test that would hang.
import { setTimeout as pause } from "node:timers/promises";

const firstPauseMs = 5;
const longestPauseMs = 100;
const limitMs = 120_000;

export async function waitUntil(condition: () => boolean | Promise<boolean>, what = "the condition"): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - began;
    if (waited > limitMs) throw new Error(`not within ${limitMs / 1000} seconds: ${what}`);
    // What takes long is looked for less often: looking costs the process that is waited for its time.
    await pause(Math.min(Math.max(firstPauseMs, waited / 10), longestPauseMs));
  }
}
