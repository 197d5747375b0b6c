// Counts wrong tokens by the address that they come from. Bounded in memory: the address that was silent longest is forgotten.
import { networkOf } from "../core/access/client-network.ts";

export type WrongTokens = {
  /** Counts a wrong token; gives how many seconds the address must wait, 0 while it is within its bounds. */
  count(address: string): number;
  /** The same without counting. */
  wait(address: string): number;
  readonly size: number;
};

export const mostAddresses = 10_000;

/** `perMinute` of them may come at once, and as many each minute; 0: any number. `ticks` are seconds that only go forward. */
export function wrongTokens(perMinute: number, ticks: () => number): WrongTokens {
  /** When all that an address may send is there again; in the order of the last wrong token. */
  const fullAt = new Map<string, number>();
  const spacing = 60 / perMinute;
  const waitAt = (full: number | undefined, now: number): number => {
    const wait = full === undefined ? 0 : full - now - (60 - spacing);
    // Moments are doubles: a minute is no longer for their last digits.
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
      // One that is refused does not put off the end of the wait.
      fullAt.set(network, wait > 0 ? known : Math.max(known, now) + spacing);
      const [oldest] = fullAt.keys();
      if (fullAt.size > mostAddresses && oldest !== undefined) fullAt.delete(oldest);
      return wait;
    },
    get size() {
      return fullAt.size;
    },
  };
}
