// The process of all abusers: begins and ends as it is told, and says what they have met.
import { constants, setPriority } from "node:os";
import { type Abuse, deserter, glutton, guesser, silent, slowReader, slowSender, vandal } from "./abusers.ts";
import type { Tally, Target } from "./raw-client.ts";

export type AbuseOrder = { readonly target: Target; readonly token: string } | "end";

/** How many of each kind. */
const crowd: readonly [(abuse: Abuse) => Promise<void>, number][] = [
  [slowReader, 40],
  [slowSender, 60],
  [silent, 40],
  [guesser, 8],
  [glutton, 8],
  [vandal, 4],
  [deserter, 4],
];

// What they do must be a burden to the server, not to whoever measures on the same machine.
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
  running = Promise.all(crowd.flatMap(([kind, many]) => Array.from({ length: many }, () => kind(abuse))));
});
