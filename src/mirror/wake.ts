// Wakes the parts of a mirror that sleep until their next cycle, because the upstream has announced a change.
import type { Clock } from "../lease/clock.ts";
import type { Budget, Rate } from "./upstream/request-budget.ts";

/** A replica of the upstream may be behind its stream: what was woken looks again after this time. */
const secondLookMs = 1000;

type WakeOptions = {
  readonly clock: Clock;
  readonly budget: Budget;
  readonly rate: Rate;
};

export class Wake {
  readonly #options: WakeOptions;
  #isDue = false;
  #looksAgain = false;
  #interrupt: (() => void) | undefined;

  constructor(options: WakeOptions) {
    this.#options = options;
  }

  /** Ends the current sleep, or the next one: what is being read may be older than the change. */
  call(): void {
    this.#isDue = true;
    this.#interrupt?.();
  }

  /** Sleeps for this long, or until there is a change to read. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const until = clock.ticks() + ms;
    if (!this.#isDue) {
      const woken = new AbortController();
      this.#interrupt = () => woken.abort();
      await clock.sleep(this.#looksAgain ? Math.min(ms, secondLookMs) : ms, AbortSignal.any([signal, woken.signal]));
      this.#interrupt = undefined;
    }
    this.#looksAgain = this.#isDue;
    if (this.#isDue) await this.#pace(until, signal);
    this.#isDue = false;
  }

  /** Leaves half of the budget to what isn't woken. */
  async #pace(until: number, signal: AbortSignal): Promise<void> {
    const { clock, budget, rate } = this.#options;
    while (!signal.aborted && clock.ticks() < until && budget.used() * 2 >= rate.requests)
      await clock.sleep(Math.min(rate.periodMs / rate.requests, until - clock.ticks()), signal);
  }
}

/** By the name of a resource; a part that isn't a resource's is woken by every change. */
export class Wakes {
  readonly #options: WakeOptions;
  readonly #byName = new Map<string, Wake>();

  constructor(options: WakeOptions) {
    this.#options = options;
  }

  of(name: string): Wake {
    const wake = this.#byName.get(name) ?? new Wake(this.#options);
    this.#byName.set(name, wake);
    return wake;
  }

  /** Without a name, anything may have changed. */
  call(name?: string): void {
    const one = name === undefined ? undefined : this.#byName.get(name);
    for (const wake of one === undefined ? this.#byName.values() : [one]) wake.call();
  }
}
