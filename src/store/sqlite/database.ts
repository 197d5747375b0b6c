// One SQLite database as the main thread uses it: calls wait until it is open, and fail once it is closed.
import { stateOf } from "../state.ts";
import { IncompatibleError, type StoreState } from "../store.ts";
import { CurrentState } from "./current-state.ts";
import { type CallThread, openThreads } from "./threads/threads.ts";

export type DatabaseOptions = {
  readonly file: string;
  /** What a thread runs: `serveThread` with the catalog. */
  readonly program: URL;
  /** How long a read may take before it is canceled. */
  readonly statementSeconds?: number;
  /** When to stop waiting for a read that can't be canceled. */
  readonly abandonSeconds?: number;
  /** Whether reads run beside each other and beside writes, for a server; else one thread does everything. */
  readonly isServing?: boolean;
};

export type Database = {
  readonly read: CallThread;
  /** For what is known to be quick, whatever the database holds. */
  readonly readQuickly: CallThread;
  readonly write: CallThread;
  state(): StoreState | Promise<StoreState>;
  prepare(): Promise<void>;
  close(): Promise<void>;
};

export function openDatabase(options: DatabaseOptions): Database {
  const { file, program, statementSeconds = 60, abandonSeconds = statementSeconds, isServing = true } = options;
  const [limitMs, abandonMs] = [statementSeconds * 1000, abandonSeconds * 1000];
  const threads = openThreads({ program, file, limitMs, abandonMs, isAlone: !isServing });
  let isOpen = false;
  let isClosed = false;
  const opened = threads.write("open").then(() => {
    isOpen = true;
  });
  // Whoever uses the database hears of it.
  opened.catch(() => {});

  const ready =
    (call: CallThread): CallThread =>
    (name, ...args) => {
      if (isClosed) return Promise.reject(new Error(`the SQLite database ${file} is not open`));
      return isOpen ? call(name, ...args) : opened.then(() => call(name, ...args));
    };
  const readQuickly = ready(threads.readQuickly);
  const current = new CurrentState(file, () => readQuickly("facts"));
  const write = ready(threads.write);
  return {
    read: ready(threads.read),
    readQuickly,
    // What was written is seen by whoever comes next.
    write: (name, ...args) => write(name, ...args).finally(() => current.check()),
    state: () => (isOpen && !isClosed ? current.get() : readQuickly("facts").then((facts) => stateOf(...facts))),
    // A file that can't be opened now can't be opened later either.
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
