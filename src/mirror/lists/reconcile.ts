// Reconciliation: slowly rescans recent days for removals that the upstream doesn't list and changes that polls missed.
// Nothing is removed because of an incomplete, failed, or implausible response.

import type { Resource } from "../../core/catalog/resource.ts";
import { type Condition, oldestFirst, type Plan } from "../../core/query/plan.ts";
import { addDays } from "../../core/value/time-zone.ts";
import { toSeconds } from "../../lease/clock.ts";
import { addGap, type ListCheckpoint } from "../checkpoint.ts";
import { ingestRecords } from "../ingest.ts";
import {
  type Failure,
  numberField,
  pollChanges,
  refusalOf,
  type Step,
  type SyncContext,
  saveCheckpoint,
  scanDays,
  today,
} from "./lists.ts";
import { recordId } from "./scan.ts";
import { type DayWindow, nextWidth } from "./windows.ts";

/** Days in the first window. */
const initialWidth = 7;
const pageSize = 1000;
/** This many missing records, or this share of them, are plausible if the response is not empty. */
const alwaysPlausible = 3;
const plausibleShare = 1 / 4;

export type ReconcileOptions = {
  /** How many days back; 0: never. */
  readonly days: number;
  readonly everySeconds: number;
};

/** With a list of removals, reconciliation only finds what polls missed, so it runs less often. */
export const lessOften = ({ days, everySeconds }: ReconcileOptions): ReconcileOptions => ({
  days,
  everySeconds: 4 * everySeconds,
});

/** Whether a reconciliation is due or in progress; the first interval starts at the end of the backfill. */
export function isReconcileDue(
  checkpoint: ListCheckpoint,
  now: number,
  { days, everySeconds }: ReconcileOptions,
): boolean {
  if (days === 0 || checkpoint.filledAt === undefined) return false;
  return (
    checkpoint.recheck.until !== undefined || now - Math.max(checkpoint.recheck.at, checkpoint.filledAt) >= everySeconds
  );
}

/** Schedules all days for reconciliation, because removals may have been missed. */
export function scheduleFullReconcile(checkpoint: ListCheckpoint): void {
  checkpoint.recheck = { at: checkpoint.recheck.at, until: "1970-01-01" };
}

/** Reconciles one window; the next call continues with older days until all recent days are done. */
export async function reconcile(
  context: SyncContext,
  resource: Resource,
  checkpoint: ListCheckpoint,
  options: ReconcileOptions,
): Promise<Step> {
  const { clock } = context;
  const floor = context.floor ?? "";
  const latest = (a: string, b: string): string => (a > b ? a : b);
  const { at, downTo: to, width = initialWidth } = checkpoint.recheck;
  const until = latest(floor, checkpoint.recheck.until ?? addDays(today(clock), -options.days));
  // A new reconciliation gives implausible removals another chance.
  if (to === undefined) checkpoint.gaps = checkpoint.gaps.filter(({ kind }) => kind !== "removals");
  const from = latest(until, addDays(to ?? today(clock), -width));
  const compared = await compare(context, resource, checkpoint, { from, ...(to === undefined ? {} : { to }) });
  if (!compared.ok) return compared;
  // Windows share a day: a timestamp may fall on a different day in the upstream's time zone.
  const next = { at, downTo: from, until, width: nextWidth(width, compared) };
  checkpoint.recheck = from > until ? next : { at: toSeconds(clock.now()) };
  await saveCheckpoint(context, resource, checkpoint);
  return compared;
}

type WindowScan = {
  readonly ids: ReadonlySet<string>;
  /** First and last timestamp seen. */
  readonly least: number;
  readonly most: number;
  readonly pages: number;
};

type Comparison = Failure | { readonly ok: true; readonly pages: number; readonly records: number };

async function compare(
  context: SyncContext,
  resource: Resource,
  checkpoint: ListCheckpoint,
  window: DayWindow,
): Promise<Comparison> {
  const first = await scanWindow(context, resource, checkpoint, window);
  if ("ok" in first) return first;
  const compared = { ok: true as const, pages: first.pages, records: first.ids.size };
  const suspects = await missingUpstream(context, resource, window, first);
  if (suspects.missing.length === 0) return compared;
  const second = await scanWindow(context, resource, checkpoint, window);
  if ("ok" in second) return second;
  // A record that moved to another day must be ingested there before it counts as missing here.
  const changed = await pollChanges(context, resource, checkpoint);
  if (!changed.ok) return changed;
  const { missing: stillMissing, all } = await missingUpstream(context, resource, window, second);
  const gone = stillMissing.filter((id) => !first.ids.has(id));
  if (gone.length === 0) return compared;
  const plausible = second.ids.size > 0 && (gone.length <= alwaysPlausible || gone.length <= all * plausibleShare);
  if (!plausible) {
    const why = `${gone.length} of ${all} records are missing from the upstream's response, implausibly many; none was removed`;
    const days = { from: window.from ?? "", to: window.to ?? "" };
    addGap(checkpoint, { kind: "removals", ...days, why, at: toSeconds(context.clock.now()) });
    return compared;
  }
  checkpoint.tally.counts.removed += await context.ingest.store.remove(resource, gone);
  return compared;
}

/** Scans a window once and ingests its records. */
async function scanWindow(
  context: SyncContext,
  resource: Resource,
  checkpoint: ListCheckpoint,
  window: DayWindow,
): Promise<WindowScan | Failure> {
  const ids = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  const scan = await scanDays(context, resource, checkpoint, window, async ({ records }) => {
    for (const record of records) {
      const id = recordId(record);
      if (id !== undefined) ids.add(id);
      const timestamp = numberField(resource, resource.intake.days.column, record);
      if (timestamp === undefined) continue;
      least = Math.min(least, timestamp);
      most = Math.max(most, timestamp);
    }
    await ingestRecords(context.ingest, resource, records, checkpoint.tally);
  });
  if (scan.end === "complete") return { ids, least, most, pages: scan.pages };
  if (scan.end === "refused") return refusalOf(resource, scan);
  return { ok: false, why: `${resource.name}: more records in a window than the upstream serves pages for` };
}

/** IDs of local records in the window that the upstream's response lacks, and the number of local records. */
async function missingUpstream(
  { ingest: { store } }: SyncContext,
  resource: Resource,
  window: DayWindow,
  seen: WindowScan,
): Promise<{ missing: readonly string[]; all: number }> {
  const where = storedBounds(resource, window, seen);
  // An empty response has no timestamps and so no bounds.
  if (where.some((bound) => "value" in bound && Math.abs(Number(bound.value)) === Number.POSITIVE_INFINITY))
    return { missing: [], all: 0 };
  const local: string[] = [];
  const plan: Omit<Plan, "offset"> = {
    resource,
    where,
    order: oldestFirst("id"),
    ranked: false,
    limit: pageSize,
    include: [],
  };
  for (let offset = 0; ; offset += pageSize) {
    const { records: page } = await store.records({ ...plan, offset });
    local.push(...page.map(({ json }) => String((JSON.parse(json) as { id: unknown }).id)));
    if (page.length < pageSize) break;
  }
  return { missing: local.filter((id) => !seen.ids.has(id)), all: local.length };
}

/**
 * The window as conditions on stored columns. A timestamp's day depends on the upstream's time zone, which is unknown:
 * only what lies between the first and last timestamp seen is certain to belong to the window.
 */
function storedBounds(resource: Resource, window: DayWindow, { least, most }: WindowScan): Condition[] {
  const { column } = resource.intake.days;
  const isTimestamp = resource.fields[column]?.column === "integer";
  const low = isTimestamp ? least : window.from;
  const high = window.to === undefined ? undefined : isTimestamp ? most : window.to;
  return [
    ...(low === undefined ? [] : [{ op: "gte" as const, column, value: low }]),
    ...(high === undefined ? [] : [{ op: "lte" as const, column, value: high }]),
  ];
}
