// Brute-force guard: 401 for an invalid token, 429 for an address that sends many. While it does, its tokens are checked
// against the hashes of all keys in memory: guesses cost no database lookup, and valid keys still pass.
import { type Problem, problem } from "../../core/problem.ts";
import { wrongTokenCounter } from "../../limits/brute-force.ts";
import { type Store, StoreError, type StoreState } from "../../store/store.ts";
import { challenge } from "./auth.ts";

export type BruteForceGuard = {
  /** Whether the hash is worth a database lookup. */
  mayExist(hash: string, address: string, state: StoreState): Promise<boolean>;
  /** Counts an invalid token. */
  reject(address: string): Problem;
};

/** The same for unknown, expired, and revoked tokens: it must not reveal which keys existed. */
const unknown = problem("key.unknown", undefined, challenge);

type GuardOptions = {
  readonly store: Store;
  /** Invalid tokens that an address may send per minute; 0: any number. */
  readonly perMinute: number;
  /** Seconds on a monotonic clock. */
  readonly ticks: () => number;
};

export function bruteForceGuard({ store, perMinute, ticks }: GuardOptions): BruteForceGuard {
  const wrong = wrongTokenCounter(perMinute, ticks);
  let keys = -1;
  let hashes: Promise<ReadonlySet<string>> | undefined;

  const allHashes = (state: StoreState): Promise<ReadonlySet<string>> => {
    if (hashes === undefined || keys !== state.keysVersion) {
      keys = state.keysVersion;
      hashes = Promise.all([store.listKeys(), store.listLinks()]).then(
        (all) => new Set(all.flat().map(({ hash }) => hash)),
      );
      hashes.catch(() => {
        hashes = undefined;
      });
    }
    return hashes;
  };

  return {
    mayExist: async (hash, address, state) => {
      if (wrong.wait(address) === 0) return true;
      try {
        return (await allHashes(state)).has(hash);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return true;
      }
    },
    reject: (address) => {
      const wait = wrong.count(address);
      if (wait === 0) return unknown;
      const detail = `Too many invalid tokens from this address. Try again in ${wait} seconds with a valid one.`;
      return problem("limit.tokens", detail, { headers: { "retry-after": String(wait) } });
    },
  };
}
