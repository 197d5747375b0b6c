// Primary process: starts worker processes that share one port, and restarts them when they exit.
import cluster, { type Worker } from "node:cluster";
import { errorMessage, printError } from "../command.ts";
import { stopSignal } from "../shared/stop-signal.ts";
import type { Listening } from "./server-process.ts";
import { relayReports } from "./worker-reports.ts";

/** A worker that exits sooner than this is restarted only after this delay. */
const crashDelayMs = 2000;

/**
 * Starts workers, reports when all of them listen, restarts those that exit, and stops all on a signal. Returns the exit
 * status: that of the first worker to fail if none ever listened, since the next would fail the same way.
 */
export async function runWorkers(count: number, onListening: (listening: Listening) => Promise<void>): Promise<number> {
  let stopping = false;
  let listening = 0;
  let failures = 0;
  const started = new Map<number, number>();
  const fork = () => {
    if (stopping) return;
    const worker = cluster.fork();
    started.set(worker.id, Date.now());
    // A message to a worker that has just died can't be sent; its exit is handled below.
    worker.on("error", (error: Error) => {
      if (worker.process.pid === undefined) throw error;
    });
    relayReports(worker);
    worker.on("message", (message: Listening | Failure | object) => {
      if ("failure" in message) {
        failures++;
        // At startup, the others fail the same way.
        if (listening > 0 || failures === 1) printError(`bellwire: ${message.failure}`);
      }
      if (!("address" in message)) return;
      listening++;
      if (listening === count) void onListening(message);
    });
  };
  const failed = new Promise<number>((resolve) => {
    cluster.on("exit", async (worker: Worker, code: number | null, signal: string | null) => {
      // What it reported last may arrive after its exit status.
      if (worker.isConnected()) await new Promise<void>((resolve) => worker.once("disconnect", resolve));
      if (stopping) return;
      if (listening === 0 && code !== null && code !== 0) return resolve(code);
      printError(`worker ${worker.process.pid} exited (${signal ?? code}); starting another`);
      const quick = Date.now() - (started.get(worker.id) ?? 0) < crashDelayMs;
      setTimeout(fork, quick ? crashDelayMs : 0);
    });
  });
  for (let i = 0; i < count; i++) fork();
  const status = await Promise.race([stopSignal().then(() => 0), failed]);
  stopping = true;
  // One that has exited may still be listed, and would never exit again.
  const listed = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const workers = listed.filter((worker) => !worker.isDead());
  await Promise.all(
    workers.map((worker) => {
      const gone = new Promise((resolve) => worker.once("exit", resolve));
      worker.process.kill("SIGTERM");
      return gone;
    }),
  );
  return status;
}

/** Why a worker ends. */
type Failure = { readonly failure: string };

export const isWorker = (): boolean => cluster.isWorker;

/** In a worker: reports its address to the primary. */
export const reportListening = (listening: Listening): void => void process.send?.(listening);

/** In a worker: lets the primary print why it ends, so that several don't print the same. */
export async function reportFailure(error: unknown): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.send?.({ failure: errorMessage(error) } satisfies Failure, () => resolve());
  await promise;
}
