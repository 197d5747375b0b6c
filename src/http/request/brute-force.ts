// Refuses tokens that are wrong: 401, and 429 for an address that sends many. While an address does, its tokens are held
// against the hashes of all keys in memory, so that guesses cost no look at the database and a good key passes as ever.
import { type Problem, problem } from "../../core/problem.ts";
import { wrongTokenCounter } from "../../limits/brute-force.ts";
import { type Store, StoreError, type StoreState } from "../../store/store.ts";
import { challenge } from "./auth.ts";

export type BruteForceGuard = {
  /** Whether the hash is worth a look at the database. */
  mayBeKey(hash: string, address: string, state: StoreState): Promise<boolean>;
  /** The problem with a wrong token. */
  refuse(address: string): Problem;
};

/** One text for unknown, expired and revoked: a stranger learns nothing of which keys there were. */
const unknown = problem("key.unknown", undefined, challenge);

export type GuessOptions = {
  readonly store: Store;
  /** Wrong tokens that an address may send in a minute; 0: any number. */
  readonly perMinute: number;
  /** Seconds that only go forward. */
  readonly ticks: () => number;
};

export function bruteForceGuard({ store, perMinute, ticks }: GuessOptions): BruteForceGuard {
  const wrong = wrongTokenCounter(perMinute, ticks);
  let keys = -1;
  let hashes: Promise<ReadonlySet<string>> | undefined;

  const allHashes = (state: StoreState): Promise<ReadonlySet<string>> => {
    if (hashes === undefined || keys !== state.keysVersion) {
      keys = state.keysVersion;
      hashes = store.listKeys().then((all) => new Set(all.map(({ hash }) => hash)));
      hashes.catch(() => {
        hashes = undefined;
      });
    }
    return hashes;
  };

  return {
    mayBeKey: async (hash, address, state) => {
      if (wrong.wait(address) === 0) return true;
      try {
        return (await allHashes(state)).has(hash);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return true;
      }
    },
    refuse: (address) => {
      const wait = wrong.count(address);
      if (wait === 0) return unknown;
      const detail = `The token is not accepted, as many before it from this address; try again in ${wait} seconds, with another.`;
      return problem("limit.tokens", detail, { headers: { "retry-after": String(wait) } });
    },
  };
}
