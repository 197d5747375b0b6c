// Metrics of all workers: the worker that receives a request collects those of its siblings through the primary process.
import cluster, { type Worker } from "node:cluster";
import type { Family } from "../../metrics/family.ts";

/** A worker that doesn't reply in time, because it is busy or exiting, is left out. */
const timeoutMs = 1000;

/** From a worker to the primary and on to each sibling; replies take the same path back. */
type MetricsRequest = { readonly metricsFor: string };
type MetricsReply = { readonly metricsOf: string; readonly families: readonly Family[] };
/** The number of siblings, so that the requester knows when all have replied. */
type MetricsRequestAck = { readonly metricsRequested: string; readonly others: number };

/** In the primary, once per worker. Request IDs are `workerId.number`, so that replies find the requester. */
export function relayMetrics(worker: Worker): void {
  worker.on("message", (message: MetricsRequest | MetricsReply) => {
    if ("metricsFor" in message) {
      const others = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined && each !== worker);
      worker.send({ metricsRequested: message.metricsFor, others: others.length } satisfies MetricsRequestAck);
      for (const other of others) if (other?.isConnected()) other.send(message);
    } else if ("metricsOf" in message) {
      const requester = cluster.workers?.[message.metricsOf.split(".")[0] ?? ""];
      if (requester?.isConnected()) requester.send(message);
    }
  });
}

export type SiblingMetrics = {
  /** The metrics of the other workers. */
  collect(): Promise<readonly (readonly Family[])[]>;
  /** Replies to the siblings' requests from now on. */
  provide(families: () => Family[]): void;
};

/** In a worker. */
export function siblingMetrics(): SiblingMetrics {
  let requests = 0;
  return {
    collect: () =>
      new Promise((resolve) => {
        const id = `${cluster.worker?.id}.${++requests}`;
        const replies: (readonly Family[])[] = [];
        let expected = Number.POSITIVE_INFINITY;
        const end = () => {
          clearTimeout(limit);
          process.off("message", receive);
          resolve(replies);
        };
        const receive = (message: MetricsReply | MetricsRequestAck) => {
          if ("metricsRequested" in message && message.metricsRequested === id) expected = message.others;
          if ("metricsOf" in message && message.metricsOf === id) replies.push(message.families);
          if (replies.length >= expected) end();
        };
        const limit = setTimeout(end, timeoutMs);
        process.on("message", receive);
        process.send?.({ metricsFor: id } satisfies MetricsRequest);
      }),
    provide: (families) =>
      void process.on("message", (message: MetricsRequest) => {
        if ("metricsFor" in message)
          process.send?.({ metricsOf: message.metricsFor, families: families() } satisfies MetricsReply);
      }),
  };
}
