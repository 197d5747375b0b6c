// One SQLite database as the main thread sees it: calls wait until it's open, and fail once it's closed.
import { stateOf } from "../state.ts";
import { BusyError, IncompatibleError, type StoreState } from "../store.ts";
import { busyTimeoutMs } from "./busy-timeout.ts";
import { CurrentState } from "./current-state.ts";
import { type CallThread, openThreads, type ReservedThread } from "./threads/threads.ts";

export type DatabaseOptions = {
  readonly file: string;
  /** The thread's entry point, which calls `serveThread` with the catalog. */
  readonly program: URL;
  /** Time limit of a read, after which it's canceled. */
  readonly statementSeconds?: number;
  /** When to stop waiting for a read that can't be canceled. */
  readonly abandonSeconds?: number;
  /** Whether reads run concurrently with each other and with writes, as in a server; else one thread does everything. */
  readonly isServing?: boolean;
};

export type Database = {
  readonly read: CallThread;
  /** For calls that are fast for any data. */
  readonly readQuickly: CallThread;
  /** Waits while a load holds the write lock. */
  readonly write: CallThread;
  /** Takes the write lock for a load; the calls of the load itself don't wait. */
  lockWrites(): Promise<{ readonly call: CallThread; readonly unlock: () => void }>;
  /** A thread of the caller's. */
  reserve(): Promise<ReservedThread>;
  state(): StoreState | Promise<StoreState>;
  prepare(): Promise<void>;
  close(): Promise<void>;
};

export function openDatabase(options: DatabaseOptions): Database {
  const { file } = options;
  const threads = threadsOf(options);
  let [isOpen, isClosed] = [false, false];
  const opened = threads.write("open").then(() => {
    isOpen = true;
  });
  // The first call on the database reports the error.
  opened.catch(() => {});

  const ready =
    (call: CallThread): CallThread =>
    (name, ...args) => {
      if (isClosed) return Promise.reject(new Error(`the SQLite database ${file} is closed`));
      return isOpen ? call(name, ...args) : opened.then(() => call(name, ...args));
    };
  const readQuickly = ready(threads.readQuickly);
  const current = new CurrentState(file, () => readQuickly("stateInputs"));
  // The next request sees what was written.
  const write: CallThread = (name, ...args) => ready(threads.write)(name, ...args).finally(() => current.invalidate());
  let load: Promise<void> | undefined;
  // Another load may have begun by the time that one ends.
  const writeBetweenLoads: CallThread = (name, ...args) =>
    load === undefined ? write(name, ...args) : endOf(load).then(() => writeBetweenLoads(name, ...args));
  return {
    read: ready(threads.read),
    readQuickly,
    write: writeBetweenLoads,
    lockWrites: async () => {
      while (load !== undefined) await endOf(load);
      const { promise, resolve } = Promise.withResolvers<void>();
      load = promise;
      const unlock = () => {
        if (load === promise) load = undefined;
        resolve();
      };
      return { call: write, unlock };
    },
    reserve: async () => {
      if (!isOpen) await opened;
      if (isClosed) throw new Error(`the SQLite database ${file} is closed`);
      return threads.reserve();
    },
    state: () =>
      isOpen && !isClosed ? current.get() : readQuickly("stateInputs").then((inputs) => stateOf(...inputs)),
    // Retrying wouldn't help: the file won't open later either.
    prepare: () =>
      opened.catch((error: Error) => {
        throw new IncompatibleError(error.message, { cause: error.cause });
      }),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      current.close();
      // Calls that wait for it are still made.
      await opened.catch(() => {});
      await threads.close();
    },
  };
}

function threadsOf(options: DatabaseOptions) {
  const { file, program, statementSeconds = 60, abandonSeconds = statementSeconds, isServing = true } = options;
  const [limitMs, abandonMs] = [statementSeconds * 1000, abandonSeconds * 1000];
  return openThreads({ program, file, limitMs, abandonMs, isSingleThread: !isServing });
}

/** Waits for a load as for the lock of another process: the writer thread can't wait for its own connection. */
async function endOf(load: Promise<void>): Promise<void> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new BusyError("a load is in progress")), busyTimeoutMs);
  await Promise.race([load, timer.promise]).finally(() => clearTimeout(timeout));
}
