// What keeps one client from spoiling the service for others: bounds of connections, slow readers, large pages and load.
import { type ConnectionLimits, type Connections, defaultConnectionLimits, limitConnections } from "./connections.ts";
import { type EventLoopLag, watchEventLoopLag } from "./event-loop-lag.ts";
import type { InFlight } from "./in-flight.ts";
import { type KeyQueues, keyQueues } from "./key-concurrency.ts";
import {
  defaultLargePageLimits,
  type LargePageLimits,
  type LargePageQueue,
  largePageQueue,
} from "./large-page-queue.ts";
import { defaultSlowClientLimits, type SlowClientLimits, type SlowClients, slowClients } from "./slow-clients.ts";

export type ProtectionLimits = {
  readonly connections: ConnectionLimits;
  readonly readers: SlowClientLimits;
  /** Of large pages. */
  readonly turns: LargePageLimits;
  /** Requests of one key that may read at once; 0: any number. */
  readonly keyConcurrency: number;
  /** How long a request may have waited before it is turned away; 0: for ever, as where a process does other work too. */
  readonly lagMs: number;
  /** For the headers of a request to arrive. */
  readonly headerMs: number;
  /** For a body to arrive that nobody reads. */
  readonly bodyMs: number;
  /** Between two looks at connections that are too slow. */
  readonly sweepMs: number;
};

export const defaultProtection: ProtectionLimits = {
  connections: defaultConnectionLimits,
  readers: defaultSlowClientLimits,
  turns: defaultLargePageLimits,
  keyConcurrency: 32,
  lagMs: 0,
  headerMs: 20_000,
  bodyMs: 60_000,
  sweepMs: 1000,
};

export type Protection = {
  readonly connections: Connections;
  readonly readers: SlowClients;
  readonly turns: LargePageQueue;
  readonly keyQueues: KeyQueues;
  readonly load: EventLoopLag;
  stop(): void;
};

export function protect(limits: ProtectionLimits, inFlight: InFlight, ticks: () => number): Protection {
  const readers = slowClients(limits.readers, ticks);
  const load = watchEventLoopLag(limits.lagMs, ticks);
  const sweeping = setInterval(() => readers.sweep(inFlight.responses), limits.sweepMs).unref();
  return {
    connections: limitConnections(limits.connections, ticks),
    readers,
    turns: largePageQueue(limits.turns),
    keyQueues: keyQueues(limits.keyConcurrency),
    load,
    stop: () => {
      clearInterval(sweeping);
      load.stop();
    },
  };
}
