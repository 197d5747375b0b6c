// The version of the keys that applies: the newest that this process has seen. A replica may be behind, but must not make
// a revoked key valid again.
import { StoreError, type StoreState } from "../../store.ts";
import type { Targets } from "./balancer.ts";
import type { Target } from "./node.ts";

export class KeyVersion {
  readonly #targets: Targets;
  #newest = 0;
  readonly #raised = new WeakMap<StoreState, StoreState>();

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  /** The state of a server, with the version of the keys that applies. */
  applyTo(state: StoreState): StoreState {
    this.#look(state);
    if (state.keysVersion >= this.#newest) return state;
    const known = this.#raised.get(state);
    if (known?.keysVersion === this.#newest) return known;
    const raised = { ...state, keys: this.#newest };
    this.#raised.set(state, raised);
    return raised;
  }

  /** Where keys are read from: the given server if it is up to date, else any other that is. */
  serverFor(target: Target): Target {
    const isCurrent = ({ known }: Target): boolean => known !== undefined && known.keysVersion >= this.#newest;
    const found = [target, ...this.#targets.all].find(isCurrent);
    if (found === undefined) throw new StoreError("no database that can be reached has the newest keys");
    return found;
  }

  /** What a primary says applies even if it is less than before: another server may have been promoted. */
  #look({ keysVersion: keys }: StoreState): void {
    const { known, position } = this.#targets.primary;
    this.#newest =
      known !== undefined && position?.isStandby === false ? known.keysVersion : Math.max(this.#newest, keys);
  }
}
