// When a feed is polled next: at the requested interval, or less often if its publisher says so or polls fail.

type PollState = {
  readonly everySeconds: number;
  /** From the feed itself. */
  readonly ttlSeconds?: number | undefined;
  /** From the server, with a failure. */
  readonly waitSeconds?: number | undefined;
  /** Consecutive failures. */
  readonly failures: number;
};

/** Longer intervals are rarely meant; polling an unchanged feed costs next to nothing. */
const maxTtl = 3600;
const maxBackoff = 3600;
const maxWait = 86_400;

/** Seconds until the next poll; `random` from 0 to 1 adds jitter. */
export function secondsUntilNextPoll(
  { everySeconds, ttlSeconds = 0, waitSeconds = 0, failures }: PollState,
  random: number,
): number {
  const backoff = failures === 0 ? 0 : Math.min(everySeconds * 2 ** Math.min(failures - 1, 20), maxBackoff);
  const least = Math.max(everySeconds, Math.min(ttlSeconds, maxTtl), backoff);
  // Never sooner than the server allows.
  return Math.max(least, Math.min(waitSeconds, maxWait)) * (1 + random / 10);
}
