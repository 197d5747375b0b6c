// Waits for what another process or the event loop brings about. The limit only ends a test that would hang.
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 5;
const limitMs = 120_000;

export async function waitUntil(condition: () => boolean | Promise<boolean>, what = "the condition"): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs / 1000} seconds: ${what}`);
    await pause(pollMs);
  }
}
