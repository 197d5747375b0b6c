// A part of a mirror's work, such as a resource or its removals: it fails, is reported, and backs off on its own.
import type { Step, SyncContext } from "./lists/lists.ts";
import { RetriesExhaustedError } from "./upstream/upstream.ts";

export type PartOptions = {
  readonly context: SyncContext;
  readonly everyMs: number;
  /** Ends when everything has been read or has failed for good. */
  readonly once: boolean;
  /** Reports the outcome of a part: `why` it failed, or undefined when it succeeded. */
  readonly report: (part: string, why: string | undefined) => void;
};

/** A part that fails this many times in a row is skipped when running `once`. */
const maxFailures = 3;
/** Delay between cycles when running `once`. */
const onceDelayMs = 100;
const maxBackoffMs = 300_000;

export class Part {
  readonly name: string;
  /** Names the part in every request. */
  readonly context: SyncContext;
  readonly #options: PartOptions;
  #failures = 0;
  #isLasting = false;
  #retryAt = 0;

  constructor(name: string, options: PartOptions) {
    const { context } = options;
    this.name = name;
    this.#options = options;
    this.context = { ...context, request: (request) => context.request({ ...request, part: name }) };
  }

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  get hasGivenUp(): boolean {
    return this.#options.once && (this.#isLasting || this.#failures >= maxFailures);
  }

  /** Has succeeded, or is no longer attempted. */
  get isSettled(): boolean {
    return !this.hasFailed || this.hasGivenUp;
  }

  get isDue(): boolean {
    return !this.hasGivenUp && this.context.clock.ticks() >= this.#retryAt;
  }

  /** Time until the next cycle that began at `began`, or until the next attempt. */
  pauseMs(began: number): number {
    const { once, everyMs } = this.#options;
    const now = this.context.clock.ticks();
    const next = this.hasFailed ? this.#retryAt : began + everyMs;
    return once && !this.hasFailed ? onceDelayMs : Math.max(0, next - now);
  }

  /** Runs a step of the work; a failure is reported and delays the next attempt, longer each time. */
  async attempt<S extends Step>(work: (context: SyncContext) => Promise<S>): Promise<S | (Step & { ok: false })> {
    const { once, everyMs, report } = this.#options;
    const step = await work(this.context).catch((error: unknown) => {
      if (!(error instanceof RetriesExhaustedError)) throw error;
      return { ok: false as const, why: `${this.name}: ${error.message}`, lasting: true };
    });
    this.#failures = step.ok ? 0 : this.#failures + 1;
    this.#isLasting = !step.ok && step.lasting === true;
    if (!step.ok) {
      const base = once ? onceDelayMs : everyMs;
      const delay = Math.max(base, Math.min(base * 2 ** (this.#failures - 1), maxBackoffMs));
      this.#retryAt = this.context.clock.ticks() + delay;
    }
    report(this.name, step.ok ? undefined : step.why);
    return step;
  }
}
