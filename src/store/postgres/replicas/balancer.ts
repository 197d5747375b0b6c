// Which server a read goes to: replicas that are fresh enough, else the primary, else any replica that is up.
import { type Staleness, StoreError } from "../../store.ts";
import type { Position, Target } from "./node.ts";

/** Positions of the primary that are remembered: enough for the largest staleness that can be set. */
const mostSamples = 1000;

export type StalenessLimits = {
  /** How far behind a replica may be and still be read from, while the primary is up. */
  readonly replicaStalenessSeconds: number;
  /** How old the state may be that is served while the primary can't be reached; 0: of any age. */
  readonly maxStalenessSeconds: number;
};

export class Targets {
  readonly primary: Target;
  readonly replicas: readonly Target[];
  readonly #limits: StalenessLimits;
  readonly #samples: Position[] = [];
  readonly #openedAt = Date.now();
  #turn = 0;

  constructor(primary: Target, replicas: readonly Target[], limits: StalenessLimits) {
    this.primary = primary;
    this.replicas = replicas;
    this.#limits = limits;
    primary.onPosition = (position) => {
      this.#samples.push(position);
      if (this.#samples.length > mostSamples) this.#samples.shift();
    };
  }

  /** The server for the next read. Replicas take turns. */
  choose(): Target {
    if (this.replicas.length === 0) return this.primary;
    const mostMs = this.#limits.replicaStalenessSeconds * 1000;
    const fresh = this.replicas.filter((replica) => this.lag(replica) <= mostMs);
    const usable =
      fresh.length > 0 ? fresh : this.primary.isUp ? [this.primary] : this.replicas.filter(({ isUp }) => isUp);
    const chosen = usable[this.#turn++ % Math.max(usable.length, 1)];
    if (chosen === undefined) throw new StoreError("no database can be reached");
    return chosen;
  }

  /**
   * How far a replica may be behind, in milliseconds: the time since the primary was last seen at a place that the
   * replica has reached. While the primary is away, its last known place is what can be asked for.
   */
  lag(replica: Target): number {
    if (replica.position === undefined) return Number.POSITIVE_INFINITY;
    const { lsn } = replica.position;
    const newest = this.#samples.at(-1);
    if (newest === undefined) return Number.POSITIVE_INFINITY;
    if (lsn >= newest.lsn && !this.primary.isUp) return 0;
    const reached = this.#samples.findLast((sample) => sample.lsn <= lsn);
    return reached === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Date.now() - reached.at);
  }

  /** How old the state of a server may be while the primary can't be reached; undefined while it can. */
  staleness(target: Target): Staleness | undefined {
    if (this.primary.isConfirmed) return undefined;
    const currentAt = this.#currentAt(target);
    const { maxStalenessSeconds: limit } = this.#limits;
    // Where nothing is known, it is at least as old as this process.
    const seconds = Math.max(0, Math.floor((Date.now() - (currentAt ?? this.#openedAt)) / 1000));
    return { seconds, limit, isTooOld: limit > 0 && (currentAt === undefined || seconds > limit) };
  }

  /** When the state of a server was last known to be that of the primary. */
  #currentAt(target: Target): number | undefined {
    if (target === this.primary) return target.confirmedAt;
    const { position } = target;
    if (position === undefined) return undefined;
    return this.#samples.findLast(({ lsn }) => lsn <= position.lsn)?.at ?? position.replayedAt;
  }

  get all(): readonly Target[] {
    return [this.primary, ...this.replicas];
  }
}
