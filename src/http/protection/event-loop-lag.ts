// Whether this process is behind with its work. What is met late in a long turn of the event loop has waited for as long.

export type EventLoopLag = {
  /** Whether what comes now has waited too long already. */
  readonly isHigh: boolean;
  /** Whether what was taken in at that moment, by the process's own clock, has waited too long since then. */
  isTooLong(since: number): boolean;
  /** How long the present turn has lasted, in milliseconds. */
  readonly lag: number;
  stop(): void;
};

/** How often the beginning of a turn is noted. */
const tickMs = 50;

/** With 0 the load is never high. */
export function watchEventLoopLag(mostMs: number, ticks: () => number): EventLoopLag {
  // Timers run at the beginning of a turn, before the requests that have come meanwhile.
  let began = ticks();
  const timer = setInterval(() => {
    began = ticks();
  }, tickMs).unref();
  return {
    get isHigh() {
      return mostMs > 0 && ticks() - began > mostMs + tickMs;
    },
    isTooLong: (since) => mostMs > 0 && ticks() - since > mostMs,
    get lag() {
      return Math.max(0, ticks() - began - tickMs);
    },
    stop: () => clearInterval(timer),
  };
}
