// When a failed delivery is attempted again, and when attempts end.

/** After three days of failures, a subscription is suspended. */
export const giveUpSeconds = 3 * 86_400;

const firstSeconds = 5;
const factor = 3;
const maxSeconds = 4 * 3600;

/** A receiver may request a longer pause, but not one that outlasts all attempts. */
export const maxPauseSeconds = 86_400;

/** Seconds until the next attempt after this many failed ones; `random` from 0 to 1 adds jitter. */
export function retryDelay(attempts: number, random: number): number {
  const delay = Math.min(firstSeconds * factor ** Math.min(attempts - 1, 20), maxSeconds);
  return Math.ceil(delay * (1 + random / 10));
}
