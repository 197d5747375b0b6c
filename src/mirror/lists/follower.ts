// Follows one resource through its lists, cycle by cycle: removals first, then changes, then more of the backfill.
import type { Resource } from "../../core/catalog/resource.ts";
import { toSeconds } from "../../lease/clock.ts";
import { type ListCheckpoint, partNames, type RemovalsCheckpoint } from "../checkpoint.ts";
import { Part, type PartOptions } from "../part.ts";
import type { Wakes } from "../wake.ts";
import {
  backfillWindow,
  loadListCheckpoint,
  pollChanges,
  type Step,
  type SyncContext,
  saveCheckpoint,
} from "./lists.ts";
import { isReconcileDue, lessOften, type ReconcileOptions, reconcile, scheduleFullReconcile } from "./reconcile.ts";
import { isOffered, loadRemovalsCheckpoint, mayHaveExpired, syncRemovals } from "./removals.ts";
import { isFilled } from "./windows.ts";

type FollowerOptions = PartOptions & {
  readonly reconcile: ReconcileOptions;
  readonly signal: AbortSignal;
  readonly wakes: Wakes;
  readonly onCycle: () => Promise<void>;
};

export class ResourceFollower {
  readonly #options: FollowerOptions;
  readonly #resource: Resource;
  readonly #list: Part;
  readonly #removals: Part;
  #checkpoint: ListCheckpoint | undefined;
  #removalsCheckpoint: RemovalsCheckpoint | undefined;

  constructor(options: FollowerOptions, resource: Resource) {
    this.#options = options;
    this.#resource = resource;
    this.#list = new Part(resource.name, options);
    this.#removals = new Part(partNames.removals(resource.name), options);
  }

  /** Until stopped. */
  follow(): Promise<void> {
    return this.#runUntil(() => false);
  }

  /** Until the backfill is complete or has failed for good. */
  fill(): Promise<void> {
    return this.#runUntil(() => this.#list.hasGivenUp || this.#isFilled());
  }

  /** Until removals and changes were read once more or have failed for good. */
  catchUp(): Promise<void> {
    let cycles = 0;
    return this.#runUntil(() => cycles++ > 0 && this.#list.isSettled && this.#removals.isSettled);
  }

  async #runUntil(isDone: () => boolean): Promise<void> {
    const { context, everyMs, signal, onCycle, wakes } = this.#options;
    const { clock } = context;
    const wake = wakes.of(this.#resource.name);
    while (!signal.aborted) {
      const began = clock.ticks();
      const checkpoint = await this.#open();
      if (isDone()) return;
      // Never concurrently with a scan of records: see syncRemovals.
      if (checkpoint !== undefined && this.#removals.isDue) await this.#syncRemovals(checkpoint);
      if (checkpoint !== undefined && this.#list.isDue)
        await this.#list.attempt((on) => this.#syncList(on, checkpoint, began + everyMs));
      await onCycle();
      if (this.#list.hasFailed) await clock.sleep(this.#list.pauseMs(began), signal);
      else if (this.#isFilled()) await wake.sleep(this.#list.pauseMs(began), signal);
    }
  }

  #isFilled(): boolean {
    return this.#checkpoint !== undefined && isFilled(this.#checkpoint.back, this.#options.context.floor);
  }

  /** Loads the checkpoint, once. */
  async #open(): Promise<ListCheckpoint | undefined> {
    if (this.#checkpoint !== undefined || !this.#list.isDue) return this.#checkpoint;
    await this.#list.attempt(async (context) => {
      const loaded = await loadListCheckpoint(context, this.#resource);
      if ("ok" in loaded) return loaded;
      this.#checkpoint = loaded;
      return { ok: true };
    });
    return this.#checkpoint;
  }

  async #syncRemovals(checkpoint: ListCheckpoint): Promise<void> {
    const { context } = this.#removals;
    const before = this.#removalsCheckpoint;
    const removals = before ?? (await loadRemovalsCheckpoint(context, this.#resource, checkpoint.begun));
    this.#removalsCheckpoint = removals;
    if (before === undefined && mayHaveExpired(removals, toSeconds(context.clock.now()))) {
      const { path } = this.#resource.intake.removed;
      this.#options.report(
        this.#removals.name,
        `${this.#resource.name}: offline for so long that the upstream may have dropped removals from ${path}; reconciling all days`,
      );
      scheduleFullReconcile(checkpoint);
      // Saved before anything else happens.
      await saveCheckpoint(context, this.#resource, checkpoint);
    }
    await this.#removals.attempt((on) => syncRemovals(on, this.#resource, removals, checkpoint.tally));
  }

  /** Polls changes, backfills until `deadline`, and reconciles when it is due. */
  async #syncList(context: SyncContext, checkpoint: ListCheckpoint, deadline: number): Promise<Step> {
    const { clock } = context;
    const mayContinue = () => clock.ticks() < deadline && !this.#options.signal.aborted;
    const polled = await pollChanges(context, this.#resource, checkpoint);
    if (!polled.ok) return polled;
    // At least one window, however long the changes took: a busy upstream must not starve the backfill.
    do {
      const step = await backfillWindow(context, this.#resource, checkpoint);
      if (step === "none left") break;
      if (!step.ok) return step;
    } while (mayContinue());
    const options = this.#reconcileOptions();
    while (isReconcileDue(checkpoint, toSeconds(clock.now()), options)) {
      const step = await reconcile(context, this.#resource, checkpoint, options);
      if (!step.ok) return step;
      if (!mayContinue()) break;
    }
    return { ok: true };
  }

  #reconcileOptions(): ReconcileOptions {
    const offered = this.#removalsCheckpoint !== undefined && isOffered(this.#removalsCheckpoint);
    return offered ? lessOften(this.#options.reconcile) : this.#options.reconcile;
  }
}
