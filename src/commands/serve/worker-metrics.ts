// Numbers of all workers: whichever of them is asked asks the others, through the process that keeps them.
import cluster, { type Worker } from "node:cluster";
import type { Family } from "../../metrics/family.ts";

/** A worker that does not answer in time, being busy or at its end, is left out. */
const patienceMs = 1000;

/** From a worker to the keeper and on to each other worker; its answer goes the same way back. */
type Question = { readonly familiesFor: string };
type Reply = { readonly familiesOf: string; readonly families: readonly Family[] };
/** How many others were asked, so that the one who asks knows when all have answered. */
type Asked = { readonly familiesAsked: string; readonly others: number };

/** In the keeper, once for each worker. A question is named by the worker who asks it: `workerId.number`. */
export function relayFamilies(worker: Worker): void {
  worker.on("message", (message: Question | Reply) => {
    if ("familiesFor" in message) {
      const others = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined && each !== worker);
      worker.send({ familiesAsked: message.familiesFor, others: others.length } satisfies Asked);
      for (const other of others) if (other?.isConnected()) other.send(message);
    } else if ("familiesOf" in message) {
      const asking = cluster.workers?.[message.familiesOf.split(".")[0] ?? ""];
      if (asking?.isConnected()) asking.send(message);
    }
  });
}

export type Siblings = {
  /** The numbers of the other workers. */
  ask(): Promise<readonly (readonly Family[])[]>;
  /** From now on the others are told what they ask. */
  tell(families: () => Family[]): void;
};

/** In a worker. */
export function siblings(): Siblings {
  let asked = 0;
  return {
    ask: () =>
      new Promise((resolve) => {
        const name = `${cluster.worker?.id}.${++asked}`;
        const replies: (readonly Family[])[] = [];
        let expected = Number.POSITIVE_INFINITY;
        const end = () => {
          clearTimeout(limit);
          process.off("message", hear);
          resolve(replies);
        };
        const hear = (message: Reply | Asked) => {
          if ("familiesAsked" in message && message.familiesAsked === name) expected = message.others;
          if ("familiesOf" in message && message.familiesOf === name) replies.push(message.families);
          if (replies.length >= expected) end();
        };
        const limit = setTimeout(end, patienceMs);
        process.on("message", hear);
        process.send?.({ familiesFor: name } satisfies Question);
      }),
    tell: (families) =>
      void process.on("message", (message: Question) => {
        if ("familiesFor" in message)
          process.send?.({ familiesOf: message.familiesFor, families: families() } satisfies Reply);
      }),
  };
}
