// Answers wait in memory until they are read. Each is given a time by its size, and all together a bound in bytes.
import type { ServerResponse } from "node:http";

export type SlowClientLimits = {
  /** To begin with; after that a reader must take so many bytes a second on average. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
  /** What all answers together may hold in memory; beyond it those that wait longest are cut. */
  readonly waitingBytes: number;
};

export const defaultSlowClientLimits: SlowClientLimits = {
  graceMs: 20_000,
  bytesPerSecond: 16_384,
  waitingBytes: 256 * 1024 * 1024,
};

export type SlowClients = {
  /** Looks at answers under way, oldest first, and cuts the connections of those that are read too slowly. */
  sweep(underWay: Iterable<ServerResponse>): void;
  /** How many connections were cut. */
  readonly cut: number;
};

type Waiting = { readonly since: number; readonly bytes: number };

export function slowClients(limits: SlowClientLimits, now: () => number): SlowClients {
  const known = new WeakMap<ServerResponse, Waiting>();
  let cut = 0;

  const cutOff = (response: ServerResponse): void => {
    cut++;
    response.req.socket.destroy();
  };

  return {
    sweep: (underWay) => {
      const late: ServerResponse[] = [];
      const inTime: { response: ServerResponse; left: number }[] = [];
      let held = 0;
      for (const response of underWay) {
        if (!response.writableEnded || response.writableFinished) continue;
        const left = response.writableLength;
        const waiting = known.get(response) ?? { since: now(), bytes: left };
        known.set(response, waiting);
        const allowed = limits.graceMs + (waiting.bytes / limits.bytesPerSecond) * 1000;
        if (now() - waiting.since > allowed) late.push(response);
        else {
          inTime.push({ response, left });
          held += left;
        }
      }
      for (const response of late) cutOff(response);
      for (const { response, left } of inTime) {
        if (held <= limits.waitingBytes) break;
        cutOff(response);
        held -= left;
      }
    },
    get cut() {
      return cut;
    },
  };
}
