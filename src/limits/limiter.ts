// Rate limiter: decides requests by the limits of their keys and syncs usage with the other processes through the store,
// many requests per sync, and none while no limited key is in use.
import type { Zone } from "../core/value/time-zone.ts";
import type { LimitDelta, LimitTotal } from "../store/store.ts";
import { Allowance, type Clock, type Decision, isLimited, type KeyLimits, type PendingSync } from "./allowance.ts";
import { exchangeSeconds } from "./bucket.ts";

/** How long requests wait for a sync; after that, this process decides by what it knows. */
const syncTimeoutSeconds = 2;

/** Adds this process's usage to the store; returns that of all processes. */
type Exchange = (spending: readonly LimitDelta[]) => Promise<readonly LimitTotal[]>;

type LimiterOptions = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Called when a sync fails; until one succeeds, each process enforces limits alone. */
  readonly onSyncError?: (error: unknown) => void;
};

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #allowances = new Map<string, Allowance>();
  /** Used since the last sync. */
  readonly #used = new Set<Allowance>();
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /**
   * The allowance of a key, shared by all requests with its name; undefined for a key without limits. Limits that may
   * have changed since they were read (`isCurrent` is false) don't update an existing allowance.
   */
  allowanceOf(key: { readonly name: string } & KeyLimits, zone: Zone, isCurrent = true): Allowance | undefined {
    const known = this.#allowances.get(key.name);
    if (isCurrent) known?.update(key, zone);
    if (!isLimited(key)) return undefined;
    if (known !== undefined) return known;
    const allowance = new Allowance(key.name, key, zone, this.#options.clock);
    this.#allowances.set(key.name, allowance);
    return allowance;
  }

  /** The decision, if it is possible without a sync. */
  tryDecide(allowance: Allowance): Decision | undefined {
    return allowance.mustSync() && !this.#isDisconnected() ? undefined : this.#consume(allowance);
  }

  /** The decision, after a sync if one is needed. */
  async decide(allowance: Allowance): Promise<Decision> {
    while (allowance.mustSync() && !this.#isDisconnected()) {
      this.#used.add(allowance);
      if (!(await this.#waitForSync())) break;
    }
    return this.#consume(allowance);
  }

  /** Syncs everything that is left, on shutdown. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#syncing;
    if (this.#used.size > 0) await this.#sync();
    clearTimeout(this.#timer);
  }

  #consume(allowance: Allowance): Decision {
    const decision = allowance.consume();
    if (decision.refused === undefined) {
      this.#used.add(allowance);
      this.#schedule();
    }
    return decision;
  }

  /** Whether the last sync failed just now, or the current one is overdue. */
  #isDisconnected(): boolean {
    const ticks = this.#options.clock.ticks();
    const isOverdue = this.#syncing !== undefined && ticks > this.#syncedAt + syncTimeoutSeconds;
    if (isOverdue) this.#reportError(new Error(`no response within ${syncTimeoutSeconds} seconds`));
    return isOverdue || ticks < this.#failedAt + exchangeSeconds;
  }

  /** A failing callback must not fail a request. */
  #reportError(error: unknown): void {
    try {
      this.#options.onSyncError?.(error);
    } catch {}
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#syncing !== undefined) return;
    const due = this.#syncedAt + exchangeSeconds - this.#options.clock.ticks();
    // Nothing awaits this sync, so its errors must be caught here.
    const run = () => this.#sync().catch(() => {});
    this.#timer = setTimeout(run, Math.max(0, due * 1000)).unref();
  }

  /** Waits for a sync; false when it took too long. Requests that came after it was sent need another one. */
  async #waitForSync(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), syncTimeoutSeconds * 1000);
    });
    const synced = (this.#syncing ?? this.#sync()).then(() => true);
    const result = await Promise.race([synced, tooLong]);
    clearTimeout(timer);
    return result;
  }

  #sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#syncing ??= this.#run().finally(() => {
      this.#syncing = undefined;
      if (this.#used.size > 0) this.#schedule();
    });
    return this.#syncing;
  }

  async #run(): Promise<void> {
    const { exchange, clock } = this.#options;
    const sent = new Map<string, { allowance: Allowance; sent: PendingSync }>();
    this.#syncedAt = clock.ticks();
    try {
      for (const allowance of this.#used) sent.set(allowance.key, { allowance, sent: allowance.beginSync() });
      this.#used.clear();
      const all = await exchange([...sent.values()].flatMap((each) => each.sent.spending));
      for (const spent of all) {
        const pending = sent.get(spent.key);
        pending?.allowance.applySync(spent, pending.sent);
      }
    } catch (error) {
      this.#failedAt = clock.ticks();
      for (const { allowance, sent: pending } of sent.values()) {
        allowance.cancelSync(pending);
        this.#used.add(allowance);
      }
      this.#reportError(error);
    }
  }
}
