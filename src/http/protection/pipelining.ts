// Limit on pipelining: a connection that has too many requests without a response is closed.
import type { Socket } from "node:net";

/** Browsers and nearly all HTTP clients send one at a time. */
const mostInFlight = 16;

export type Pipelining = {
  /** Counts a request. False if its connection has been closed for having too many. */
  admit(socket: Socket): boolean;
  /** The response to an admitted request has been sent, or its client has disconnected. */
  release(socket: Socket): void;
  /** Connections closed. */
  readonly refused: number;
};

const requests = Symbol("requests");

/** `parser` isn't documented: without it, the rest of the bytes received is parsed, and each request in them rejected. */
type Counted = Socket & { [requests]?: number; parser?: { onIncoming: () => number } | null };

export function limitPipelining(most = mostInFlight): Pipelining {
  let refused = 0;
  return {
    admit: (socket: Counted) => {
      if (socket.destroyed) return false;
      const count = (socket[requests] ?? 0) + 1;
      socket[requests] = count;
      if (count <= most) return true;
      refused++;
      // A chunk of 64 kB holds hundreds of requests, which Node would parse before it returns to the event loop, and a
      // parser can't be paused within a chunk: it stops at a callback that reports an error.
      if (socket.parser) socket.parser.onIncoming = () => -1;
      socket.destroy();
      return false;
    },
    release: (socket: Counted) => {
      socket[requests] = (socket[requests] ?? 1) - 1;
    },
    get refused() {
      return refused;
    },
  };
}
