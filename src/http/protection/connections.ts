// Connection limits, in total and per address. Excess connections are closed before a byte is read.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../core/access/client-network.ts";

export type ConnectionLimits = {
  /** 0: unlimited. */
  readonly total: number;
  /** Per IPv4 address or IPv6 /64 network; 0: unlimited. */
  readonly perAddress: number;
  /** Addresses shared by many clients, such as a proxy's. */
  readonly isShared?: (address: string) => boolean;
};

export const defaultConnectionLimits: ConnectionLimits = { total: 10_000, perAddress: 500 };

export type Connections = {
  /** Limits the connections of a server, together with those of all other tracked servers. */
  track(server: Server): void;
  readonly open: number;
  /** Connections closed because there were too many. */
  readonly refused: number;
};

/** Between two closings of idle connections. */
const closeIdleEveryMs = 1000;

export function limitConnections(limits: ConnectionLimits, now = () => performance.now()): Connections {
  const ofAddress = new Map<string, number>();
  let open = 0;
  let refused = 0;
  let closedIdleAt = Number.NEGATIVE_INFINITY;

  const isFull = (server: Server): boolean => {
    if (limits.total === 0 || open < limits.total) return false;
    // Idle connections give way to those with a request.
    if (now() - closedIdleAt >= closeIdleEveryMs) {
      closedIdleAt = now();
      server.closeIdleConnections();
    }
    return true;
  };

  const accept = (server: Server, socket: Socket): void => {
    const { remoteAddress = "" } = socket;
    const address = networkOf(remoteAddress);
    const held = ofAddress.get(address) ?? 0;
    const isOver = limits.perAddress > 0 && held >= limits.perAddress && limits.isShared?.(remoteAddress) !== true;
    if (isOver || isFull(server)) {
      refused++;
      socket.destroy();
      return;
    }
    open++;
    ofAddress.set(address, held + 1);
    socket.once("close", () => {
      open--;
      const left = (ofAddress.get(address) ?? 1) - 1;
      if (left > 0) ofAddress.set(address, left);
      else ofAddress.delete(address);
    });
  };

  return {
    track: (server) => void server.on("connection", (socket: Socket) => accept(server, socket)),
    get open() {
      return open;
    },
    get refused() {
      return refused;
    },
  };
}
