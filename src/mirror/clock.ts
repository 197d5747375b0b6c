// The time a mirror lives by: the machine's, or one that a test moves.

export type Clock = {
  /** Milliseconds since 1970; may be set back or forth by whoever keeps the machine. */
  now(): number;
  /** Milliseconds that only grow, for measuring. */
  ticks(): number;
  /** Resolves after so many milliseconds, or at once when the signal says to stop. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** A timer takes no longer times than this. */
const longestMs = 2 ** 31 - 1;

export const machineClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.ceil(ms), longestMs));
      signal.addEventListener("abort", end);
    }),
};

export const seconds = (ms: number): number => Math.floor(ms / 1000);
