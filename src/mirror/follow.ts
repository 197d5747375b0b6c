// Follows an upstream: through lists, each resource on its own, or through the change feed.
import type { Resource } from "../core/catalog/resource.ts";
import { loadFeedCheckpoint, syncFeedPage } from "./change-feed.ts";
import { partNames } from "./checkpoint.ts";
import { ResourceFollower } from "./lists/follower.ts";
import type { ReconcileOptions } from "./lists/reconcile.ts";
import { Part, type PartOptions } from "./part.ts";
import { StoppedError } from "./upstream/upstream.ts";
import type { Wakes } from "./wake.ts";

export type FollowOptions = PartOptions & {
  readonly resources: readonly Resource[];
  readonly reconcile: ReconcileOptions;
  readonly signal: AbortSignal;
  readonly wakes: Wakes;
  /** Stops everything that is running, because a part failed unexpectedly. */
  readonly stop: () => void;
  /** Called at the end of each cycle. */
  readonly onCycle: () => Promise<void>;
};

export async function followLists(options: FollowOptions): Promise<void> {
  const followers = options.resources.map((resource) => new ResourceFollower(options, resource));
  const all = (work: (follower: ResourceFollower) => Promise<void>) =>
    allOf(
      followers.map((follower) =>
        work(follower).catch((error: unknown) => {
          options.stop();
          throw error;
        }),
      ),
    );
  if (!options.once) return all((follower) => follower.follow());
  await all((follower) => follower.fill());
  // What changed in one resource while others were being filled.
  await all((follower) => follower.catchUp());
}

/** Waits for all of them, even when one fails: nothing may still be running when the caller cleans up. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const errors = (await Promise.allSettled(works)).flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof StoppedError)) ?? errors[0];
}

export async function followFeed(options: FollowOptions): Promise<void> {
  const { context, resources, once, signal } = options;
  const { clock } = context;
  const part = new Part(partNames.feed, options);
  const wake = options.wakes.of(part.name);
  const checkpoint = await loadFeedCheckpoint(context, resources);
  while (!signal.aborted) {
    const began = clock.ticks();
    const step = await part.attempt((on) => syncFeedPage(on, resources, checkpoint));
    if ("more" in step && step.more) continue;
    await options.onCycle();
    if (once && part.isSettled) return;
    // A failed part is retried when it is due, whatever has changed.
    if (part.hasFailed) await clock.sleep(part.pauseMs(began), signal);
    else await wake.sleep(part.pauseMs(began), signal);
  }
}
