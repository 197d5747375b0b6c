// The primary and its replicas as one database: the current state, reads with failover, and health.
import { type Health, type Staleness, StoreError, type StoreState } from "../../store.ts";
import { ConnectionPool, type PoolOptions, type Query } from "../pool/pool.ts";
import { Balancer, type StalenessLimits } from "./balancer.ts";
import { KeyVersion } from "./key-version.ts";
import { Node } from "./node.ts";

export type ClusterOptions = PoolOptions &
  StalenessLimits & {
    readonly replicas: readonly string[];
    /** When a probe puts the state in doubt; tests may pass their own. */
    readonly lateMs?: number;
  };

export class Cluster {
  readonly primary: Node;
  readonly balancer: Balancer;
  readonly #keyVersion: KeyVersion;
  readonly #options: ClusterOptions;
  /** The node that a state was read from, so that a response's records are never older than its ETag. */
  readonly #origins = new WeakMap<StoreState, Node>();

  /** Starts connecting, but doesn't wait: servers may be down. */
  constructor(options: ClusterOptions) {
    this.#options = options;
    const { lateMs } = options;
    const late = lateMs === undefined ? {} : { lateMs };
    this.primary = new Node(new ConnectionPool(options), { listen: true, ...late });
    const replicas = options.replicas.map(
      (url) => new Node(new ConnectionPool({ ...options, url }), { listen: false, ...late }),
    );
    this.balancer = new Balancer(this.primary, replicas, options);
    this.#keyVersion = new KeyVersion(this.balancer);
    for (const node of this.balancer.all) {
      node.startProbing(() => {
        if (this.balancer.all.some(({ isUp }) => isUp)) node.pool.abortInFlight();
      });
    }
  }

  async probe(): Promise<void> {
    await Promise.all(this.balancer.all.map((node) => node.probe()));
  }

  state(): StoreState | Promise<StoreState> {
    const node = this.balancer.choose();
    if (node.state !== undefined) return this.#stateFrom(node, node.state);
    return node.refresh().then((state) => this.#stateFrom(node, state));
  }

  #stateFrom(node: Node, known: StoreState): StoreState {
    const state = this.#keyVersion.applyTo(known);
    this.#origins.set(state, node);
    return state;
  }

  staleness(state: StoreState): Staleness | undefined {
    return this.primary.isConfirmed ? undefined : this.balancer.staleness(this.nodeFor(state));
  }

  nodeFor(state: StoreState | undefined): Node {
    return (state && this.#origins.get(state)) ?? this.balancer.choose();
  }

  nodeForKeys(state: StoreState | undefined): Node {
    return this.#keyVersion.nodeWithCurrentKeys(this.nodeFor(state));
  }

  /** Marks the node as down if the connection fails, so that the caller can retry on another one. */
  async read<T>(node: Node, work: (query: Query, pool: ConnectionPool) => Promise<T>): Promise<T> {
    const { pool } = node;
    try {
      return await work((sql, ...values) => pool.query(sql, ...values), pool);
    } catch (error) {
      if (error instanceof StoreError && error.retry) node.markDown();
      throw error;
    }
  }

  health(): Health {
    const { all, replicas } = this.balancer;
    const { position } = this.primary;
    return {
      ready: all.some((node) => node.isUp && this.balancer.staleness(node)?.isTooOld !== true),
      checks: {
        primary: position === undefined ? "away" : position.isStandby ? "read-only" : "ok",
        ...Object.fromEntries(replicas.map((replica) => [replica.pool.name, this.#replicaHealth(replica)])),
      },
    };
  }

  #replicaHealth(replica: Node): string {
    const lagMs = this.balancer.lag(replica);
    if (lagMs === Number.POSITIVE_INFINITY) return "away";
    return lagMs <= this.#options.replicaStalenessSeconds * 1000 ? "ok" : `${Math.round(lagMs / 1000)} s behind`;
  }

  async close(): Promise<void> {
    await Promise.all(this.balancer.all.map((node) => node.close()));
  }
}
