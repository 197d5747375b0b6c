// Limit on pipelining: a connection that has too many requests without a response is closed.
import type { Socket } from "node:net";
import { problem } from "../../core/problem.ts";
import { respondOnSocket } from "../malformed-request.ts";

/** Browsers and nearly all HTTP clients send one at a time. */
const mostInFlight = 16;

export type Pipelining = {
  /** Counts a request. False if its connection has too many and is being closed. */
  admit(socket: Socket): boolean;
  /** The response to an admitted request has been sent, or its client has disconnected. */
  release(socket: Socket): void;
  /** Connections closed. */
  readonly refused: number;
};

/** Limits how often a client can do this. */
const delayMs = 1000;

const requests = Symbol("requests");
const isClosing = Symbol("isClosing");

/** `parser` isn't documented: without it, the rest of the bytes received is parsed, and each request in them dropped. */
type Counted = Socket & { [requests]?: number; [isClosing]?: boolean; parser?: { onIncoming: () => number } | null };

/** Whether the requests of a connection are dropped. */
export const isRefused = (socket: Counted): boolean => socket[isClosing] === true || socket.destroyed;

export function limitPipelining(most = mostInFlight): Pipelining {
  const tooMany = problem("request.malformed", `A connection can have at most ${most} requests without a response.`);
  let refused = 0;
  return {
    admit: (socket: Counted) => {
      if (isRefused(socket)) return false;
      const count = (socket[requests] ?? 0) + 1;
      socket[requests] = count;
      if (count <= most) return true;
      refused++;
      // A chunk of 64 kB holds hundreds of requests, which Node would parse before it returns to the event loop, and a
      // parser can't be paused within a chunk: it stops at a callback that reports an error (`stoppedParser`).
      if (socket.parser) socket.parser.onIncoming = () => -1;
      socket.pause();
      socket[isClosing] = true;
      const closing = setTimeout(() => respondOnSocket(socket, tooMany), delayMs);
      socket.once("close", () => clearTimeout(closing));
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
