// Syncs from an upstream's change feed: first a snapshot of every record in import form, then its change log.

import type { Resource } from "../core/catalog/resource.ts";
import { feedPath, maxFeedLimit, snapshotPath } from "../core/feed.ts";
import { compareText } from "../core/record/row.ts";
import { checkpointNames, type FeedCheckpoint, partNames, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { ingestRecords, newTally, type Tally } from "./ingest.ts";
import type { Step, SyncContext } from "./lists/lists.ts";
import { member, recordId } from "./lists/scan.ts";

const pageSize = maxFeedLimit;

type Change = { readonly resource: string; readonly id: string; readonly record?: unknown };
type LogPage = {
  readonly database: string;
  readonly changes: readonly Change[];
  readonly next: number;
  readonly last: number;
};
type SnapshotPage = {
  readonly database: string;
  readonly last: number;
  readonly records: readonly unknown[];
  readonly next?: string | number;
};

/** Loads the checkpoint; resources that were not mirrored before begin with a snapshot. */
export async function loadFeedCheckpoint(
  context: SyncContext,
  resources: readonly Resource[],
): Promise<FeedCheckpoint> {
  const checkpoint =
    (await readCheckpoint<FeedCheckpoint>(context.ingest.store, checkpointNames.feed)) ?? newFeedCheckpoint(resources);
  const names = resources.map(({ name }) => name);
  const missing = names.filter((name) => !checkpoint.resources.includes(name));
  if (missing.length > 0) {
    const { left = [], ...rest } = checkpoint.snapshot ?? {};
    checkpoint.snapshot = { left: [...left, ...missing], ...rest };
  }
  checkpoint.resources = names;
  // Saved before anything is ingested, so that a later start recognizes the records as the mirror's.
  await writeCheckpoint(context.ingest.store, checkpointNames.feed, checkpoint);
  return checkpoint;
}

/** Starts with a full snapshot, which also removes local records that the upstream doesn't have. */
const newFeedCheckpoint = (resources: readonly Resource[]): FeedCheckpoint => {
  const names = resources.map(({ name }) => name);
  return {
    database: "",
    resources: names,
    after: 0,
    last: 0,
    snapshot: { left: names },
    snapshots: 0,
    knownTo: 0,
    tallies: {},
  };
};

/** Sends one request to the change feed; returns why it can't be read, undefined when it can. */
export async function probeChangeFeed(
  context: SyncContext,
  resources: readonly Resource[],
  attempts: number,
): Promise<{ status: number | undefined; detail: string } | undefined> {
  const response = await context.request({
    path: snapshotPath(resources[0] as Resource),
    parameters: [["limit", "1"]],
    headerOnly: true,
    attempts,
    part: partNames.feed,
    check: snapshotPageError,
  });
  return "refused" in response ? response.refused : undefined;
}

/** Ingests one page of the snapshot or of the log; `more` when the next page is already available. */
export async function syncFeedPage(
  context: SyncContext,
  resources: readonly Resource[],
  checkpoint: FeedCheckpoint,
): Promise<Step & { readonly more: boolean }> {
  const step =
    checkpoint.snapshot === undefined
      ? await syncLogPage(context, resources, checkpoint)
      : await syncSnapshotPage(context, resources, checkpoint);
  if (step.ok) await writeCheckpoint(context.ingest.store, checkpointNames.feed, checkpoint);
  return step;
}

type FeedStep = Step & { readonly more: boolean };

async function syncLogPage(
  context: SyncContext,
  resources: readonly Resource[],
  checkpoint: FeedCheckpoint,
): Promise<FeedStep> {
  const [only] = resources.length === 1 ? resources : [];
  const response = await context.request({
    path: feedPath,
    parameters: [
      ["after", String(checkpoint.after)],
      ["limit", String(pageSize)],
      ...(only === undefined ? [] : [["resource", only.name] as const]),
    ],
    headerOnly: true,
    check: logPageError,
  });
  if ("refused" in response) {
    const { status, detail } = response.refused;
    // The position has expired from the log, or is ahead of it because the upstream was restored from a backup.
    if (status === 410 || status === 400) return restartWithSnapshot(checkpoint, resources);
    return { ok: false, why: `${feedPath}: refused with status ${status} (${detail})`, more: false };
  }
  const page = response.body as LogPage;
  if (page.database !== checkpoint.database) return restartWithSnapshot(checkpoint, resources);
  for (const resource of resources) {
    // Only the last change to a record counts: every entry carries the record's current state.
    const changes = new Map(
      page.changes.filter((change) => change.resource === resource.name).map((change) => [change.id, change]),
    );
    const present = [...changes.values()].filter(({ record }) => record !== undefined);
    const gone = [...changes.values()].filter(({ record }) => record === undefined).map(({ id }) => id);
    const tally = tallyOf(checkpoint, resource);
    await ingestRecords(
      context.ingest,
      resource,
      present.map(({ record }) => record),
      tally,
    );
    if (gone.length > 0) tally.counts.removed += await context.ingest.store.remove(resource, gone);
  }
  checkpoint.after = page.next;
  checkpoint.last = page.last;
  const more = page.next < page.last;
  if (!more) checkpoint.knownTo = response.date;
  return { ok: true, more };
}

async function syncSnapshotPage(
  context: SyncContext,
  resources: readonly Resource[],
  checkpoint: FeedCheckpoint,
): Promise<FeedStep> {
  const { left, lastId } = checkpoint.snapshot ?? { left: [] };
  const resource = resources.find(({ name }) => name === left[0]);
  if (resource === undefined) {
    const [, ...others] = left;
    if (left.length === 0) delete checkpoint.snapshot;
    else checkpoint.snapshot = { left: others };
    return { ok: true, more: true };
  }
  const response = await context.request({
    path: snapshotPath(resource),
    parameters: [["limit", String(pageSize)], ...(lastId === undefined ? [] : [["after", lastId] as const])],
    headerOnly: true,
    check: snapshotPageError,
  });
  if ("refused" in response) {
    const { status, detail } = response.refused;
    return { ok: false, why: `${resource.name}: snapshot refused with status ${status} (${detail})`, more: false };
  }
  const page = response.body as SnapshotPage;
  if (checkpoint.database === "") {
    checkpoint.database = page.database;
    checkpoint.after = page.last;
  } else if (page.database !== checkpoint.database) return restartWithSnapshot(checkpoint, resources);
  checkpoint.last = page.last;
  const tally = tallyOf(checkpoint, resource);
  await ingestRecords(context.ingest, resource, page.records, tally);
  const next = page.next === undefined ? undefined : String(page.next);
  tally.counts.removed += await removeMissing(context, resource, lastId, next, page.records);
  if (next !== undefined) checkpoint.snapshot = { left, lastId: next };
  else if (left.length > 1) checkpoint.snapshot = { left: left.slice(1) };
  else {
    delete checkpoint.snapshot;
    checkpoint.snapshots++;
  }
  return { ok: true, more: true };
}

/** Removes local records in the page's ID range that are not on the page. */
async function removeMissing(
  { ingest: { store } }: SyncContext,
  resource: Resource,
  after: string | undefined,
  upTo: string | undefined,
  records: readonly unknown[],
): Promise<number> {
  const present = new Set(records.map(recordId));
  const gone: string[] = [];
  const { id } = resource.fields;
  const parsed = (text: string): string | number => id?.fromCsv(text) as string | number;
  const isBeyond = (each: string | number): boolean => upTo !== undefined && compareIds(each, parsed(upTo)) > 0;
  for (let last = after === undefined ? undefined : parsed(after); ; ) {
    const rows = await store.rowsAfter(resource, last, pageSize);
    const ids = rows.map((row) => row.id as string | number);
    const inside = ids.filter((each) => !isBeyond(each));
    gone.push(...inside.map(String).filter((each) => !present.has(each)));
    last = ids.at(-1);
    if (rows.length < pageSize || inside.length < ids.length) break;
  }
  return gone.length === 0 ? 0 : store.remove(resource, gone);
}

const compareIds = (a: string | number, b: string | number): number =>
  typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));

function restartWithSnapshot(checkpoint: FeedCheckpoint, resources: readonly Resource[]): FeedStep {
  Object.assign(checkpoint, {
    ...newFeedCheckpoint(resources),
    snapshots: checkpoint.snapshots,
    tallies: checkpoint.tallies,
  });
  return { ok: true, more: true };
}

function tallyOf(checkpoint: FeedCheckpoint, resource: Resource): Tally {
  checkpoint.tallies[resource.name] ??= newTally();
  return checkpoint.tallies[resource.name] as Tally;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

function logPageError(body: unknown): string | undefined {
  const page = body as Partial<LogPage> | null;
  const valid =
    isText(member(page, "database")) &&
    isInteger(member(page, "next")) &&
    isInteger(member(page, "last")) &&
    Array.isArray(page?.changes) &&
    page.changes.every((change: unknown) => isText(member(change, "resource")) && isText(member(change, "id")));
  return valid ? undefined : "the response is not a page of a change log";
}

function snapshotPageError(body: unknown): string | undefined {
  const page = body as Partial<SnapshotPage> | null;
  const next = member(page, "next");
  const valid =
    isText(member(page, "database")) &&
    isInteger(member(page, "last")) &&
    Array.isArray(page?.records) &&
    (next === undefined || isText(next) || isInteger(next));
  return valid ? undefined : "the response is not a page of records";
}
