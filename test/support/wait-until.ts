// Polls for a condition. The timeout only ends a test that would hang.
import { setTimeout as pause } from "node:timers/promises";

const firstPauseMs = 5;
const longestPauseMs = 100;
const limitMs = 120_000;

export async function waitUntil(condition: () => boolean | Promise<boolean>, what = "the condition"): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - began;
    if (waited > limitMs) throw new Error(`not within ${limitMs / 1000} seconds: ${what}`);
    // Exponential backoff, since polling takes CPU time from the process under test.
    await pause(Math.min(Math.max(firstPauseMs, waited / 10), longestPauseMs));
  }
}
