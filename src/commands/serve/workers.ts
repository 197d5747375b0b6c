// Several processes on one machine behind one port; this one only keeps them alive.
import cluster, { type Worker } from "node:cluster";
import { complain } from "../command.ts";
import { stopSignal } from "../shared/stop-signal.ts";
import type { Listening } from "./server-process.ts";
import { relayFamilies } from "./worker-metrics.ts";

/** A worker that dies sooner than this after its start is given time before the next one. */
const quickDeathMs = 2000;

/**
 * Starts workers, tells when all of them listen, replaces those that die, and stops them all on a signal. Gives the
 * exit status: that of a worker when none could ever listen, since the next would fail as it did.
 */
export async function runWorkers(count: number, onListening: (listening: Listening) => Promise<void>): Promise<number> {
  let stopping = false;
  let listening = 0;
  const started = new Map<number, number>();
  const fork = () => {
    if (stopping) return;
    const worker = cluster.fork();
    started.set(worker.id, Date.now());
    relayFamilies(worker);
    worker.on("message", (message: Listening | object) => {
      if (!("address" in message)) return;
      listening++;
      if (listening === count) void onListening(message);
    });
  };
  const failed = new Promise<number>((resolve) => {
    cluster.on("exit", (worker: Worker, code: number | null, signal: string | null) => {
      if (stopping) return;
      if (listening === 0 && code !== null && code !== 0) return resolve(code);
      complain(`worker ${worker.process.pid} ended (${signal ?? code}); starting another`);
      const quick = Date.now() - (started.get(worker.id) ?? 0) < quickDeathMs;
      setTimeout(fork, quick ? quickDeathMs : 0);
    });
  });
  for (let i = 0; i < count; i++) fork();
  const status = await Promise.race([stopSignal().then(() => 0), failed]);
  stopping = true;
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    workers.map((worker) => {
      const gone = new Promise((resolve) => worker.once("exit", resolve));
      worker.process.kill("SIGTERM");
      return gone;
    }),
  );
  return status;
}

export const isWorker = (): boolean => cluster.isWorker;

/** What a worker tells when it listens. */
export const tellListening = (listening: Listening): void => void process.send?.(listening);
