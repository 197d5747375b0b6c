// A worker thread that runs SQLite. Starting one takes longer than most of its work, so that idle threads are reused for
// the next database.
import { Worker } from "node:worker_threads";
import { StoreError } from "../../store.ts";
import { type Attachment, errorOf, type Reply, type Request, sharedSlots } from "./messages.ts";

/** A call, and the promise callbacks for its result. */
export type Job = {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Size of a thread's young generation: rows are garbage once sent. With 4 MB it was collected too often. */
const youngGenerationMb = 12;

/** Idle threads by program. */
const idle = new Map<string, Thread[]>();
const maxIdle = 8;

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

  /** Attaches an idle or new thread to a database. `onReply` is called after each reply, and when the thread ends. */
  static attach(program: URL, attachment: Attachment, onReply: () => void = () => {}): Thread {
    const thread = idle.get(program.href)?.pop() ?? new Thread(program);
    thread.#onReply = onReply;
    thread.#send({ attach: attachment });
    return thread;
  }

  /** Adds an idle thread. */
  static prepare(program: URL): void {
    idle.set(program.href, [...(idle.get(program.href) ?? []), new Thread(program)]);
  }

  constructor(program: URL) {
    this.#program = program;
    this.#worker = new Worker(program, {
      name: "sqlite",
      workerData: this.#shared,
      // Options of the process, such as `--input-type`, don't apply to a thread.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    this.#worker.on("message", (reply: Reply) => this.#receive(reply));
    this.#worker.on("error", (error: Error) => {
      process.emitWarning(`a SQLite thread ended: ${error.message}`);
      this.#end(error.message);
    });
    this.#worker.on("exit", () => this.#end("it was stopped"));
    // An idle thread must not keep the process alive.
    this.#worker.unref();
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(jobs: readonly Job[]): void {
    if (this.#hasEnded) {
      for (const { reject } of jobs) reject(new StoreError("a SQLite thread has ended"));
      return;
    }
    if (this.#inFlight.size === 0) this.#worker.ref();
    const calls = jobs.map((job) => {
      this.#inFlight.set(++this.#calls, job);
      return [this.#calls, job.name, job.args] as const;
    });
    this.#send({ calls });
  }

  /** Rejects the calls in flight; the thread may continue with them, but nobody waits any longer. */
  fail(error: Error): void {
    for (const { reject } of this.#inFlight.values()) reject(error);
  }

  /** Whether the thread has begun a call that it hasn't replied to. */
  get isRunning(): boolean {
    return this.#inFlight.has(Number(Atomics.load(this.#shared, sharedSlots.running)));
  }

  /** Takes back the calls in flight, except the running one: the thread skips those it hasn't begun. */
  reclaim(): Job[] {
    const running = Number(Atomics.load(this.#shared, sharedSlots.running));
    Atomics.store(this.#shared, sharedSlots.skipped, BigInt(this.#calls));
    const reclaimed: Job[] = [];
    for (const [id, job] of this.#inFlight) {
      if (id === running) continue;
      this.#inFlight.delete(id);
      reclaimed.push(job);
    }
    return reclaimed;
  }

  /** Closes the database, once the calls in flight are done. */
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
    if (others.length >= maxIdle) void this.#worker.terminate();
    else idle.set(this.#program.href, [...others, this]);
  }

  #send(request: Request): void {
    this.#worker.postMessage(request);
  }

  #receive({ results, failures, detached }: Reply): void {
    for (const [id, value] of results) this.#remove(id)?.resolve(value);
    for (const [id, failure] of failures ?? []) this.#remove(id)?.reject(errorOf(failure));
    if (detached) this.#onDetached?.();
    else if (this.#inFlight.size === 0 && this.#onDetached === undefined) this.#worker.unref();
    this.#onReply();
  }

  #remove(id: number): Job | undefined {
    const job = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    return job;
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const idleThreads = idle.get(this.#program.href) ?? [];
    idle.set(
      this.#program.href,
      idleThreads.filter((each) => each !== this),
    );
    this.fail(new StoreError(`a SQLite thread ended: ${reason}`));
    this.#inFlight.clear();
    this.#onDetached?.();
    this.#onReply();
  }
}
