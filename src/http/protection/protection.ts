// What keeps one client from spoiling the service for others: bounds of connections, slow readers, large pages and load.
import { type ConnectionLimits, type Connections, countConnections, defaultConnectionLimits } from "./connections.ts";
import { type Load, watchLoad } from "./event-loop-lag.ts";
import type { InFlight } from "./in-flight.ts";
import { type KeyQueues, keyQueues } from "./key-concurrency.ts";
import { defaultTurnLimits, type TurnLimits, type Turns, takeTurns } from "./large-page-queue.ts";
import { defaultReaderLimits, type ReaderLimits, type SlowReaders, slowReaders } from "./slow-clients.ts";

export type ProtectionLimits = {
  readonly connections: ConnectionLimits;
  readonly readers: ReaderLimits;
  /** Of large pages. */
  readonly turns: TurnLimits;
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
  readers: defaultReaderLimits,
  turns: defaultTurnLimits,
  keyConcurrency: 32,
  lagMs: 0,
  headerMs: 20_000,
  bodyMs: 60_000,
  sweepMs: 1000,
};

export type Protection = {
  readonly connections: Connections;
  readonly readers: SlowReaders;
  readonly turns: Turns;
  readonly keyQueues: KeyQueues;
  readonly load: Load;
  stop(): void;
};

export function protect(limits: ProtectionLimits, inFlight: InFlight, ticks: () => number): Protection {
  const readers = slowReaders(limits.readers, ticks);
  const load = watchLoad(limits.lagMs, ticks);
  const sweeping = setInterval(() => readers.sweep(inFlight.responses), limits.sweepMs).unref();
  return {
    connections: countConnections(limits.connections, ticks),
    readers,
    turns: takeTurns(limits.turns),
    keyQueues: keyQueues(limits.keyConcurrency),
    load,
    stop: () => {
      clearInterval(sweeping);
      load.stop();
    },
  };
}
