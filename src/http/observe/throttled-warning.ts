// Warnings about failures that repeat many times a second, such as those of an unavailable database.
import type { Log } from "./log.ts";

/** Seconds between two log lines with a message. */
const logInterval = 10;

/** `ticks` are seconds on a monotonic clock. */
export const throttledWarning =
  (log: Log, ticks: () => number) =>
  (message: string): ((error: unknown) => void) => {
    let loggedAt = Number.NEGATIVE_INFINITY;
    return (error) => {
      if (ticks() < loggedAt + logInterval) return;
      loggedAt = ticks();
      log.warn({ error: String(error) }, message);
    };
  };
