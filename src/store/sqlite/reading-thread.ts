// Pages are read by a thread beside this one: while it reads, requests are understood and answers sent, each by a processor
// that keeps the program of its own step at hand. What it can't do soon is read here, as if there were no thread.
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Shape } from "../../core/reshape.ts";
import type { Given } from "../page.ts";
import { ExpensiveError, StoreError } from "../store.ts";

/** A statement for one row, its values, and what becomes of the page in the row. */
export type Reading = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly shape: Shape | undefined;
};

/** Where the thread knows the shape, the page is reshaped; else, and here, it is not yet. */
export type Read = (reading: Reading) => Promise<Given>;

/** What the thread's program has to know. */
export type ThreadOptions = { readonly file: string; readonly limitMs: number };

/** What readings have in common that are asked again and again: it is told once, and known by its number from then on. */
export type Kind = Pick<Reading, "sql" | "shape">;

/** What is to be read, in this order; nothing: the end. */
export type Asked = {
  /** Those that are new; the first has this number, the next one more. With 0 all from before are forgotten. */
  readonly from: number;
  readonly kinds: readonly Kind[];
  readonly readings: readonly (readonly [kind: number, parameters: readonly unknown[]])[];
};

/** Why a read failed; only what both threads know as the same error is told apart. */
export type Failure = { readonly kind: "store" | "expensive" | "fault"; readonly message: string };

/** Rows in the order in which they were asked for, with the failures among them by their place. */
export type Told = {
  readonly rows: readonly Given[];
  readonly failures: Readonly<Record<number, Failure>> | undefined;
};

export type ReadingThread = {
  readonly read: Read;
  /** Resolves when the thread can be asked; until then everything is read here. */
  readonly ready: Promise<void>;
  /** Ends the thread, once it has done what was asked of it. */
  close(): Promise<void>;
};

/** Handed over at once: the thread begins while further requests are being understood. */
const mostAtOnce = 8;

/** When the thread is behind, and others are read here. */
export type ThreadLimits = {
  /** So many are on their way. */
  readonly mostWaiting: number;
  /** None was done for so long. */
  readonly lateMs: number;
};

export const defaultThreadLimits: ThreadLimits = { mostWaiting: 64, lateMs: 25 };

/** Kept in the line after they are done: it is seldom moved up. */
const mostDone = 1000;

/** Of the thread's young generation: its rows are gone as soon as they are told. With 4 it was collected too often. */
const youngMb = 12;

type Waiting = { readonly resolve: (row: Given) => void; readonly reject: (error: Error) => void };

/** `program` runs `serveReads` in the thread; `readHere` reads in this one. */
export function readingThread(
  program: URL,
  options: ThreadOptions,
  readHere: Read,
  { mostWaiting, lateMs } = defaultThreadLimits,
): ReadingThread {
  // Given on the command line for the main thread, which has taken it: it would go before the limit below.
  setFlagsFromString("--max-semi-space-size=0");
  const worker = new Worker(program, {
    workerData: options,
    name: "reading",
    resourceLimits: { maxYoungGenerationSizeMb: youngMb },
  });
  const { promise: ready, resolve: tellReady } = Promise.withResolvers<void>();
  let isReady = false;
  let isClosing = false;
  const numbers = new Numbers();
  let asked: [number, readonly unknown[]][] = [];
  let waiting: (Waiting | undefined)[] = [];
  /** How many of those were answered. */
  let done = 0;
  let heard = 0;

  const hand = (): void => {
    if (asked.length === 0) return;
    worker.postMessage({ ...numbers.take(), readings: asked } satisfies Asked);
    asked = [];
  };

  worker.once("message", () => {
    isReady = true;
    tellReady();
  });
  worker.on("message", ({ rows, failures }: Told) => {
    heard = performance.now();
    for (let at = 0; at < rows.length; at++) {
      const { resolve, reject } = waiting[done] as Waiting;
      // Held until the line moves up, each would hold its page, past the age at which memory is cheap to collect.
      waiting[done++] = undefined;
      const failure = failures?.[at];
      if (failure === undefined) resolve(rows[at]);
      else reject(errorOf(failure));
    }
    if (done < waiting.length && done < mostDone) return;
    waiting = waiting.slice(done);
    done = 0;
    // A thread that has nothing to do keeps no process from its end; but its own end is waited for.
    if (waiting.length === 0 && !isClosing) worker.unref();
  });

  /** Whatever was on its way is asked once more by whoever waits for it, and read here. */
  const lose = (reason: string): void => {
    isReady = false;
    for (const each of waiting.slice(done)) each?.reject(new StoreError(`the thread that reads has ended: ${reason}`));
    waiting = [];
    done = 0;
    asked = [];
  };
  worker.on("error", (error: Error) => {
    process.emitWarning(`the thread that reads has ended, pages are read by the main one: ${error.message}`);
    lose(error.message);
  });
  const ended = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      lose("it was stopped");
      resolve();
    });
  });

  worker.unref();
  return {
    ready,
    read: (reading) => {
      const now = performance.now();
      const isIdle = waiting.length === 0;
      const isBehind = waiting.length - done >= mostWaiting || (!isIdle && now - heard > lateMs);
      if (!isReady || isBehind) return readHere(reading);
      if (isIdle) {
        heard = now;
        worker.ref();
      }
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (numbers.isFull) {
          hand();
          numbers.beginAnew();
        }
        asked.push([numbers.of(reading), reading.parameters]);
        // Once the requests that are understood in a row have asked.
        if (asked.length === 1) process.nextTick(hand);
        else if (asked.length >= mostAtOnce) hand();
      });
    },
    close: () => {
      isClosing = true;
      worker.ref();
      hand();
      worker.postMessage({ ...numbers.take(), readings: [] } satisfies Asked);
      return ended;
    },
  };
}

/** Kinds that both threads remember; far more than there are, but for one who asks for every choice of fields. */
const mostKinds = 1000;

/** Numbers for kinds of readings, and those that the thread has not been told yet. */
class Numbers {
  #known = new Map<string, Map<Shape | undefined, number>>();
  #given = 0;
  #untold: Kind[] = [];

  get isFull(): boolean {
    return this.#given >= mostKinds;
  }

  /** To be called when all are told. */
  beginAnew(): void {
    this.#known = new Map();
    this.#given = 0;
  }

  of({ sql, shape }: Kind): number {
    const ofStatement = this.#known.get(sql) ?? new Map<Shape | undefined, number>();
    let number = ofStatement.get(shape);
    if (number === undefined) {
      number = this.#given++;
      this.#known.set(sql, ofStatement.set(shape, number));
      this.#untold.push({ sql, shape });
    }
    return number;
  }

  take(): Pick<Asked, "from" | "kinds"> {
    const kinds = this.#untold;
    this.#untold = [];
    return { from: this.#given - kinds.length, kinds };
  }
}

function errorOf({ kind, message }: Failure): Error {
  if (kind === "expensive") return new ExpensiveError(message);
  return kind === "store" ? new StoreError(message) : new Error(message);
}
