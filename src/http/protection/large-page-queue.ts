// Queue for large pages, bounded in length and time: at most one starts per event loop iteration, so that small pages
// aren't delayed by several in a row.
import { type Problem, problem } from "../../core/problem.ts";
import type { Plan } from "../../core/query/plan.ts";

export type LargePageLimits = {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly timeoutMs: number;
};

export const defaultLargePageLimits: LargePageLimits = { concurrency: 1, maxWaiting: 64, timeoutMs: 5000 };

/** Longest pause between two large pages, if small ones are requested. */
const maxPauseMs = 50;

/** Most records of a small page; records with body text count twice. */
const maxSmallRecords = 200;

export const isLarge = ({ limit, include }: Plan): boolean => limit * (include.length > 0 ? 2 : 1) > maxSmallRecords;

export class LargePageQueue {
  readonly #limits: LargePageLimits;
  readonly #detail: string;
  readonly #queue: (() => void)[] = [];
  #startedAt = 0;
  #small = 0;
  #inFlight = 0;
  #refused = 0;

  constructor(limits: LargePageLimits, detail = "Too many large pages are requested at once.") {
    this.#limits = limits;
    this.#detail = detail;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get refused(): number {
    return this.#refused;
  }

  /** While small pages are being read, large ones leave them as much time as they take. */
  countSmall(): void {
    this.#small++;
  }

  /** A problem if the queue is full, the wait too long, or the client gone; otherwise `release` must follow. */
  async acquire(isAborted: () => boolean): Promise<Problem | undefined> {
    const { concurrency, maxWaiting } = this.#limits;
    if (this.#inFlight >= concurrency) return this.waiting >= maxWaiting ? this.#refuse() : this.#wait(isAborted);
    this.#inFlight++;
    this.#start();
    return undefined;
  }

  release(): void {
    // Other requests go first; if there are small pages among them, they get as much time as this page took.
    setImmediate(() => {
      if (this.#small === 0) this.#admitNext();
      else setTimeout(() => this.#admitNext(), Math.min(maxPauseMs, performance.now() - this.#startedAt));
    });
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#small = 0;
  }

  #admitNext(): void {
    this.#start();
    const admit = this.#queue.shift();
    if (admit === undefined) this.#inFlight--;
    else admit();
  }

  /** Disconnected clients don't count as rejected. */
  #refuse(isDisconnected = false): Problem {
    if (!isDisconnected) this.#refused++;
    return busy(this.#detail);
  }

  #wait(isAborted: () => boolean): Promise<Problem | undefined> {
    return new Promise((resolve) => {
      const limit = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(admit), 1);
        resolve(this.#refuse(isAborted()));
      }, this.#limits.timeoutMs);
      const admit = (): void => {
        clearTimeout(limit);
        // Nothing is read for a disconnected client.
        const isDisconnected = isAborted();
        resolve(isDisconnected ? this.#refuse(true) : undefined);
        if (isDisconnected) this.#admitNext();
      };
      this.#queue.push(admit);
    });
  }
}

export const busy = (detail: string): Problem =>
  problem("server.busy", `${detail} Try again in a moment.`, { headers: { "retry-after": "1" } });

export const overloaded = busy("This server is overloaded.");
