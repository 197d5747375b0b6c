// Disconnects slow clients: each response has a time limit by its size, all buffered responses together a byte limit.
import type { ServerResponse } from "node:http";

export type SlowClientLimits = {
  /** After this time, a client must read `bytesPerSecond` on average. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
  /** Limit for all buffered responses; beyond it, the oldest are disconnected. */
  readonly bufferedBytes: number;
};

export const defaultSlowClientLimits: SlowClientLimits = {
  graceMs: 20_000,
  bytesPerSecond: 16_384,
  bufferedBytes: 256 * 1024 * 1024,
};

export type SlowClients = {
  /** For a response that is written as its client reads: it must progress while it isn't complete. */
  watch(response: ServerResponse): void;
  /** Takes in-flight responses, oldest first. */
  sweep(inFlight: Iterable<ServerResponse>): void;
  /** Connections closed. */
  readonly cut: number;
};

type Buffered = { readonly since: number; readonly bytes: number };

/** Bytes that a connection had sent at a time. */
type Progress = { readonly since: number; readonly sent: number };

export function watchSlowClients(limits: SlowClientLimits, now: () => number): SlowClients {
  const seen = new WeakMap<ServerResponse, Buffered>();
  const progress = new WeakMap<ServerResponse, Progress>();
  let cut = 0;

  /** Whether a client has held up its response, reading less than required since it was last on time. */
  const isStalled = (response: ServerResponse, { since, sent }: Progress): boolean => {
    const elapsed = now() - since;
    const current = response.socket?.bytesWritten ?? 0;
    const isLate = response.writableNeedDrain && current - sent < (elapsed / 1000) * limits.bytesPerSecond;
    if (!isLate) progress.set(response, { since: now(), sent: current });
    return isLate && elapsed > limits.graceMs;
  };

  const disconnect = (response: ServerResponse): void => {
    cut++;
    response.req.socket.destroy();
  };

  return {
    watch: (response) => progress.set(response, { since: now(), sent: response.socket?.bytesWritten ?? 0 }),
    sweep: (inFlight) => {
      const late: ServerResponse[] = [];
      const inTime: { response: ServerResponse; left: number }[] = [];
      let total = 0;
      for (const response of inFlight) {
        const watched = response.writableEnded ? undefined : progress.get(response);
        if (watched !== undefined && isStalled(response, watched)) late.push(response);
        if (!response.writableEnded || response.writableFinished) continue;
        const left = response.writableLength;
        const buffered = seen.get(response) ?? { since: now(), bytes: left };
        seen.set(response, buffered);
        const allowed = limits.graceMs + (buffered.bytes / limits.bytesPerSecond) * 1000;
        if (now() - buffered.since > allowed) late.push(response);
        else {
          inTime.push({ response, left });
          total += left;
        }
      }
      for (const response of late) disconnect(response);
      for (const { response, left } of inTime) {
        if (total <= limits.bufferedBytes) break;
        disconnect(response);
        total -= left;
      }
    },
    get cut() {
      return cut;
    },
  };
}
