// A slow second look at recent days: finds what was removed where the upstream does not tell, and what deltas missed.
// Nothing is removed on an answer that is short, failed or hard to believe.

import type { Resource } from "../../core/catalog/resource.ts";
import { type Condition, oldestFirst, type Plan } from "../../core/query/plan.ts";
import { addDays } from "../../core/value/time-zone.ts";
import { addGap, type ListPlace } from "../checkpoint.ts";
import { seconds } from "../clock.ts";
import { take } from "../ingest.ts";
import {
  type Failure,
  numberOf,
  type Reading,
  readChanged,
  refusedBy,
  type Step,
  saveList,
  today,
  walkDays,
} from "./lists.ts";
import { idOf } from "./walk.ts";
import { nextWidth, type Window } from "./windows.ts";

/** Days that are looked at together, at first. */
const firstWidth = 7;
const pageSize = 1000;
/** So many may be gone at once, or so large a share, without a doubt about an answer that is not empty. */
const few = 3;
const share = 1 / 4;

export type RecheckOptions = {
  /** How many days back; 0: none. */
  readonly days: number;
  readonly everySeconds: number;
};

/** Where the upstream tells of removals, the second look is for what deltas missed alone, and is slower. */
export const slower = ({ days, everySeconds }: RecheckOptions): RecheckOptions => ({
  days,
  everySeconds: 4 * everySeconds,
});

/** Whether a second look is due; the first one counts from when the past had been read. */
export function recheckIsDue(place: ListPlace, now: number, { days, everySeconds }: RecheckOptions): boolean {
  if (days === 0 || place.filledAt === undefined) return false;
  return place.recheck.until !== undefined || now - Math.max(place.recheck.at, place.filledAt) >= everySeconds;
}

/** Has everything looked at again: what was removed may not have been told. */
export function recheckAll(place: ListPlace): void {
  place.recheck = { at: place.recheck.at, until: "1970-01-01" };
}

/** Looks again at some days; the next call goes on with older ones, until all recent days have been seen. */
export async function recheck(
  reading: Reading,
  resource: Resource,
  place: ListPlace,
  options: RecheckOptions,
): Promise<Step> {
  const { clock } = reading;
  const floor = reading.floor ?? "";
  const latest = (a: string, b: string): string => (a > b ? a : b);
  const { at, downTo: to, width = firstWidth } = place.recheck;
  const until = latest(floor, place.recheck.until ?? addDays(today(clock), -options.days));
  // What could not be believed the last time is looked at again.
  if (to === undefined) place.gaps = place.gaps.filter(({ kind }) => kind !== "removals");
  const from = latest(until, addDays(to ?? today(clock), -width));
  const looked = await compare(reading, resource, place, { from, ...(to === undefined ? {} : { to }) });
  if (!looked.ok) return looked;
  // The next days begin with this one: a moment may stand under another day upstream than it does here.
  const next = { at, downTo: from, until, width: nextWidth(width, looked) };
  place.recheck = from > until ? next : { at: seconds(clock.now()) };
  await saveList(reading, resource, place);
  return looked;
}

type Look = {
  readonly ids: ReadonlySet<string>;
  /** First and last moment that were seen. */
  readonly least: number;
  readonly most: number;
  readonly pages: number;
};

type Looked = Failure | { readonly ok: true; readonly pages: number; readonly records: number };

async function compare(reading: Reading, resource: Resource, place: ListPlace, window: Window): Promise<Looked> {
  const first = await look(reading, resource, place, window);
  if ("ok" in first) return first;
  const looked = { ok: true as const, pages: first.pages, records: first.ids.size };
  const suspects = await missingHere(reading, resource, window, first);
  if (suspects.missing.length === 0) return looked;
  const second = await look(reading, resource, place, window);
  if ("ok" in second) return second;
  // A record that was moved to other days must be known by its new place before it is missed at the old one.
  const changed = await readChanged(reading, resource, place);
  if (!changed.ok) return changed;
  const { missing: still, all } = await missingHere(reading, resource, window, second);
  const gone = still.filter((id) => !first.ids.has(id));
  if (gone.length === 0) return looked;
  const believable = second.ids.size > 0 && (gone.length <= few || gone.length <= all * share);
  if (!believable) {
    const why = `${gone.length} of ${all} records are not in the upstream's answer, too many to be believed; none was removed`;
    const days = { from: window.from ?? "", to: window.to ?? "" };
    addGap(place, { kind: "removals", ...days, why, at: seconds(reading.clock.now()) });
    return looked;
  }
  place.tally.counts.removed += await reading.take.store.remove(resource, gone);
  return looked;
}

/** One whole reading of the days; its records are taken. */
async function look(reading: Reading, resource: Resource, place: ListPlace, window: Window): Promise<Look | Failure> {
  const ids = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  const walked = await walkDays(reading, resource, place, window, async ({ records }) => {
    for (const record of records) {
      const id = idOf(record);
      if (id !== undefined) ids.add(id);
      const moment = numberOf(resource, resource.intake.days.column, record);
      if (moment === undefined) continue;
      least = Math.min(least, moment);
      most = Math.max(most, moment);
    }
    await take(reading.take, resource, records, place.tally);
  });
  if (walked.end === "complete") return { ids, least, most, pages: walked.pages };
  if (walked.end === "refused") return refusedBy(resource, walked);
  return { ok: false, why: `${resource.name}: more records of some days than the upstream has pages for` };
}

/** Ids of the same days that are here and were not seen upstream, and how many are here. */
async function missingHere(
  { take: { store } }: Reading,
  resource: Resource,
  window: Window,
  seen: Look,
): Promise<{ missing: readonly string[]; all: number }> {
  const where = boundsOf(resource, window, seen);
  // Of no moments that were seen nothing is between.
  if (where.some((bound) => "value" in bound && Math.abs(Number(bound.value)) === Number.POSITIVE_INFINITY))
    return { missing: [], all: 0 };
  const here: string[] = [];
  const plan: Omit<Plan, "offset"> = {
    resource,
    where,
    order: oldestFirst("id"),
    ranked: false,
    limit: pageSize,
    filled: [],
  };
  for (let offset = 0; ; offset += pageSize) {
    const { records: page } = await store.records({ ...plan, offset });
    here.push(...page.map(({ json }) => String((JSON.parse(json) as { id: unknown }).id)));
    if (page.length < pageSize) break;
  }
  return { missing: here.filter((id) => !seen.ids.has(id)), all: here.length };
}

/**
 * The days as they are kept here. A moment's day depends on the upstream's zone, which is not known: only what lies
 * between the first and the last moment that were seen is certainly of these days.
 */
function boundsOf(resource: Resource, window: Window, { least, most }: Look): Condition[] {
  const { column } = resource.intake.days;
  const isMoment = resource.fields[column]?.column === "integer";
  const low = isMoment ? least : window.from;
  const high = window.to === undefined ? undefined : isMoment ? most : window.to;
  return [
    ...(low === undefined ? [] : [{ op: "gte" as const, column, value: low }]),
    ...(high === undefined ? [] : [{ op: "lte" as const, column, value: high }]),
  ];
}
