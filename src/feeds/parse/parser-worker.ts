// Parses documents in a worker thread with limits on time and memory: a hostile one can keep any parser busy for hours.
// The worker runs this file too.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Feed } from "./item.ts";

type Problem = { readonly problem: string };
type Task = { readonly text: string; readonly address: string };

/** Sent before a document is parsed: starting a thread takes seconds on a busy machine, which don't count. */
const begun = "begun";

export type Limits = { readonly seconds: number; readonly megabytes: number };
const defaultLimits: Limits = { seconds: 30, megabytes: 1024 };

const purpose = "feeds";

/** Workers are reused: loading the parser takes longer than parsing most documents. */
let spare: Worker | undefined;

export async function parseInWorker(
  text: string,
  address: string,
  limits: Limits = defaultLimits,
): Promise<Feed | Problem> {
  const worker = (limits === defaultLimits ? spare : undefined) ?? startWorker(limits);
  if (worker === spare) spare = undefined;
  worker.ref();
  const read = await withTimeout(worker, { text, address }, limits).catch(async (error: Error) => {
    await worker.terminate();
    throw error;
  });
  if ("problem" in read || limits !== defaultLimits || spare !== undefined) await worker.terminate();
  else {
    spare = worker;
    worker.unref();
  }
  return read;
}

function startWorker({ megabytes }: Limits): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: megabytes };
  const worker = new Worker(new URL(import.meta.url), { workerData: purpose, resourceLimits });
  // An idle worker that fails is replaced; one that is past its limit may fail before it is terminated.
  return worker.on("error", () => {
    if (spare === worker) spare = undefined;
  });
}

function withTimeout(worker: Worker, task: Task, { seconds }: Limits): Promise<Feed | Problem> {
  const { promise: read, resolve, reject } = Promise.withResolvers<Feed | Problem>();
  let timer: NodeJS.Timeout | undefined;
  const expire = () => resolve({ problem: `it took more than ${seconds} s to parse` });
  const receive = (message: Feed | Problem | typeof begun) => {
    if (message === begun) timer = setTimeout(expire, seconds * 1000);
    else resolve(message);
  };
  const fail = (error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve({ problem: "it took too much memory to parse" });
    else reject(error);
  };
  const end = (code: number) => reject(new Error(`the parser ended with ${code}`));
  worker.on("message", receive).on("error", fail).on("exit", end).postMessage(task);
  return read.finally(() => {
    clearTimeout(timer);
    worker.off("message", receive).off("error", fail).off("exit", end);
  });
}

if (!isMainThread && workerData === purpose) {
  // Loaded only here: no other command needs the parser.
  const { parseDocument } = await import("./parse.ts");
  parentPort?.on("message", ({ text, address }: Task) => {
    parentPort?.postMessage(begun);
    parentPort?.postMessage(parseDocument(text, address));
  });
}
