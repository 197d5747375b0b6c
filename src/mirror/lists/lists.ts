// Mirrors one resource through its list: backfills windows of days, then polls for changes.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Json } from "../../core/record/row.ts";
import { type Clock, toSeconds } from "../../lease/clock.ts";
import {
  addGap,
  checkpointNames,
  type ListCheckpoint,
  newListCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "../checkpoint.ts";
import { fromText, type IngestOptions, ingestRecords, listEndpoint } from "../ingest.ts";
import type { Parameters, Upstream } from "../upstream/upstream.ts";
import { firstPosition, nextPosition } from "./deltas.ts";
import { type AttributeProbe, discoverAttributes, withDiscovered } from "./discover.ts";
import { maxPageSize, member, type Page, type ScanResult, scanList, shapeCheck } from "./scan.ts";
import { afterWindow, type DayWindow, newerHalf, nextWindow } from "./windows.ts";

export type SyncContext = {
  readonly ingest: IngestOptions;
  readonly request: Upstream["request"];
  readonly clock: Clock;
  /** First day to mirror; undefined: no limit. */
  readonly floor: string | undefined;
  /** Filters used to discover hidden attributes, by resource. */
  readonly probes: ReadonlyMap<string, readonly AttributeProbe[]>;
};

/** Outcome of one step of the work. */
export type Step = { readonly ok: true } | Failure;

export type Failure = {
  readonly ok: false;
  readonly why: string;
  /** A retry can't succeed until someone intervenes. */
  readonly lasting?: boolean;
};

const done: Step = { ok: true };

export const today = (clock: Clock): string => new Date(clock.now()).toISOString().slice(0, 10);

export const saveCheckpoint = (context: SyncContext, resource: Resource, checkpoint: ListCheckpoint): Promise<void> =>
  writeCheckpoint(context.ingest.store, checkpointNames.list(resource.name), checkpoint);

/** Loads the resource's checkpoint; the first start reads the upstream's clock and ingests nothing yet. */
export async function loadListCheckpoint(context: SyncContext, resource: Resource): Promise<ListCheckpoint | Failure> {
  const known = await readCheckpoint<ListCheckpoint>(context.ingest.store, checkpointNames.list(resource.name));
  // Page sizes are observed again in every run: the upstream may have lowered its limit.
  if (known !== undefined) return { ...known, largest: 0 };
  const list = listEndpoint(resource, {});
  const response = await context.request({
    path: resource.path,
    parameters: [[list.size.name, "1"]],
    check: shapeCheck(list),
  });
  if ("refused" in response) return refusalOf(resource, response.refused);
  const checkpoint = newListCheckpoint(response.date, firstPosition(response.date));
  await saveCheckpoint(context, resource, checkpoint);
  return checkpoint;
}

export function refusalOf(resource: Resource, { status, detail }: { status: number; detail: string }): Failure {
  const reasons: Readonly<Record<number, string>> = {
    401: "the upstream does not accept the token",
    403: "the token may not read this list",
    404: "the upstream does not have this list",
  };
  const why = `${resource.name}: ${reasons[status] ?? `refused with status ${status}`} (${detail})`;
  return { ok: false, why, lasting: Object.hasOwn(reasons, status) };
}

/** Reads the next window of days of the backfill. */
export async function backfillWindow(
  context: SyncContext,
  resource: Resource,
  checkpoint: ListCheckpoint,
): Promise<Step | "none left"> {
  const { clock, floor } = context;
  let window = nextWindow(checkpoint.back, today(clock), floor);
  if (window === undefined) return "none left";
  for (;;) {
    const seen: string[] = [];
    let records = 0;
    const scan = await scanDays(context, resource, checkpoint, window, async (page) => {
      records += page.records.length;
      seen.push(...page.records.flatMap((record) => dayOf(resource, record) ?? []));
      await ingestRecords(context.ingest, resource, page.records, checkpoint.tally);
    });
    if (scan.end === "refused") return refusalOf(resource, scan);
    if (scan.end === "limit") {
      const days = seen.sort();
      const half: DayWindow | undefined = newerHalf(window, { newest: days.at(-1) ?? "", oldest: days[0] ?? "" });
      if (half !== undefined) {
        window = half;
        continue;
      }
      const [from, to] = [window.from ?? "", window.to ?? ""];
      addGap(checkpoint, {
        kind: "pages",
        from,
        to,
        why: "more records than the upstream serves pages for",
        at: toSeconds(clock.now()),
      });
    }
    checkpoint.back = afterWindow(checkpoint.back, window, { pages: scan.pages, records });
    if (nextWindow(checkpoint.back, today(clock), floor) === undefined) checkpoint.filledAt = toSeconds(clock.now());
    await saveCheckpoint(context, resource, checkpoint);
    return done;
  }
}

/** Reads all changes since the last poll and saves the new position. */
export async function pollChanges(context: SyncContext, resource: Resource, checkpoint: ListCheckpoint): Promise<Step> {
  const { since } = resource.intake;
  let from = checkpoint.position;
  let began: number | undefined;
  const stamps: number[] = [];
  for (;;) {
    const scan = await scanRecords(context, resource, checkpoint, [[since.name, String(from)]], async (page) => {
      began ??= page.date;
      stamps.push(...page.records.flatMap((record) => numberField(resource, since.column, record) ?? []));
      await ingestRecords(context.ingest, resource, page.records, checkpoint.tally);
    });
    if (scan.end === "refused") return refusalOf(resource, scan);
    if (scan.end === "complete") break;
    // The upstream serves no deeper pages: continue from the newest timestamp reached.
    const reached = stamps.reduce((a, b) => Math.max(a, b), from);
    if (reached === from)
      return { ok: false, why: `${resource.name}: more changes at ${from} than the upstream serves pages for` };
    from = reached;
  }
  checkpoint.position = nextPosition(
    checkpoint.position,
    { began: began ?? 0, stamps },
    maxPageSize(listEndpoint(resource, checkpoint)),
  );
  checkpoint.knownTo = began ?? checkpoint.knownTo;
  await saveCheckpoint(context, resource, checkpoint);
  return done;
}

/** Scans all records of a window of days. */
export function scanDays(
  context: SyncContext,
  resource: Resource,
  checkpoint: ListCheckpoint,
  { from, to }: DayWindow,
  onPage: (page: Page) => Promise<void>,
): Promise<ScanResult> {
  const { days } = resource.intake;
  const bounds: Parameters = [
    ...(from === undefined ? [] : [[days.from, from] as const]),
    ...(to === undefined ? [] : [[days.to, to] as const]),
  ];
  return scanRecords(context, resource, checkpoint, bounds, onPage);
}

/** Scans all records that match the parameters, with every attribute that can be shown or discovered. */
async function scanRecords(
  { request, probes }: SyncContext,
  resource: Resource,
  checkpoint: ListCheckpoint,
  parameters: Parameters,
  onPage: (page: Page) => Promise<void>,
): Promise<ScanResult> {
  const list = listEndpoint(resource, checkpoint);
  const discovered = await discoverAttributes(request, list, parameters, probes.get(resource.name) ?? []);
  if ("end" in discovered) return discovered;
  const whole: Parameters = Object.entries(resource.intake.unfiltered);
  return scanList(request, list, [...whole, ...parameters], ({ records, date }) =>
    onPage({ records: records.map((record) => withDiscovered(record, discovered)), date }),
  );
}

/** A value of a record in stored form; undefined when it is missing or invalid. */
function storedValue(resource: Resource, column: string, record: unknown): Json | undefined {
  const field = resource.fields[column];
  const raw = field === undefined ? undefined : fromText(field, member(record, column));
  let valid = raw !== undefined && raw !== null;
  const value = valid
    ? field?.validate(raw, () => {
        valid = false;
      })
    : undefined;
  return valid ? value : undefined;
}

export function numberField(resource: Resource, column: string, record: unknown): number | undefined {
  const value = storedValue(resource, column, record);
  return typeof value === "number" ? value : undefined;
}

/** The day a record is listed under; for a timestamp its UTC day, which is off by at most one. */
function dayOf(resource: Resource, record: unknown): string | undefined {
  const value = storedValue(resource, resource.intake.days.column, record);
  if (typeof value === "number") return new Date(value * 1000).toISOString().slice(0, 10);
  return typeof value === "string" && value !== "" ? value : undefined;
}
