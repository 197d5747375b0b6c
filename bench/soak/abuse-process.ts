// The process of all abusers: starts and stops them on command, and reports the responses.
import { constants, setPriority } from "node:os";
import type { Abuse } from "./abusers/abuse.ts";
import { type Crowd, type Kind, kinds } from "./abusers/kinds.ts";
import type { Tally } from "./raw-client.ts";

export type AbuseOrder =
  | (Pick<Abuse, "target" | "keys" | "tickers" | "commonWord"> & { readonly crowd: Crowd })
  | "end";

// Lower priority, to burden the server rather than the measurement on the same machine.
setPriority(constants.priority.PRIORITY_LOW);

let stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();
let tally: Tally = new Map();

process.on("message", (order: AbuseOrder) => {
  if (order === "end") {
    stop.abort();
    void running.then(() => process.send?.(Object.fromEntries(tally)));
    return;
  }
  stop = new AbortController();
  tally = new Map();
  const abuse: Abuse = { ...order, tally, stopped: stop.signal };
  const crowd = Object.entries(order.crowd) as [Kind, number][];
  running = Promise.all(crowd.flatMap(([kind, many]) => Array.from({ length: many }, () => kinds[kind](abuse))));
});
