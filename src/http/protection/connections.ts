// How many connections there may be: in all, and from one address. One too many is closed before a byte of it is read.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../core/access/client-network.ts";

export type ConnectionLimits = {
  /** In all; 0: any number. */
  readonly all: number;
  /** From one IPv4 address or one IPv6 network of 64 bits; 0: any number. */
  readonly ofAddress: number;
  /** Addresses that stand for many clients, as that of a proxy does. */
  readonly isShared?: (address: string) => boolean;
};

export const defaultConnectionLimits: ConnectionLimits = { all: 10_000, ofAddress: 500 };

export type Connections = {
  /** Counts the connections of a server, together with those of all others that are counted here. */
  count(server: Server): void;
  readonly open: number;
  /** How many were closed because there were too many. */
  readonly refused: number;
};

/** Between two attempts to make room. */
const roomEveryMs = 1000;

export function limitConnections(limits: ConnectionLimits, now = () => performance.now()): Connections {
  const ofAddress = new Map<string, number>();
  let open = 0;
  let refused = 0;
  let madeRoom = Number.NEGATIVE_INFINITY;

  const isFull = (server: Server): boolean => {
    if (limits.all === 0 || open < limits.all) return false;
    // Whoever only keeps a connection for later gives way to whoever has a request now.
    if (now() - madeRoom >= roomEveryMs) {
      madeRoom = now();
      server.closeIdleConnections();
    }
    return true;
  };

  const take = (server: Server, socket: Socket): void => {
    const { remoteAddress = "" } = socket;
    const address = networkOf(remoteAddress);
    const held = ofAddress.get(address) ?? 0;
    const isOver = limits.ofAddress > 0 && held >= limits.ofAddress && limits.isShared?.(remoteAddress) !== true;
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
    count: (server) => void server.on("connection", (socket: Socket) => take(server, socket)),
    get open() {
      return open;
    },
    get refused() {
      return refused;
    },
  };
}
