// What one key may still do, as this process knows it: both of its limits, asked together and used together.
import type { Terms } from "../core/access/terms.ts";
import type { Zone } from "../core/value/time-zone.ts";
import type { LimitDelta, LimitTotal } from "../store/store.ts";
import { Bucket, bucketName, type Rate } from "./bucket.ts";
import { type Quota, QuotaCount } from "./quota.ts";

export type Clock = {
  /** Unix seconds: by which days and months are told. */
  now(): number;
  /** Seconds that only go forward: by which rates are measured. */
  ticks(): number;
};

export type LimitName = "rate" | "quota";

/** One limit as a client is told of it. Seconds are whole and rounded up. */
export type Standing = {
  readonly name: LimitName;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

export type Verdict = {
  /** The limit that the request meets; undefined when it is let through. */
  readonly refused: LimitName | undefined;
  /** When to try again, in whole seconds; 0 when nothing is refused. */
  readonly retrySeconds: number;
  readonly standings: readonly Standing[];
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
    this.become(limits, zone);
  }

  /** The key has other limits now; what it has used stays used. */
  become({ rate, burst, quota, quotaPer }: KeyLimits, zone: Zone): void {
    const wantedRate: Rate = { perSecond: rate, burst: Math.max(1, burst > 0 ? burst : Math.ceil(rate)) };
    if (rate === 0) this.#bucket = undefined;
    else if (this.#bucket === undefined) this.#bucket = new Bucket(wantedRate);
    else this.#bucket.rate = wantedRate;
    const wantedQuota: Quota = { requests: quota, per: quotaPer, zone };
    if (quota === 0) this.#quota = undefined;
    else if (this.#quota === undefined) this.#quota = new QuotaCount(wantedQuota);
    else this.#quota.become(wantedQuota);
  }

  /** Whether the other processes must be heard before a request can be judged: always before the first. */
  mustAsk(): boolean {
    if (this.#bucket !== undefined) {
      const ticks = this.#clock.ticks();
      if (!this.#bucket.isKnown || (this.#bucket.wait(ticks) === 0 && this.#bucket.mustAsk(ticks))) return true;
    }
    if (this.#quota === undefined) return false;
    const now = this.#clock.now();
    return !this.#quota.isKnown(now) || (this.#quota.remaining(now) > 0 && this.#quota.mustAsk(now));
  }

  /** Judges a request by what is known. A refused one uses nothing up: not the rate, and not the quota. */
  take(): Verdict {
    const [now, ticks] = [this.#clock.now(), this.#clock.ticks()];
    const wait = this.#bucket?.wait(ticks) ?? 0;
    const isSpent = this.#quota !== undefined && this.#quota.remaining(now) === 0;
    // The longer wait is told: nothing is gained by coming back sooner.
    const refused = isSpent ? "quota" : wait > 0 ? "rate" : undefined;
    if (refused === undefined) {
      this.#bucket?.spend(ticks);
      this.#quota?.spend(now);
    }
    const standings = this.#standings(now, ticks);
    const reset = standings.find(({ name }) => name === "quota")?.resetSeconds ?? 0;
    const retrySeconds = refused === "quota" ? reset : Math.ceil(wait);
    return { refused, retrySeconds: refused === undefined ? 0 : Math.max(1, retrySeconds), standings };
  }

  #standings(now: number, ticks: number): Standing[] {
    const standings: Standing[] = [];
    if (this.#bucket !== undefined) {
      const { burst, perSecond } = this.#bucket.rate;
      standings.push({
        name: "rate",
        limit: burst,
        windowSeconds: Math.max(1, Math.ceil(burst / perSecond)),
        // A bucket is short by the last digits of a moment at times.
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

  send(): Sent {
    const sentAt = this.#clock.ticks();
    // A day that can't be told leaves both as they were.
    const quota = this.#quota?.send(this.key, this.#clock.now()) ?? [];
    const bucket = this.#bucket?.send(this.key, sentAt);
    return { sentAt, bucket, spending: bucket === undefined ? quota : [bucket, ...quota] };
  }

  hear(spent: LimitTotal, { sentAt }: Sent): void {
    if (spent.period === bucketName) this.#bucket?.hear(spent, sentAt);
    else this.#quota?.hear(spent);
  }

  unsend({ sentAt, bucket }: Sent): void {
    if (bucket !== undefined) this.#bucket?.unsend(sentAt, bucket);
    this.#quota?.unsend();
  }
}

/** What of an allowance is in an exchange. */
export type Sent = {
  readonly sentAt: number;
  readonly bucket: LimitDelta | undefined;
  readonly spending: readonly LimitDelta[];
};
