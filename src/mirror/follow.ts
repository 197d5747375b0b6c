// Follows an upstream, cycle by cycle: first what was removed, then what has changed, then more of the past.
import type { Resource } from "../core/catalog/resource.ts";
import { openFeed, readFeed } from "./change-feed.ts";
import type { ListPlace, RemovedPlace } from "./checkpoint.ts";
import { seconds } from "./clock.ts";
import { openList, type Reading, readChanged, readWindow, type Step, saveList } from "./lists/lists.ts";
import { type RecheckOptions, recheck, recheckAll, recheckIsDue, slower } from "./lists/reconcile.ts";
import {
  isOffered,
  mayHaveForgotten,
  openRemoved,
  type RemovedList,
  readRemoved,
  removedLists,
} from "./lists/removals.ts";
import { isFilled } from "./lists/windows.ts";
import { GaveUpError } from "./upstream/upstream.ts";

export type Following = {
  readonly reading: Reading;
  readonly resources: readonly Resource[];
  readonly everyMs: number;
  /** Ends when the past has been read, and once more what was removed and changed meanwhile. */
  readonly once: boolean;
  readonly recheck: RecheckOptions;
  readonly signal: AbortSignal;
  /** What became of a part of the work: `why` it can't be done now, or undefined when it was. */
  readonly tell: (part: string, why: string | undefined) => void;
  /** At the end of each cycle. */
  readonly onCycle: () => Promise<void>;
};

/** So many cycles in a row a part may fail before `once` ends without it. */
const mostFailures = 3;
/** What is done once does not wait for the next cycle. */
const againMs = 100;

export async function followLists(following: Following): Promise<void> {
  const { reading, resources, everyMs, once, signal } = following;
  const { clock, floor } = reading;
  const places = new Map<Resource, ListPlace>();
  const lists = removedLists(resources);
  const removedPlaces = new Map<RemovedList, RemovedPlace>();
  const failures = new Map<string, number>();
  /** Does a part of the work; a failure is told, counted and left for the next cycle. */
  const attempt = async (part: string, work: () => Promise<Step>): Promise<boolean> => {
    const step = await work().catch((error: unknown): Step => {
      if (error instanceof GaveUpError) return { ok: false, why: error.message };
      throw error;
    });
    failures.set(part, step.ok ? 0 : step.lasting ? mostFailures : (failures.get(part) ?? 0) + 1);
    following.tell(part, step.ok ? undefined : step.why);
    return step.ok;
  };
  const isGivenUp = (part: string): boolean => once && (failures.get(part) ?? 0) >= mostFailures;
  const isComplete = (resource: Resource): boolean => {
    const place = places.get(resource);
    return isGivenUp(resource.name) || (place !== undefined && isFilled(place.back, floor));
  };

  const open = (resource: Resource) =>
    attempt(resource.name, async () => {
      const opened = await openList(reading, resource);
      if ("ok" in opened) return opened;
      places.set(resource, opened);
      return { ok: true };
    });

  /** Has all of a resource looked at again, and remembers that before anything else is. */
  const lookAgain = async (resource: Resource): Promise<void> => {
    const place = places.get(resource);
    if (place === undefined) return;
    recheckAll(place);
    await saveList(reading, resource, place);
  };

  /** Where removals are read from first: nothing was taken before. */
  const removed = async (list: RemovedList): Promise<void> => {
    const known = list.resources.flatMap((resource) => places.get(resource) ?? []);
    if (known.length === 0) return;
    const before = removedPlaces.get(list);
    const begun = Math.min(...known.map((place) => place.begun));
    const place = before ?? (await openRemoved(reading, list, begun));
    removedPlaces.set(list, place);
    if (before === undefined && mayHaveForgotten(place, seconds(clock.now()))) {
      following.tell(
        list.path,
        `${list.path}: away for so long that removals may have been forgotten; looking at all days again`,
      );
      for (const resource of list.resources) await lookAgain(resource);
    }
    await attempt(list.path, () => readRemoved(reading, list, place, places));
  };

  const work = async (resource: Resource, until: number): Promise<void> => {
    const place = places.get(resource);
    if (place === undefined || !(await attempt(resource.name, () => readChanged(reading, resource, place)))) return;
    // One window at least, however long the changes took: a busy upstream must not keep the past away.
    let left = true;
    do {
      const good = await attempt(resource.name, async () => {
        const step = await readWindow(reading, resource, place);
        left = step !== "none left";
        return step === "none left" ? { ok: true } : step;
      });
      if (!good) return;
    } while (left && clock.ticks() < until && !signal.aborted);
    const told = [...removedPlaces].some(([list, at]) => list.resources.includes(resource) && isOffered(at));
    const options = told ? slower(following.recheck) : following.recheck;
    while (recheckIsDue(place, seconds(clock.now()), options) && !signal.aborted) {
      if (!(await attempt(resource.name, () => recheck(reading, resource, place, options)))) return;
      if (clock.ticks() >= until) return;
    }
  };

  while (!signal.aborted) {
    const began = clock.ticks();
    const busy = resources.filter(({ name }) => !isGivenUp(name));
    await allOf(busy.filter((resource) => !places.has(resource)).map(open));
    // Once everything was there when the cycle began, its one look at removals and changes is the last that is needed.
    const last = once && resources.every(isComplete);
    // Never beside a reading of records: see there.
    for (const list of lists) if (!isGivenUp(list.path)) await removed(list);
    await allOf(busy.map((resource) => work(resource, began + everyMs)));
    await following.onCycle();
    const failed = (part: string): boolean => (failures.get(part) ?? 0) > 0;
    const parts = [...resources.map(({ name }) => name), ...lists.map(({ path }) => path)];
    if (last && parts.every((part) => !failed(part) || isGivenUp(part))) return;
    const idle = resources.every((resource) => isComplete(resource) || failed(resource.name));
    if (idle) await clock.sleep(once ? againMs : Math.max(0, began + everyMs - clock.ticks()), signal);
  }
}

/** Waits for all of them, whatever becomes of one: nothing goes on behind the back of whoever cleans up. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

export async function followFeed(following: Following): Promise<void> {
  const { reading, resources, everyMs, once, signal } = following;
  const { clock } = reading;
  const place = await openFeed(reading, resources);
  let failures = 0;
  while (!signal.aborted) {
    const began = clock.ticks();
    const step = await readFeed(reading, resources, place).catch((error: unknown) => {
      if (error instanceof GaveUpError) return { ok: false as const, why: error.message, more: false };
      throw error;
    });
    failures = step.ok ? 0 : failures + 1;
    following.tell("changes", step.ok ? undefined : step.why);
    if (step.more) continue;
    await following.onCycle();
    if (once && (step.ok || failures >= mostFailures)) return;
    await clock.sleep(once ? againMs : Math.max(0, began + everyMs - clock.ticks()), signal);
  }
}
