// Token bucket as one number: the time at which the full burst is available again. Requests in other processes move that
// time too.
import type { LimitDelta, LimitTotal } from "../store/store.ts";

export type Rate = { readonly perSecond: number; readonly burst: number };

/** Minimum interval of syncs while no request waits for one. */
export const exchangeSeconds = 0.2;

/** Share of the remaining allowance that a process may consume between syncs. */
const unsyncedShare = 1 / 64;

/** How many requests a process may allow between syncs. */
export const unsyncedLimit = (left: number): number => Math.max(1, Math.floor(left * unsyncedShare));

/** Tolerance for floating-point error. */
const tolerance = 1e-6;

/** Period name under which the store holds the bucket. */
export const bucketName = "";

/** Times are monotonic seconds. */
export class Bucket {
  rate: Rate;
  #fullAt = Number.NEGATIVE_INFINITY;
  /** Requests that are not synced yet: since the last sync, and in the current one. */
  #unsent = 0;
  #sending = 0;
  #firstUnsent = 0;
  /** Requests of all processes, as of the last sync. */
  #total: number | undefined;

  constructor(rate: Rate) {
    this.rate = rate;
  }

  get isKnown(): boolean {
    return this.#total !== undefined;
  }

  /** Requests that may be made now; negative when the processes together allowed too many. */
  available(now: number): number {
    return this.rate.burst - this.secondsToFull(now) * this.rate.perSecond;
  }

  secondsToFull(now: number): number {
    return Math.max(0, this.#fullAt - now);
  }

  /** Seconds until a request may be made; 0 when one may be made now. */
  wait(now: number): number {
    const lacking = 1 - this.available(now);
    return lacking <= tolerance ? 0 : lacking / this.rate.perSecond;
  }

  /** Whether too many requests are unsynced to allow more. */
  mustSync(now: number): boolean {
    const usual = Math.ceil(this.rate.perSecond * exchangeSeconds);
    return this.#unsent + this.#sending >= Math.max(usual, unsyncedLimit(this.available(now)));
  }

  spend(now: number): void {
    this.#fullAt = Math.max(this.#fullAt, now) + 1 / this.rate.perSecond;
    if (this.#unsent === 0) this.#firstUnsent = now;
    this.#unsent++;
  }

  /** The usage to sync. Times are sent as ages, because clocks of machines differ. */
  beginSync(key: string, now: number): LimitDelta {
    const requests = this.#unsent;
    this.#sending = requests;
    this.#unsent = 0;
    const { perSecond, burst } = this.rate;
    return {
      key,
      period: bucketName,
      requests,
      seconds: requests / perSecond,
      age: requests === 0 ? 0 : now - this.#firstUnsent,
      // Bounds how long a clock that was set back can block a key.
      maxSeconds: 10 + (10 * burst) / perSecond,
    };
  }

  /** Applies the total of all processes. If no other process has used the key, the local state is more precise. */
  applySync({ requests, secondsToFull }: LimitTotal, sentAt: number): void {
    const byOthers = this.#total === undefined || requests > this.#total + this.#sending;
    this.#total = requests;
    this.#sending = 0;
    if (!byOthers) return;
    const fullAt = sentAt + secondsToFull;
    const since = this.#unsent === 0 ? fullAt : Math.max(fullAt, this.#firstUnsent);
    this.#fullAt = Math.max(this.#fullAt, since + this.#unsent / this.rate.perSecond);
  }

  /** Reverts a failed sync. */
  cancelSync(sentAt: number, { age }: LimitDelta): void {
    if (this.#sending > 0) this.#firstUnsent = sentAt - age;
    this.#unsent += this.#sending;
    this.#sending = 0;
  }
}
