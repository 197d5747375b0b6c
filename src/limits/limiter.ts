// Judges requests by the limits of their keys, and shares what was used with the other processes through the store: many
// requests in one exchange, and none while no limited key is in use.
import type { Zone } from "../core/value/time-zone.ts";
import type { LimitDelta, LimitTotal } from "../store/store.ts";
import { Allowance, type Clock, isLimited, type KeyLimits, type Sent, type Verdict } from "./allowance.ts";
import { exchangeSeconds } from "./bucket.ts";

/** How long requests wait for the word of the others; after that this process judges by what it knows. */
const patienceSeconds = 2;

/** Adds up what processes have used, and gives what all have. */
export type Exchange = (spending: readonly LimitDelta[]) => Promise<readonly LimitTotal[]>;

export type LimiterOptions = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Told when the others could not be heard: limits hold in each process alone then. */
  readonly onLost?: (error: unknown) => void;
};

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #allowances = new Map<string, Allowance>();
  /** Those that have been used since the last exchange. */
  readonly #used = new Set<Allowance>();
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #exchangedAt = Number.NEGATIVE_INFINITY;
  #lostAt = Number.NEGATIVE_INFINITY;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /**
   * The allowance of a key, the same for all who ask by its name; undefined for a key without limits. Limits that may
   * have been changed since they were read are not current, and leave a known allowance as it is.
   */
  of(key: { readonly name: string } & KeyLimits, zone: Zone, isCurrent = true): Allowance | undefined {
    const known = this.#allowances.get(key.name);
    if (isCurrent) known?.become(key, zone);
    if (!isLimited(key)) return undefined;
    if (known !== undefined) return known;
    const allowance = new Allowance(key.name, key, zone, this.#options.clock);
    this.#allowances.set(key.name, allowance);
    return allowance;
  }

  /** The verdict, when it can be given at once. */
  judge(allowance: Allowance): Verdict | undefined {
    return allowance.mustAsk() && !this.#isLost() ? undefined : this.#take(allowance);
  }

  /** The verdict, after the other processes were heard where they have to be. */
  async take(allowance: Allowance): Promise<Verdict> {
    while (allowance.mustAsk() && !this.#isLost()) {
      this.#used.add(allowance);
      if (!(await this.#heard())) break;
    }
    return this.#take(allowance);
  }

  /** Tells the others everything that they have not heard; for the end of the process. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#underWay;
    if (this.#used.size > 0) await this.#exchange();
    clearTimeout(this.#timer);
  }

  #take(allowance: Allowance): Verdict {
    const verdict = allowance.take();
    if (verdict.refused === undefined) {
      this.#used.add(allowance);
      this.#schedule();
    }
    return verdict;
  }

  /** Whether the others were not heard just now, or have not answered for long. */
  #isLost(): boolean {
    const ticks = this.#options.clock.ticks();
    const isOverdue = this.#underWay !== undefined && ticks > this.#exchangedAt + patienceSeconds;
    if (isOverdue) this.#tell(new Error(`no answer within ${patienceSeconds} seconds`));
    return isOverdue || ticks < this.#lostAt + exchangeSeconds;
  }

  /** A request must not fail for it. */
  #tell(error: unknown): void {
    try {
      this.#options.onLost?.(error);
    } catch {}
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#underWay !== undefined) return;
    const due = this.#exchangedAt + exchangeSeconds - this.#options.clock.ticks();
    // Nobody waits for this one, so nobody else would take what goes wrong in it.
    const run = () => this.#exchange().catch(() => {});
    this.#timer = setTimeout(run, Math.max(0, due * 1000)).unref();
  }

  /** False when it took too long. One exchange serves all who wait, but for those who came after it was sent. */
  async #heard(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceSeconds * 1000);
    });
    const heard = (this.#underWay ?? this.#exchange()).then(() => true);
    const result = await Promise.race([heard, tooLong]);
    clearTimeout(timer);
    return result;
  }

  #exchange(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#underWay ??= this.#run().finally(() => {
      this.#underWay = undefined;
      if (this.#used.size > 0) this.#schedule();
    });
    return this.#underWay;
  }

  async #run(): Promise<void> {
    const { exchange, clock } = this.#options;
    const sent = new Map<string, { allowance: Allowance; sent: Sent }>();
    this.#exchangedAt = clock.ticks();
    try {
      for (const allowance of this.#used) sent.set(allowance.key, { allowance, sent: allowance.send() });
      this.#used.clear();
      const all = await exchange([...sent.values()].flatMap((each) => each.sent.spending));
      for (const spent of all) {
        const told = sent.get(spent.key);
        told?.allowance.hear(spent, told.sent);
      }
    } catch (error) {
      this.#lostAt = clock.ticks();
      for (const { allowance, sent: told } of sent.values()) {
        allowance.unsend(told);
        this.#used.add(allowance);
      }
      this.#tell(error);
    }
  }
}
