// Protection against overload: limits on connections, pipelining, slow clients, large pages, concurrency per key, and lag.
import { type ConnectionLimits, type Connections, defaultConnectionLimits, limitConnections } from "./connections.ts";
import { type EventLoopLag, watchEventLoopLag } from "./event-loop-lag.ts";
import { defaultExportLimits, type ExportLimits, type ExportSlots, exportSlots } from "./export-slots.ts";
import type { InFlight } from "./in-flight.ts";
import { type KeyConcurrency, limitKeyConcurrency } from "./key-concurrency.ts";
import { defaultLargePageLimits, type LargePageLimits, LargePageQueue } from "./large-page-queue.ts";
import { limitPipelining, type Pipelining } from "./pipelining.ts";
import { defaultSlowClientLimits, type SlowClientLimits, type SlowClients, watchSlowClients } from "./slow-clients.ts";

export type ProtectionLimits = {
  readonly connections: ConnectionLimits;
  readonly slowClientLimits: SlowClientLimits;
  readonly largePages: LargePageLimits;
  readonly exports: ExportLimits;
  /** Concurrent reads per key; 0: unlimited. */
  readonly keyConcurrency: number;
  /** Open streams per key; 0: unlimited. */
  readonly keyStreams: number;
  /** Longest wait before a request is rejected; 0: unlimited, for processes that do other work too. */
  readonly lagMs: number;
  /** Time for the headers of a request to arrive. */
  readonly headerMs: number;
  /** Time for a body that nothing reads to arrive. */
  readonly bodyMs: number;
  /** Between two checks for slow connections. */
  readonly sweepMs: number;
};

export const defaultProtection: ProtectionLimits = {
  connections: defaultConnectionLimits,
  slowClientLimits: defaultSlowClientLimits,
  largePages: defaultLargePageLimits,
  exports: defaultExportLimits,
  keyConcurrency: 32,
  keyStreams: 10,
  lagMs: 0,
  headerMs: 20_000,
  bodyMs: 60_000,
  sweepMs: 1000,
};

export type Protection = {
  readonly connections: Connections;
  readonly pipelining: Pipelining;
  readonly slowClients: SlowClients;
  readonly largePages: LargePageQueue;
  readonly exports: ExportSlots;
  readonly keyConcurrency: KeyConcurrency;
  readonly eventLoopLag: EventLoopLag;
  stop(): void;
};

export function protect(limits: ProtectionLimits, inFlight: InFlight, ticks: () => number): Protection {
  const slowClients = watchSlowClients(limits.slowClientLimits, ticks);
  const eventLoopLag = watchEventLoopLag(limits.lagMs, ticks);
  const sweepTimer = setInterval(() => slowClients.sweep(inFlight.responses), limits.sweepMs).unref();
  return {
    connections: limitConnections(limits.connections, ticks),
    pipelining: limitPipelining(),
    slowClients,
    largePages: new LargePageQueue(limits.largePages),
    exports: exportSlots(limits.exports),
    keyConcurrency: limitKeyConcurrency(limits.keyConcurrency),
    eventLoopLag,
    stop: () => {
      clearInterval(sweepTimer);
      eventLoopLag.stop();
    },
  };
}
