// Follows an upstream cycle by cycle: removals first, then changes, then more of the backfill.
import type { Resource } from "../core/catalog/resource.ts";
import { loadFeedCheckpoint, syncFeedPage } from "./change-feed.ts";
import type { ListCheckpoint, RemovalsCheckpoint } from "./checkpoint.ts";
import { toSeconds } from "./clock.ts";
import {
  backfillWindow,
  loadListCheckpoint,
  pollChanges,
  type Step,
  type SyncContext,
  saveCheckpoint,
} from "./lists/lists.ts";
import {
  isReconcileDue,
  lessOften,
  type ReconcileOptions,
  reconcile,
  scheduleFullReconcile,
} from "./lists/reconcile.ts";
import {
  isOffered,
  loadRemovalsCheckpoint,
  mayHaveExpired,
  type RemovedList,
  removedLists,
  syncRemovals,
} from "./lists/removals.ts";
import { isFilled } from "./lists/windows.ts";
import { RetriesExhaustedError } from "./upstream/upstream.ts";

export type FollowOptions = {
  readonly context: SyncContext;
  readonly resources: readonly Resource[];
  readonly everyMs: number;
  /** Ends after the backfill and one more pass over removals and changes. */
  readonly once: boolean;
  readonly reconcile: ReconcileOptions;
  readonly signal: AbortSignal;
  /** Reports the outcome of a part of the work: `why` it failed, or undefined when it succeeded. */
  readonly report: (part: string, why: string | undefined) => void;
  /** Called at the end of each cycle. */
  readonly onCycle: () => Promise<void>;
};

/** A part that fails in this many consecutive cycles is skipped when running `once`. */
const maxFailures = 3;
/** Delay between cycles when running `once`. */
const onceDelayMs = 100;

const pauseAfter = ({ once, everyMs, context: { clock } }: FollowOptions, began: number): number =>
  once ? onceDelayMs : Math.max(0, began + everyMs - clock.ticks());

export async function followLists(options: FollowOptions): Promise<void> {
  const { context, resources, everyMs, once, signal } = options;
  const { clock } = context;
  const follower = new ListFollower(options);
  const lists = removedLists(resources);
  const parts = [...resources.map(({ name }) => name), ...lists.map(({ path }) => path)];
  while (!signal.aborted) {
    const began = clock.ticks();
    const active = resources.filter(({ name }) => !follower.hasGivenUp(name));
    await allOf(active.map((resource) => follower.open(resource)));
    // If everything was complete when the cycle began, this cycle's pass over removals and changes is the last one.
    const last = once && resources.every((resource) => follower.isComplete(resource));
    // Never concurrently with a scan of records: see syncRemovals.
    for (const list of lists) if (!follower.hasGivenUp(list.path)) await follower.syncRemovals(list);
    await allOf(active.map((resource) => follower.syncResource(resource, began + everyMs)));
    await options.onCycle();
    if (last && parts.every((part) => !follower.hasFailed(part) || follower.hasGivenUp(part))) return;
    const idle = resources.every((resource) => follower.isComplete(resource) || follower.hasFailed(resource.name));
    if (idle) await clock.sleep(pauseAfter(options, began), signal);
  }
}

/** Checkpoints and failure counts of one run over lists. */
class ListFollower {
  readonly #options: FollowOptions;
  readonly #checkpoints = new Map<Resource, ListCheckpoint>();
  readonly #removals = new Map<RemovedList, RemovalsCheckpoint>();
  readonly #failures = new Map<string, number>();

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  hasFailed(part: string): boolean {
    return (this.#failures.get(part) ?? 0) > 0;
  }

  hasGivenUp(part: string): boolean {
    return this.#options.once && (this.#failures.get(part) ?? 0) >= maxFailures;
  }

  isComplete(resource: Resource): boolean {
    const checkpoint = this.#checkpoints.get(resource);
    return (
      this.hasGivenUp(resource.name) ||
      (checkpoint !== undefined && isFilled(checkpoint.back, this.#options.context.floor))
    );
  }

  /** Loads the checkpoint of a resource, once. */
  async open(resource: Resource): Promise<void> {
    if (this.#checkpoints.has(resource)) return;
    await this.#attempt(resource.name, async () => {
      const loaded = await loadListCheckpoint(this.#options.context, resource);
      if ("ok" in loaded) return loaded;
      this.#checkpoints.set(resource, loaded);
      return { ok: true };
    });
  }

  async syncRemovals(list: RemovedList): Promise<void> {
    const { context, report } = this.#options;
    const opened = list.resources.flatMap((resource) => this.#checkpoints.get(resource) ?? []);
    if (opened.length === 0) return;
    const before = this.#removals.get(list);
    // Nothing was ingested before the first of its resources was opened.
    const begun = Math.min(...opened.map((checkpoint) => checkpoint.begun));
    const removals = before ?? (await loadRemovalsCheckpoint(context, list, begun));
    this.#removals.set(list, removals);
    if (before === undefined && mayHaveExpired(removals, toSeconds(context.clock.now()))) {
      report(
        list.path,
        `${list.path}: offline for so long that the upstream may have dropped removals; reconciling all days`,
      );
      for (const resource of list.resources) await this.#scheduleFullReconcile(resource);
    }
    await this.#attempt(list.path, () => syncRemovals(context, list, removals, this.#checkpoints));
  }

  /** Polls changes, backfills until `deadline`, and reconciles when it is due. */
  async syncResource(resource: Resource, deadline: number): Promise<void> {
    const { context, signal } = this.#options;
    const { clock } = context;
    const checkpoint = this.#checkpoints.get(resource);
    if (checkpoint === undefined) return;
    if (!(await this.#attempt(resource.name, () => pollChanges(context, resource, checkpoint)))) return;
    // At least one window, however long the changes took: a busy upstream must not starve the backfill.
    let left = true;
    do {
      const ok = await this.#attempt(resource.name, async () => {
        const step = await backfillWindow(context, resource, checkpoint);
        left = step !== "none left";
        return step === "none left" ? { ok: true } : step;
      });
      if (!ok) return;
    } while (left && clock.ticks() < deadline && !signal.aborted);
    const options = this.#reconcileOptions(resource);
    while (isReconcileDue(checkpoint, toSeconds(clock.now()), options) && !signal.aborted) {
      if (!(await this.#attempt(resource.name, () => reconcile(context, resource, checkpoint, options)))) return;
      if (clock.ticks() >= deadline) return;
    }
  }

  /** Runs a part of the work; a failure is reported, counted, and left for the next cycle. */
  async #attempt(part: string, work: () => Promise<Step>): Promise<boolean> {
    const step = await work().catch((error: unknown): Step => {
      if (error instanceof RetriesExhaustedError) return { ok: false, why: error.message };
      throw error;
    });
    this.#failures.set(part, step.ok ? 0 : step.lasting ? maxFailures : (this.#failures.get(part) ?? 0) + 1);
    this.#options.report(part, step.ok ? undefined : step.why);
    return step.ok;
  }

  /** Schedules a full reconciliation and saves that before anything else happens. */
  async #scheduleFullReconcile(resource: Resource): Promise<void> {
    const checkpoint = this.#checkpoints.get(resource);
    if (checkpoint === undefined) return;
    scheduleFullReconcile(checkpoint);
    await saveCheckpoint(this.#options.context, resource, checkpoint);
  }

  #reconcileOptions(resource: Resource): ReconcileOptions {
    const offered = [...this.#removals].some(([list, at]) => list.resources.includes(resource) && isOffered(at));
    return offered ? lessOften(this.#options.reconcile) : this.#options.reconcile;
  }
}

/** Waits for all of them, even when one fails: nothing may still be running when the caller cleans up. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

export async function followFeed(options: FollowOptions): Promise<void> {
  const { context, resources, once, signal } = options;
  const { clock } = context;
  const checkpoint = await loadFeedCheckpoint(context, resources);
  let failures = 0;
  while (!signal.aborted) {
    const began = clock.ticks();
    const step = await syncFeedPage(context, resources, checkpoint).catch((error: unknown) => {
      if (error instanceof RetriesExhaustedError) return { ok: false as const, why: error.message, more: false };
      throw error;
    });
    failures = step.ok ? 0 : failures + 1;
    options.report("changes", step.ok ? undefined : step.why);
    if (step.more) continue;
    await options.onCycle();
    if (once && (step.ok || failures >= maxFailures)) return;
    await clock.sleep(pauseAfter(options, began), signal);
  }
}
