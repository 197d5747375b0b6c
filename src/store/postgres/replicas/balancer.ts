// Chooses the node for each read: replicas that are fresh enough, else the primary, else any replica that is up.
import { type Staleness, StoreError } from "../../store.ts";
import type { Node, Position } from "./node.ts";

/** Retained positions of the primary: enough for the largest staleness that can be configured. */
const maxSamples = 1000;

export type StalenessLimits = {
  /** How far a replica may lag and still serve reads while the primary is up. */
  readonly replicaStalenessSeconds: number;
  /** How stale the data served may be while the primary is down; 0 for no limit. */
  readonly maxStalenessSeconds: number;
};

export class Balancer {
  readonly primary: Node;
  readonly replicas: readonly Node[];
  readonly all: readonly Node[];
  readonly #limits: StalenessLimits;
  readonly #samples: Position[] = [];
  readonly #openedAt = Date.now();
  #next = 0;

  constructor(primary: Node, replicas: readonly Node[], limits: StalenessLimits) {
    this.primary = primary;
    this.replicas = replicas;
    this.all = [primary, ...replicas];
    this.#limits = limits;
    primary.onPosition = (position) => {
      this.#samples.push(position);
      if (this.#samples.length > maxSamples) this.#samples.shift();
    };
  }

  /** The node for the next read, round-robin among replicas. */
  choose(): Node {
    if (this.replicas.length === 0) return this.primary;
    const maxLagMs = this.#limits.replicaStalenessSeconds * 1000;
    const fresh = this.replicas.filter((replica) => this.lag(replica) <= maxLagMs);
    const usable =
      fresh.length > 0 ? fresh : this.primary.isUp ? [this.primary] : this.replicas.filter(({ isUp }) => isUp);
    const chosen = usable[this.#next++ % Math.max(usable.length, 1)];
    if (chosen === undefined) throw new StoreError("no database server is available");
    return chosen;
  }

  /**
   * Upper bound of a replica's lag in milliseconds: the time since the primary was last seen at a position that the
   * replica has reached. While the primary is down, a replica that has reached its last known position doesn't lag.
   */
  lag(replica: Node): number {
    const lsn = replica.position?.lsn;
    const newest = this.#samples.at(-1);
    if (lsn === undefined || newest === undefined) return Number.POSITIVE_INFINITY;
    if (lsn >= newest.lsn && !this.primary.isUp) return 0;
    const reached = this.#samples.findLast((sample) => sample.lsn <= lsn);
    return reached === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Date.now() - reached.at);
  }

  /** How stale a node's state may be while the primary is down; undefined while it is up. */
  staleness(node: Node): Staleness | undefined {
    if (this.primary.isConfirmed) return undefined;
    const currentAt = this.#currentAt(node);
    const { maxStalenessSeconds: limit } = this.#limits;
    // If unknown, it is at least as old as this process.
    const seconds = Math.max(0, Math.floor((Date.now() - (currentAt ?? this.#openedAt)) / 1000));
    return { seconds, limit, isTooOld: limit > 0 && (currentAt === undefined || seconds > limit) };
  }

  /** When a node's state was last known to match the primary's. */
  #currentAt(node: Node): number | undefined {
    if (node === this.primary) return node.confirmedAt;
    const { position } = node;
    if (position === undefined) return undefined;
    return this.#samples.findLast(({ lsn }) => lsn <= position.lsn)?.at ?? position.replayedAt;
  }
}
