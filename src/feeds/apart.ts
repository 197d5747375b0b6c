// Reads a document in a thread of its own, with an end to its time and memory: a hostile one can make any parser work
// for hours. This file is also what the thread runs.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Feed } from "./item.ts";

export type Problem = { readonly problem: string };
type Task = { readonly feedText: string; readonly address: string };

export type Limits = { readonly seconds: number; readonly megabytes: number };
const usual: Limits = { seconds: 30, megabytes: 1024 };

export async function readApart(text: string, address: string, limits: Limits = usual): Promise<Feed | Problem> {
  const task: Task = { feedText: text, address };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Feed | Problem>((resolve, reject) => {
      timer = setTimeout(
        () => resolve({ problem: `it took more than ${limits.seconds} s to read` }),
        limits.seconds * 1000,
      );
      worker.once("message", resolve);
      worker.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve({ problem: "it took too much memory to read" });
        else reject(error);
      });
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

if (!isMainThread && typeof workerData?.feedText === "string") {
  // Loaded here alone: no command but this one needs the parser.
  const { readFeed } = await import("./parse.ts");
  const { feedText, address } = workerData as Task;
  parentPort?.postMessage(readFeed(feedText, address));
}
