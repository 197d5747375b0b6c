// A rate with a burst, as one number: the moment at which the whole burst is there again. What other processes let
// through moves that moment too.
import type { LimitDelta, LimitTotal } from "../store/store.ts";

export type Rate = { readonly perSecond: number; readonly burst: number };

/** How often processes tell each other, at most, while nobody waits for their word. */
export const exchangeSeconds = 0.2;

/** Part of what is left that a process uses before it hears the others. */
const share = 1 / 64;

/** How many requests a process lets through before it hears the others. */
export const alone = (left: number): number => Math.max(1, Math.floor(left * share));

/** Moments are doubles: a request is not refused for the last digits of one. */
const tolerance = 1e-6;

/** Name of the bucket among the periods of a key. */
export const bucketName = "";

/** Moments are seconds of a clock that only goes forward. */
export class Bucket {
  rate: Rate;
  #fullAt = Number.NEGATIVE_INFINITY;
  /** Requests that the others have not heard of: since the last exchange, and in the one that is under way. */
  #unsent = 0;
  #sending = 0;
  #firstUnsent = 0;
  /** Requests of all processes, as last heard. */
  #total: number | undefined;

  constructor(rate: Rate) {
    this.rate = rate;
  }

  get isKnown(): boolean {
    return this.#total !== undefined;
  }

  /** Requests that may be made at once; below zero when processes together let too many through. */
  available(now: number): number {
    return this.rate.burst - this.secondsToFull(now) * this.rate.perSecond;
  }

  secondsToFull(now: number): number {
    return Math.max(0, this.#fullAt - now);
  }

  /** How long until a request may be made; 0 when one may be made now. */
  wait(now: number): number {
    const lacking = 1 - this.available(now);
    return lacking <= tolerance ? 0 : lacking / this.rate.perSecond;
  }

  /** Whether so much was let through unheard that the others must be heard before more is. */
  mustAsk(now: number): boolean {
    const usual = Math.ceil(this.rate.perSecond * exchangeSeconds);
    return this.#unsent + this.#sending >= Math.max(usual, alone(this.available(now)));
  }

  spend(now: number): void {
    this.#fullAt = Math.max(this.#fullAt, now) + 1 / this.rate.perSecond;
    if (this.#unsent === 0) this.#firstUnsent = now;
    this.#unsent++;
  }

  /** What to tell the others. Times are told as ages, since clocks of machines differ. */
  send(key: string, now: number): LimitDelta {
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
      // No clock that was set back keeps a key shut for longer than this.
      maxSeconds: 10 + (10 * burst) / perSecond,
    };
  }

  /** `sentAt` is when it was sent. What this process alone has done it knows better than anybody. */
  hear({ requests, secondsToFull: ahead }: LimitTotal, sentAt: number): void {
    const byOthers = this.#total === undefined || requests > this.#total + this.#sending;
    this.#total = requests;
    this.#sending = 0;
    if (!byOthers) return;
    const heard = sentAt + ahead;
    const since = this.#unsent === 0 ? heard : Math.max(heard, this.#firstUnsent);
    this.#fullAt = Math.max(this.#fullAt, since + this.#unsent / this.rate.perSecond);
  }

  /** What was sent did not arrive. */
  unsend(sentAt: number, { age }: LimitDelta): void {
    if (this.#sending > 0) this.#firstUnsent = sentAt - age;
    this.#unsent += this.#sending;
    this.#sending = 0;
  }
}
