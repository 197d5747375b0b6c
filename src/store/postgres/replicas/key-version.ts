// The latest version of the API keys that this process has seen: a lagging replica must not revive a revoked key.
import { StoreError, type StoreState } from "../../store.ts";
import type { Balancer } from "./balancer.ts";
import type { Node } from "./node.ts";

export class KeyVersion {
  readonly #balancer: Balancer;
  #latest = 0;
  readonly #raised = new WeakMap<StoreState, StoreState>();

  constructor(balancer: Balancer) {
    this.#balancer = balancer;
  }

  /** A node's state, with the latest key version. */
  applyTo(state: StoreState): StoreState {
    this.#observe(state);
    if (state.keysVersion >= this.#latest) return state;
    const cached = this.#raised.get(state);
    if (cached?.keysVersion === this.#latest) return cached;
    const raised = { ...state, keysVersion: this.#latest };
    this.#raised.set(state, raised);
    return raised;
  }

  /** The preferred node if its keys are current, else any other whose keys are. */
  nodeWithCurrentKeys(preferred: Node): Node {
    const isCurrent = ({ state }: Node): boolean => state !== undefined && state.keysVersion >= this.#latest;
    const found = [preferred, ...this.#balancer.all].find(isCurrent);
    if (found === undefined) throw new StoreError("no database server with the latest keys is available");
    return found;
  }

  /** A primary's version always applies, even if it is lower: another server may have been promoted. */
  #observe({ keysVersion }: StoreState): void {
    const { state, position } = this.#balancer.primary;
    this.#latest =
      state !== undefined && position?.isStandby === false ? state.keysVersion : Math.max(this.#latest, keysVersion);
  }
}
