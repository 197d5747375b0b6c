// When a feed is visited next: as often as was asked for, less often when its publisher says so or something is wrong.

export type PollState = {
  readonly everySeconds: number;
  /** What the feed itself says. */
  readonly ttlSeconds?: number | undefined;
  /** What the server said with a failure. */
  readonly waitSeconds?: number | undefined;
  /** Visits in a row that failed. */
  readonly failures: number;
};

/** A publisher who says more than this rarely means it; unchanged feeds cost next to nothing. */
const maxTtl = 3600;
const maxBackoff = 3600;
const maxWait = 86_400;

/** Seconds until the next visit; `random` from 0 to 1 spreads those of many feeds over time. */
export function secondsUntilNextPoll(
  { everySeconds, ttlSeconds = 0, waitSeconds = 0, failures }: PollState,
  random: number,
): number {
  const backoff = failures === 0 ? 0 : Math.min(everySeconds * 2 ** Math.min(failures - 1, 20), maxBackoff);
  const least = Math.max(everySeconds, Math.min(ttlSeconds, maxTtl), backoff);
  // A server's own word is never undercut.
  return Math.max(least, Math.min(waitSeconds, maxWait)) * (1 + random / 10);
}
