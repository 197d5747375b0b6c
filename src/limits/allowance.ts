// Remaining allowance of one key as this process knows it: rate limit and quota, checked and consumed together.
import type { Terms } from "../core/access/terms.ts";
import type { Zone } from "../core/value/time-zone.ts";
import type { LimitDelta, LimitTotal } from "../store/store.ts";
import { Bucket, bucketName, type Rate } from "./bucket.ts";
import { type Quota, QuotaCount } from "./quota.ts";

export type Clock = {
  /** Unix seconds, for days and months. */
  now(): number;
  /** Monotonic seconds, for rates. */
  ticks(): number;
};

export type LimitName = "rate" | "quota";

/** One limit as reported to clients. Seconds are whole and rounded up. */
export type LimitStatus = {
  readonly name: LimitName;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

export type Decision = {
  /** The limit that the request exceeds; undefined when it is allowed. */
  readonly refused: LimitName | undefined;
  /** Whole seconds until a retry; 0 when the request is allowed. */
  readonly retrySeconds: number;
  readonly statuses: readonly LimitStatus[];
};

export type KeyLimits = Pick<Terms, "rate" | "burst" | "quota" | "quotaPer">;

export const isLimited = ({ rate, quota }: KeyLimits): boolean => rate > 0 || quota > 0;

export class Allowance {
  readonly key: string;
  readonly #clock: Clock;
  #bucket: Bucket | undefined;
  #quota: QuotaCount | undefined;

  constructor(key: string, limits: KeyLimits, zone: Zone, clock: Clock) {
    this.key = key;
    this.#clock = clock;
    this.update(limits, zone);
  }

  /** Applies changed limits; usage so far still counts. */
  update({ rate, burst, quota, quotaPer }: KeyLimits, zone: Zone): void {
    const newRate: Rate = { perSecond: rate, burst: Math.max(1, burst > 0 ? burst : Math.ceil(rate)) };
    if (rate === 0) this.#bucket = undefined;
    else if (this.#bucket === undefined) this.#bucket = new Bucket(newRate);
    else this.#bucket.rate = newRate;
    const newQuota: Quota = { requests: quota, per: quotaPer, zone };
    if (quota === 0) this.#quota = undefined;
    else if (this.#quota === undefined) this.#quota = new QuotaCount(newQuota);
    else this.#quota.update(newQuota);
  }

  /** Whether usage must be synced with the other processes before deciding: always before the first request. */
  mustSync(): boolean {
    if (this.#bucket !== undefined) {
      const ticks = this.#clock.ticks();
      if (!this.#bucket.isKnown || (this.#bucket.wait(ticks) === 0 && this.#bucket.mustSync(ticks))) return true;
    }
    if (this.#quota === undefined) return false;
    const now = this.#clock.now();
    return !this.#quota.isKnown(now) || (this.#quota.remaining(now) > 0 && this.#quota.mustSync(now));
  }

  /** Decides a request by what is known. A rejected one consumes neither rate nor quota. */
  consume(): Decision {
    const [now, ticks] = [this.#clock.now(), this.#clock.ticks()];
    const wait = this.#bucket?.wait(ticks) ?? 0;
    const isSpent = this.#quota !== undefined && this.#quota.remaining(now) === 0;
    // Reports the limit with the longer wait.
    const refused = isSpent ? "quota" : wait > 0 ? "rate" : undefined;
    if (refused === undefined) {
      this.#bucket?.spend(ticks);
      this.#quota?.spend(now);
    }
    const standings = this.#statuses(now, ticks);
    const reset = standings.find(({ name }) => name === "quota")?.resetSeconds ?? 0;
    const retrySeconds = refused === "quota" ? reset : Math.ceil(wait);
    return { refused, retrySeconds: refused === undefined ? 0 : Math.max(1, retrySeconds), statuses: standings };
  }

  #statuses(now: number, ticks: number): LimitStatus[] {
    const standings: LimitStatus[] = [];
    if (this.#bucket !== undefined) {
      const { burst, perSecond } = this.#bucket.rate;
      standings.push({
        name: "rate",
        limit: burst,
        windowSeconds: Math.max(1, Math.ceil(burst / perSecond)),
        // Tolerates floating-point error.
        remaining: Math.max(0, Math.floor(this.#bucket.available(ticks) + 1e-6)),
        resetSeconds: Math.ceil(this.#bucket.secondsToFull(ticks)),
      });
    }
    if (this.#quota !== undefined) {
      const { from, before } = this.#quota.period(now);
      standings.push({
        name: "quota",
        limit: this.#quota.quota.requests,
        windowSeconds: before - from,
        remaining: this.#quota.remaining(now),
        resetSeconds: Math.ceil(before - now),
      });
    }
    return standings;
  }

  beginSync(): PendingSync {
    const sentAt = this.#clock.ticks();
    // First the quota: if its day can't be determined, neither is changed.
    const quota = this.#quota?.beginSync(this.key, this.#clock.now()) ?? [];
    const bucket = this.#bucket?.beginSync(this.key, sentAt);
    return { sentAt, bucket, spending: bucket === undefined ? quota : [bucket, ...quota] };
  }

  applySync(spent: LimitTotal, { sentAt }: PendingSync): void {
    if (spent.period === bucketName) this.#bucket?.applySync(spent, sentAt);
    else this.#quota?.applySync(spent);
  }

  cancelSync({ sentAt, bucket }: PendingSync): void {
    if (bucket !== undefined) this.#bucket?.cancelSync(sentAt, bucket);
    this.#quota?.cancelSync();
  }
}

/** The part of an allowance that is being synced. */
export type PendingSync = {
  readonly sentAt: number;
  readonly bucket: LimitDelta | undefined;
  readonly spending: readonly LimitDelta[];
};
