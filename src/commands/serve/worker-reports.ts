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
      worker.send({ reportRequested: message.reportFor, others: others.length } satisfies ReportRequestAck);
      for (const other of others) if (other?.isConnected()) other.send(message);
    } else if ("reportOf" in message) {
      const requester = cluster.workers?.[message.reportOf.split(".")[0] ?? ""];
      if (requester?.isConnected()) requester.send(message);
    }
  });
}

type WorkerReports = {
  /** The reports of the other workers. */
  readonly collect: SiblingReports;
  /** Replies to the siblings' requests from now on. */
  provide(reports: ProcessReports): void;
};

/** In a worker. */
export function workerReports(): WorkerReports {
  let requests = 0;
  const collector =
    <N extends Name>(name: N) =>
    (...query: Parameters<ProcessReports[N]>): Promise<readonly ReturnType<ProcessReports[N]>[]> =>
      new Promise((resolve) => {
        const id = `${cluster.worker?.id}.${++requests}`;
        const replies: ReturnType<ProcessReports[N]>[] = [];
        let expected = Number.POSITIVE_INFINITY;
        const end = () => {
          clearTimeout(limit);
          process.off("message", receive);
          resolve(replies);
        };
        const receive = (message: ReportReply | ReportRequestAck) => {
          if ("reportRequested" in message && message.reportRequested === id) expected = message.others;
          if ("reportOf" in message && message.reportOf === id)
            replies.push(message.report as ReturnType<ProcessReports[N]>);
          if (replies.length >= expected) end();
        };
        const limit = setTimeout(end, timeoutMs);
        process.on("message", receive);
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
