// Calls from the main thread to SQLite: reads go to a pool of threads, writes to a single one.
import { ExpensiveError, StoreError } from "../../store.ts";
import type { Operations } from "./operations.ts";
import { type ReaderOptions, ReaderPool } from "./reader-pool.ts";
import { type Job, Thread } from "./thread.ts";

type Args<Name extends keyof Operations> = Parameters<Operations[Name]>;
type Result<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>;

export type CallThread = <Name extends keyof Operations>(name: Name, ...args: Args<Name>) => Promise<Result<Name>>;

type Threads = {
  /** For calls that are fast for any data. */
  readonly readQuickly: CallThread;
  readonly read: CallThread;
  /** Runs one call after another, in order. */
  readonly write: CallThread;
  /** A thread of the caller's, for reads that belong together. */
  reserve(): ReservedThread;
  /** Closes the database, once all calls are done. */
  close(): Promise<void>;
};

export type ReservedThread = { readonly call: CallThread; close(): Promise<void> };

type ThreadsOptions = ReaderOptions & {
  /** Whether one thread does everything: a command awaits each of its calls anyway. */
  readonly isSingleThread: boolean;
};

export function openThreads({ isSingleThread: isAlone, ...options }: ThreadsOptions): Threads {
  const writer = new Writer(options);
  const reserved = new Set<ReservedThread>();
  const readers = isAlone ? undefined : new ReaderPool(options);
  const write = ((name, ...args) => writer.call(name, args)) as CallThread;
  const reading = (isQuick: boolean) =>
    (readers === undefined ? write : (name, ...args) => readers.call(name, args, isQuick)) as CallThread;
  return {
    readQuickly: reading(true),
    read: reading(false),
    write,
    reserve: () => {
      const thread = reserveThread(options, () => reserved.delete(thread));
      reserved.add(thread);
      return thread;
    },
    close: async () => {
      await Promise.all([...reserved].map((each) => each.close()));
      await readers?.close();
      // The last connection to close checkpoints the WAL.
      await writer.close();
    },
  };
}

/** Checks of a running call until it's past the limit: a call that the thread began late has as long as any other. */
const checksPerLimit = 4;

/** Its calls fail at the limit; the thread is left to finish, and closed then. */
function reserveThread({ program, file, limitMs, abandonMs }: ReaderOptions, onClose: () => void): ReservedThread {
  const thread = Thread.attach(program, { file, limitMs });
  let closing: Promise<void> | undefined;
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    // The thread may already serve another database.
    if (closing !== undefined) throw new StoreError("this snapshot of the database is closed");
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let checksWhileRunning = 0;
    const check = () => {
      if (thread.inFlight === 0) return;
      // A thread that hasn't begun isn't slow: it's starting, or waiting for a processor.
      if (thread.isRunning) checksWhileRunning++;
      if (checksWhileRunning <= checksPerLimit) timer.refresh();
      else
        thread.fail(new ExpensiveError(`a read of the SQLite database was canceled after ${abandonMs / 1000} seconds`));
    };
    // If the main thread was blocked, a reply may have arrived that isn't processed yet.
    const timer = setTimeout(() => setImmediate(check), abandonMs / checksPerLimit).unref();
    thread.run([{ name, args, resolve, reject }]);
    return promise.finally(() => clearTimeout(timer));
  };
  const detach = async (): Promise<void> => {
    onClose();
    const detached = thread.detach();
    // Nobody waits for a read past its limit.
    if (thread.inFlight === 0) await detached;
  };
  return {
    call: ((name, ...args) => call(name, args)) as CallThread,
    // Both whoever reads and the database that is closed may close it.
    close: () => {
      closing ??= detach();
      return closing;
    },
  };
}

/** The writer thread, replaced if it ends. */
class Writer {
  readonly #options: ReaderOptions;
  #thread: Thread | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  call(name: string, args: readonly unknown[]): Promise<unknown> {
    const { program, file, limitMs } = this.#options;
    if (this.#thread === undefined || this.#thread.hasEnded) this.#thread = Thread.attach(program, { file, limitMs });
    const thread = this.#thread;
    return new Promise((resolve, reject) => thread.run([{ name, args, resolve, reject } satisfies Job]));
  }

  async close(): Promise<void> {
    await this.#thread?.detach();
    this.#thread = undefined;
  }
}
