// One SQLite database as the main thread sees it: calls wait until it's open, and fail once it's closed.
import { stateOf } from "../state.ts";
import { IncompatibleError, type StoreState } from "../store.ts";
import { CurrentState } from "./current-state.ts";
import { type CallThread, openThreads } from "./threads/threads.ts";

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
  readonly write: CallThread;
  state(): StoreState | Promise<StoreState>;
  prepare(): Promise<void>;
  close(): Promise<void>;
};

export function openDatabase(options: DatabaseOptions): Database {
  const { file, program, statementSeconds = 60, abandonSeconds = statementSeconds, isServing = true } = options;
  const [limitMs, abandonMs] = [statementSeconds * 1000, abandonSeconds * 1000];
  const threads = openThreads({ program, file, limitMs, abandonMs, isSingleThread: !isServing });
  let isOpen = false;
  let isClosed = false;
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
  const write = ready(threads.write);
  return {
    read: ready(threads.read),
    readQuickly,
    // The next request sees what was written.
    write: (name, ...args) => write(name, ...args).finally(() => current.invalidate()),
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
      await threads.close();
    },
  };
}
