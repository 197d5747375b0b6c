// Event loop lag, as a measure of overload: a request seen late in a long iteration has waited as long.

export type EventLoopLag = {
  /** Whether a request arriving now has already waited too long. */
  readonly isHigh: boolean;
  /** Whether a request queued at `since` has waited too long. */
  isExceededSince(since: number): boolean;
  /** Duration of the current iteration, in milliseconds. */
  readonly ms: number;
  stop(): void;
};

/** Between two measurements. */
const tickMs = 50;

/** With a limit of 0 the lag is never high. */
export function watchEventLoopLag(maxMs: number, ticks: () => number): EventLoopLag {
  // Timers run at the start of an iteration, before requests that have arrived since.
  let began = ticks();
  const timer = setInterval(() => {
    began = ticks();
  }, tickMs).unref();
  return {
    get isHigh() {
      return maxMs > 0 && ticks() - began > maxMs + tickMs;
    },
    isExceededSince: (since) => maxMs > 0 && ticks() - since > maxMs,
    get ms() {
      return Math.max(0, ticks() - began - tickMs);
    },
    stop: () => clearInterval(timer),
  };
}
