// Brute-force guard: limits invalid tokens per client network. Bounded memory: the least recently seen one is evicted.
import { networkOf } from "../core/access/client-network.ts";

type WrongTokenCounter = {
  /** Counts an invalid token; returns the seconds the address must wait, 0 while it is within the limit. */
  count(address: string): number;
  /** The wait without counting a token. */
  wait(address: string): number;
  readonly size: number;
};

export const maxAddresses = 10_000;

/** `perMinute` is both rate and burst; 0: no limit. `ticks` are monotonic seconds. */
export function wrongTokenCounter(perMinute: number, ticks: () => number): WrongTokenCounter {
  /** When each network's full burst is available again, ordered by its last invalid token. */
  const fullAt = new Map<string, number>();
  const spacing = 60 / perMinute;
  const waitAt = (full: number | undefined, now: number): number => {
    const wait = full === undefined ? 0 : full - now - (60 - spacing);
    // Tolerates floating-point error.
    return wait < 1e-6 ? 0 : Math.ceil(wait);
  };
  return {
    wait: (address) => (perMinute === 0 ? 0 : waitAt(fullAt.get(networkOf(address)), ticks())),
    count: (address) => {
      if (perMinute === 0) return 0;
      const network = networkOf(address);
      const now = ticks();
      const known = fullAt.get(network) ?? now;
      const wait = waitAt(known, now);
      fullAt.delete(network);
      // A rejected token doesn't extend the wait.
      fullAt.set(network, wait > 0 ? known : Math.max(known, now) + spacing);
      const [oldest] = fullAt.keys();
      if (fullAt.size > maxAddresses && oldest !== undefined) fullAt.delete(oldest);
      return wait;
    },
    get size() {
      return fullAt.size;
    },
  };
}
