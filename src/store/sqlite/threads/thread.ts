// A thread that runs SQLite for this one. Starting a thread takes longer than most of what it is used for, so one that is
// no longer needed waits for the next database.
import { Worker } from "node:worker_threads";
import { StoreError } from "../../store.ts";
import { type Attachment, errorOf, progress, type Reply, type Request } from "./messages.ts";

/** A call, and who waits for its result. */
export type Job = {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Of a thread's young generation: its rows are garbage as soon as they are sent. With 4 it was collected too often. */
const youngMb = 12;

/** Idle threads, by their program. */
const idle = new Map<string, Thread[]>();
const mostIdle = 8;

export class Thread {
  readonly #program: URL;
  readonly #worker: Worker;
  /** 64 bits: a busy server makes two billion calls in a few days. */
  readonly #shared = new BigInt64Array(new SharedArrayBuffer(16));
  readonly #inFlight = new Map<number, Job>();
  #calls = 0;
  #hasEnded = false;
  #onReply: () => void = () => {};
  #onDetached: (() => void) | undefined;

  /** A thread that works on the database from now on. `onReply` is called after each reply, and when the thread has ended. */
  static attach(program: URL, attachment: Attachment, onReply: () => void = () => {}): Thread {
    const thread = idle.get(program.href)?.pop() ?? new Thread(program);
    thread.#onReply = onReply;
    thread.#send({ attach: attachment });
    return thread;
  }

  constructor(program: URL) {
    this.#program = program;
    this.#worker = new Worker(program, {
      name: "sqlite",
      workerData: this.#shared,
      // Options of the process, such as those for its input, are not for a thread.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    });
    this.#worker.on("message", (reply: Reply) => this.#receive(reply));
    this.#worker.on("error", (error: Error) => {
      process.emitWarning(`a SQLite thread has ended: ${error.message}`);
      this.#end(error.message);
    });
    this.#worker.on("exit", () => this.#end("it was stopped"));
    // An idle thread does not keep the process alive.
    this.#worker.unref();
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(jobs: readonly Job[]): void {
    if (this.#inFlight.size === 0) this.#worker.ref();
    const calls = jobs.map((job) => {
      this.#inFlight.set(++this.#calls, job);
      return [this.#calls, job.name, job.args] as const;
    });
    this.#send({ calls });
  }

  /** Fails what is in flight; the thread may go on with it, but nobody waits any longer. */
  fail(error: Error): void {
    for (const { reject } of this.#inFlight.values()) reject(error);
  }

  /** Whether the thread has begun a call that it has not replied to. */
  get isRunning(): boolean {
    return this.#inFlight.has(Number(Atomics.load(this.#shared, progress.running)));
  }

  /** Takes back all that is in flight but the call that is running: the thread skips what it has not begun. */
  takeBack(): Job[] {
    const running = Number(Atomics.load(this.#shared, progress.running));
    Atomics.store(this.#shared, progress.skipped, BigInt(this.#calls));
    const taken: Job[] = [];
    for (const [id, job] of this.#inFlight) {
      if (id === running) continue;
      this.#inFlight.delete(id);
      taken.push(job);
    }
    return taken;
  }

  /** Closes the database, once all that is in flight is done. */
  async detach(): Promise<void> {
    if (this.#hasEnded) return;
    this.#worker.ref();
    await new Promise<void>((resolve) => {
      this.#onDetached = resolve;
      this.#send({ detach: true });
    });
    this.#onDetached = undefined;
    this.#onReply = () => {};
    if (this.#hasEnded) return;
    this.#worker.unref();
    const others = idle.get(this.#program.href) ?? [];
    if (others.length >= mostIdle) void this.#worker.terminate();
    else idle.set(this.#program.href, [...others, this]);
  }

  #send(request: Request): void {
    this.#worker.postMessage(request);
  }

  #receive({ results, failures, detached }: Reply): void {
    for (const [id, value] of results) this.#take(id)?.resolve(value);
    for (const [id, failure] of failures ?? []) this.#take(id)?.reject(errorOf(failure));
    if (detached) this.#onDetached?.();
    else if (this.#inFlight.size === 0 && this.#onDetached === undefined) this.#worker.unref();
    this.#onReply();
  }

  #take(id: number): Job | undefined {
    const job = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    return job;
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const waiting = idle.get(this.#program.href) ?? [];
    idle.set(
      this.#program.href,
      waiting.filter((each) => each !== this),
    );
    this.fail(new StoreError(`a SQLite thread has ended: ${reason}`));
    this.#inFlight.clear();
    this.#onDetached?.();
    this.#onReply();
  }
}
