// The pool of reader threads. Reads are sent in batches; when one turns out to be slow, those behind it move to another
// thread. One thread is reserved for reads that are always fast. A read can't be interrupted: at its limit the caller gets
// an error, and the thread is replaced and left to finish.
import { BusyError, ExpensiveError } from "../../store.ts";
import type { Attachment } from "./messages.ts";
import { type Job, Thread } from "./thread.ts";

/** Reads per message: sending one costs as much as a small read. */
const batchSize = 8;

/** Reads in flight per thread: it starts the next batch while the results of the last one are processed. */
const maxInFlight = 2 * batchSize;

/** A thread that hasn't replied for this long is slow. */
const slowMs = 25;

/** Threads that accept any read, started on demand. */
const maxGeneralThreads = 3;

/** Threads past their limit that may be replaced before one of them finishes. */
const maxAbandoned = 4;

type QueuedJob = Job & { readonly since: number };

type Reader = {
  readonly thread: Thread;
  readonly isGeneral: boolean;
  /** Fires when the thread counts as slow. */
  readonly slowTimer: NodeJS.Timeout;
  replies: number;
  /** Fires when its read is past the limit; undefined while the thread isn't slow. */
  abandonTimer: NodeJS.Timeout | undefined;
};

export type ReaderOptions = Attachment & {
  readonly program: URL;
  /** When to stop waiting for a thread; `limitMs` cancels most reads before. */
  readonly abandonMs: number;
};

export class ReaderPool {
  readonly #options: ReaderOptions;
  readonly #readers: Reader[] = [];
  readonly #abandoned = new Set<Thread>();
  /** Reads that are always fast, and all others. */
  readonly #queues: { readonly quick: QueuedJob[]; readonly general: QueuedJob[] } = { quick: [], general: [] };
  #isScheduled = false;
  #sweep: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    // Started early, to be ready for the first read.
    this.#start(false);
  }

  /** `isQuick`: fast for any data. Any other call may run twice. */
  call(name: string, args: readonly unknown[], isQuick: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const queue = isQuick ? this.#queues.quick : this.#queues.general;
      queue.push({ name, args, resolve, reject, since: performance.now() });
      // Batches the reads of all requests that arrived together.
      if (queue.length >= batchSize) this.#dispatch();
      else if (!this.#isScheduled) {
        this.#isScheduled = true;
        process.nextTick(() => {
          this.#isScheduled = false;
          this.#dispatch();
        });
      }
    });
  }

  /** Closes the database in each thread, once all reads that aren't past their limit are done. */
  async close(): Promise<void> {
    while (this.#isWaiting || this.#readers.some(({ thread }) => thread.inFlight > 0))
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    clearTimeout(this.#sweep);
    for (const { slowTimer: timer } of this.#readers) clearTimeout(timer);
    await Promise.all(this.#readers.splice(0).map(({ thread }) => thread.detach()));
  }

  get #isWaiting(): boolean {
    return this.#queues.quick.length + this.#queues.general.length > 0;
  }

  #dispatch(): void {
    for (const isGeneral of [false, true]) {
      const queue = isGeneral ? this.#queues.general : this.#queues.quick;
      while (queue.length > 0) {
        const reader = this.#freeReader(isGeneral) ?? this.#start(isGeneral);
        if (reader === undefined) break;
        if (reader.thread.inFlight === 0) reader.slowTimer.refresh();
        reader.thread.run(queue.splice(0, Math.min(batchSize, maxInFlight - reader.thread.inFlight)));
      }
    }
    if (this.#isWaiting) this.#scheduleSweep();
  }

  /** Prefers the same thread, whose data is still in the processor's cache. */
  #freeReader(isGeneral: boolean): Reader | undefined {
    return this.#readers.find(
      (each) => each.isGeneral === isGeneral && each.abandonTimer === undefined && each.thread.inFlight < maxInFlight,
    );
  }

  /** Starts another thread of the kind, if the limit allows. */
  #start(isGeneral: boolean): Reader | undefined {
    const same = this.#readers.filter((each) => each.isGeneral === isGeneral);
    // A thread that's busy but not slow will soon accept more.
    if (
      same.length >= (isGeneral ? maxGeneralThreads : 1) ||
      same.some(({ abandonTimer: limit }) => limit === undefined)
    )
      return undefined;
    const { program, file, limitMs } = this.#options;
    const thread = Thread.attach(program, { file, limitMs }, () => this.#replied(reader));
    const timer = setTimeout(() => this.#checkSoon(reader), slowMs).unref();
    const reader: Reader = { thread, isGeneral, slowTimer: timer, replies: 0, abandonTimer: undefined };
    this.#readers.push(reader);
    return reader;
  }

  #replied(reader: Reader): void {
    const { thread } = reader;
    if (this.#abandoned.has(thread)) {
      if (thread.inFlight === 0) {
        this.#abandoned.delete(thread);
        void thread.detach();
      }
      return;
    }
    reader.replies++;
    clearTimeout(reader.abandonTimer);
    reader.abandonTimer = undefined;
    if (thread.hasEnded) this.#remove(reader);
    else reader.slowTimer.refresh();
    this.#dispatch();
    if (thread.inFlight === 0) this.#onIdle?.();
  }

  /** If the main thread was blocked, a reply may have arrived that isn't processed yet. */
  #checkSoon(reader: Reader): void {
    const { thread, replies } = reader;
    if (thread.inFlight === 0) return;
    setImmediate(() => {
      if (reader.replies !== replies || thread.inFlight === 0 || !this.#readers.includes(reader)) return;
      // A thread that hasn't begun isn't slow: it's starting, or waiting for a processor.
      if (thread.isRunning) this.#becomeSlow(reader);
      else reader.slowTimer.refresh();
    });
  }

  /** Moves the reads behind the slow one to another thread. They may run twice, which fast calls must not. */
  #becomeSlow(reader: Reader): void {
    const { abandonMs } = this.#options;
    reader.abandonTimer = setTimeout(() => this.#expireSoon(reader), Math.max(0, abandonMs - slowMs)).unref();
    if (!reader.isGeneral) return;
    this.#queues.general.unshift(...(reader.thread.reclaim() as QueuedJob[]));
    this.#dispatch();
  }

  /** As in `#checkSoon`. */
  #expireSoon(reader: Reader): void {
    const { replies } = reader;
    setImmediate(() => {
      if (reader.replies === replies && this.#readers.includes(reader)) this.#expire(reader);
    });
  }

  #expire(reader: Reader): void {
    const { thread } = reader;
    thread.fail(new ExpensiveError(`a read of the SQLite database was canceled after ${this.#seconds} seconds`));
    if (this.#abandoned.size < maxAbandoned) {
      this.#abandoned.add(thread);
      this.#remove(reader);
      this.#dispatch();
    }
    this.#onIdle?.();
  }

  #remove(reader: Reader): void {
    clearTimeout(reader.slowTimer);
    clearTimeout(reader.abandonTimer);
    const at = this.#readers.indexOf(reader);
    if (at !== -1) this.#readers.splice(at, 1);
  }

  /** Fails reads that have waited for a thread as long as a read may take. */
  #scheduleSweep(): void {
    if (this.#sweep !== undefined) return;
    const { abandonMs } = this.#options;
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined;
      const isExpired = ({ since }: QueuedJob) => performance.now() - since >= abandonMs;
      for (const queue of Object.values(this.#queues)) {
        const firstCurrent = queue.findIndex((each) => !isExpired(each));
        for (const { reject } of queue.splice(0, firstCurrent === -1 ? queue.length : firstCurrent))
          reject(new BusyError(`no SQLite thread became available within ${this.#seconds} seconds`));
      }
      if (this.#isWaiting) this.#scheduleSweep();
      else this.#onIdle?.();
    }, abandonMs / 4).unref();
  }

  get #seconds(): number {
    return this.#options.abandonMs / 1000;
  }
}
