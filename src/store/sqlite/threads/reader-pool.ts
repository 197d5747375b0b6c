// The threads that read. Reads are sent in batches; when one of a batch turns out to be slow, the others go to another
// thread, and one thread takes only reads that are never slow. A read can't be interrupted: at its limit its client gets an
// error, and its thread is replaced and left to finish.
import { BusyError, ExpensiveError } from "../../store.ts";
import type { Attachment } from "./messages.ts";
import { type Job, Thread } from "./thread.ts";

/** Sent together: a message costs as much as a small read. */
const batchSize = 8;

/** In flight in one thread: it begins the next batch while the results of the last one are handled. */
const mostInFlight = 2 * batchSize;

/** A thread that has not replied for so long is slow. */
const slowMs = 25;

/** Threads that take any read; they are started when they are needed. */
const mostGeneral = 3;

/** Threads past their limit that were replaced; beyond that they are not, until one of them is done. */
const mostAbandoned = 4;

type Waiting = Job & { readonly since: number };

type Reader = {
  readonly thread: Thread;
  readonly isGeneral: boolean;
  /** When the thread becomes slow. */
  readonly timer: NodeJS.Timeout;
  replies: number;
  /** When its read is past the limit; undefined while the thread is not slow. */
  limit: NodeJS.Timeout | undefined;
};

export type ReaderOptions = Attachment & {
  readonly program: URL;
  /** When to stop waiting for a thread; its own limit ends most reads before. */
  readonly abandonMs: number;
};

export class ReaderPool {
  readonly #options: ReaderOptions;
  readonly #readers: Reader[] = [];
  readonly #abandoned = new Set<Thread>();
  /** Reads that are never slow, and all others. */
  readonly #queues: { readonly quick: Waiting[]; readonly general: Waiting[] } = { quick: [], general: [] };
  #isScheduled = false;
  #sweep: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    // Ready when the first read comes.
    this.#start(false);
  }

  /** `isQuick`: never slow, whatever the database holds. Any other call may be made twice. */
  call(name: string, args: readonly unknown[], isQuick: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const queue = isQuick ? this.#queues.quick : this.#queues.general;
      queue.push({ name, args, resolve, reject, since: performance.now() });
      // Once all requests that arrived together have been parsed.
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

  /** Closes the database in each thread, once all reads are done that are not past their limit. */
  async close(): Promise<void> {
    while (this.#isWaiting || this.#readers.some(({ thread }) => thread.inFlight > 0))
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    clearTimeout(this.#sweep);
    for (const { timer } of this.#readers) clearTimeout(timer);
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
        if (reader.thread.inFlight === 0) reader.timer.refresh();
        reader.thread.run(queue.splice(0, Math.min(batchSize, mostInFlight - reader.thread.inFlight)));
      }
    }
    if (this.#isWaiting) this.#scheduleSweep();
  }

  /** Always the same one where possible: the processor's cache holds what it works with. */
  #freeReader(isGeneral: boolean): Reader | undefined {
    return this.#readers.find(
      (each) => each.isGeneral === isGeneral && each.limit === undefined && each.thread.inFlight < mostInFlight,
    );
  }

  /** Another thread of the kind, where there may be one. */
  #start(isGeneral: boolean): Reader | undefined {
    const same = this.#readers.filter((each) => each.isGeneral === isGeneral);
    // A thread that is only full will have room soon.
    if (same.length >= (isGeneral ? mostGeneral : 1) || same.some(({ limit }) => limit === undefined)) return undefined;
    const { program, file, limitMs } = this.#options;
    const thread = Thread.attach(program, { file, limitMs }, () => this.#replied(reader));
    const timer = setTimeout(() => this.#checkSoon(reader), slowMs).unref();
    const reader: Reader = { thread, isGeneral, timer, replies: 0, limit: undefined };
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
    clearTimeout(reader.limit);
    reader.limit = undefined;
    if (thread.hasEnded) this.#remove(reader);
    else reader.timer.refresh();
    this.#dispatch();
    if (thread.inFlight === 0) this.#onIdle?.();
  }

  /** Where this thread was busy itself, a reply may have arrived that is not handled yet. */
  #checkSoon(reader: Reader): void {
    const { thread, replies } = reader;
    if (thread.inFlight === 0) return;
    setImmediate(() => {
      if (reader.replies !== replies || thread.inFlight === 0 || !this.#readers.includes(reader)) return;
      // A thread that has not begun is not slow: it is starting, or others have the processor.
      if (thread.isRunning) this.#becomeSlow(reader);
      else reader.timer.refresh();
    });
  }

  /** What is behind the slow read goes to another thread. It may be done twice, which quick calls must not be. */
  #becomeSlow(reader: Reader): void {
    const { abandonMs } = this.#options;
    reader.limit = setTimeout(() => this.#expire(reader), Math.max(0, abandonMs - slowMs)).unref();
    if (!reader.isGeneral) return;
    this.#queues.general.unshift(...(reader.thread.takeBack() as Waiting[]));
    this.#dispatch();
  }

  #expire(reader: Reader): void {
    const { thread } = reader;
    thread.fail(new ExpensiveError(`a read of the SQLite database was canceled after ${this.#seconds} seconds`));
    if (this.#abandoned.size < mostAbandoned) {
      this.#abandoned.add(thread);
      this.#remove(reader);
      this.#dispatch();
    }
    this.#onIdle?.();
  }

  #remove(reader: Reader): void {
    clearTimeout(reader.timer);
    clearTimeout(reader.limit);
    const at = this.#readers.indexOf(reader);
    if (at !== -1) this.#readers.splice(at, 1);
  }

  /** What has waited for a thread for as long as a read may take gets an error. */
  #scheduleSweep(): void {
    if (this.#sweep !== undefined) return;
    const { abandonMs } = this.#options;
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined;
      const isOver = ({ since }: Waiting) => performance.now() - since >= abandonMs;
      for (const queue of Object.values(this.#queues)) {
        const young = queue.findIndex((each) => !isOver(each));
        for (const { reject } of queue.splice(0, young === -1 ? queue.length : young))
          reject(new BusyError(`no thread could read the SQLite database within ${this.#seconds} seconds`));
      }
      if (this.#isWaiting) this.#scheduleSweep();
      else this.#onIdle?.();
    }, abandonMs / 4).unref();
  }

  get #seconds(): number {
    return this.#options.abandonMs / 1000;
  }
}
