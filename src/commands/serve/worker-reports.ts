// Reports of all workers: the worker that receives a request collects those of its siblings through the primary process.
import cluster, { type Worker } from "node:cluster";
import type { ProcessReports, SiblingReports } from "../../http/routes/status.ts";

/** A worker that doesn't reply in time, because it is busy or exiting, is left out. */
const timeoutMs = 1000;

type Name = keyof ProcessReports;

/** From a worker to the primary and on to each sibling; replies take the same path back. */
type ReportRequest = { readonly reportFor: string; readonly name: Name; readonly query: readonly unknown[] };
type ReportReply = { readonly reportOf: string; readonly report: unknown };
/** The number of siblings, so that the requester knows when all have replied. */
type ReportRequestAck = { readonly reportRequested: string; readonly others: number };

/** In the primary, once per worker. Request IDs are `workerId.number`, so that replies find the requester. */
export function relayReports(worker: Worker): void {
  worker.on("message", (message: ReportRequest | ReportReply) => {
    if ("reportFor" in message) {
      const others = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined && each !== worker);
      send(worker, { reportRequested: message.reportFor, others: others.length } satisfies ReportRequestAck);
      for (const other of others) if (other !== undefined) send(other, message);
    } else if ("reportOf" in message) {
      const requester = cluster.workers?.[message.reportOf.split(".")[0] ?? ""];
      if (requester !== undefined) send(requester, message);
    }
  });
}

/** To one that may be exiting: without a callback, the error would end the primary. */
const send = (worker: Worker, message: object): void => void worker.send(message, () => {});

type WorkerReports = {
  /** The reports of the other workers. */
  readonly collect: SiblingReports;
  /** Replies to the siblings' requests from now on. */
  provide(reports: ProcessReports): void;
};

/** A request that waits for replies. */
type Pending = { expected: number; readonly reports: unknown[]; readonly end: () => void };

/** In a worker. */
export function workerReports(): WorkerReports {
  let requests = 0;
  const pending = new Map<string, Pending>();
  // One listener for all requests: Node warns of more than ten.
  process.on("message", (message: ReportReply | ReportRequestAck) => {
    const id = "reportOf" in message ? message.reportOf : "reportRequested" in message ? message.reportRequested : "";
    const waiting = pending.get(id);
    if (waiting === undefined) return;
    if ("reportOf" in message) waiting.reports.push(message.report);
    else waiting.expected = message.others;
    if (waiting.reports.length >= waiting.expected) waiting.end();
  });
  const collector =
    <N extends Name>(name: N) =>
    (...query: Parameters<ProcessReports[N]>): Promise<readonly ReturnType<ProcessReports[N]>[]> =>
      new Promise((resolve) => {
        const id = `${cluster.worker?.id}.${++requests}`;
        const reports: ReturnType<ProcessReports[N]>[] = [];
        const end = () => {
          clearTimeout(limit);
          pending.delete(id);
          resolve(reports);
        };
        const limit = setTimeout(end, timeoutMs);
        pending.set(id, { expected: Number.POSITIVE_INFINITY, reports, end });
        process.send?.({ reportFor: id, name, query } satisfies ReportRequest);
      });
  return {
    collect: { families: collector("families"), openStreams: collector("openStreams") },
    provide: (reports) =>
      void process.on("message", (message: ReportRequest) => {
        if (!("reportFor" in message)) return;
        const { reportFor: reportOf, name, query } = message;
        const report = (reports[name] as (...query: readonly unknown[]) => unknown)(...query);
        process.send?.({ reportOf, report } satisfies ReportReply);
      }),
  };
}
