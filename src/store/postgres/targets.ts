// Which server a read goes to: replicas that are fresh enough, else the primary, else any replica that is up.
import { StoreError } from "../store.ts";
import type { Position, Target } from "./target.ts";

/** Positions of the primary that are remembered: enough for the largest staleness that can be set. */
const mostSamples = 1000;

export class Targets {
  readonly primary: Target;
  readonly replicas: readonly Target[];
  readonly #maxStalenessMs: number;
  readonly #samples: Position[] = [];
  #turn = 0;

  constructor(primary: Target, replicas: readonly Target[], maxStalenessMs: number) {
    this.primary = primary;
    this.replicas = replicas;
    this.#maxStalenessMs = maxStalenessMs;
  }

  /** The server for the next read. Replicas take turns. */
  choose(): Target {
    if (this.replicas.length === 0) return this.primary;
    const fresh = this.replicas.filter((replica) => this.staleness(replica) <= this.#maxStalenessMs);
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
  staleness(replica: Target): number {
    if (replica.position === undefined) return Number.POSITIVE_INFINITY;
    this.#sample();
    const { lsn } = replica.position;
    const newest = this.#samples.at(-1);
    if (newest === undefined) return Number.POSITIVE_INFINITY;
    if (lsn >= newest.lsn && !this.primary.isUp) return 0;
    const reached = this.#samples.findLast((sample) => sample.lsn <= lsn);
    return reached === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Date.now() - reached.at);
  }

  #sample(): void {
    const { position } = this.primary;
    if (position === undefined || position === this.#samples.at(-1)) return;
    this.#samples.push(position);
    if (this.#samples.length > mostSamples) this.#samples.shift();
  }

  get all(): readonly Target[] {
    return [this.primary, ...this.replicas];
  }
}
