// An upstream with a change feed: a snapshot of every record in import form, then its log of changes, line by line.

import type { Resource } from "../core/catalog/resource.ts";
import { feedPath, mostInAnswer, snapshotPath } from "../core/feed.ts";
import { compareText } from "../core/record/row.ts";
import { type FeedPlace, noteNames, readNote, writeNote } from "./checkpoint.ts";
import { memberOf, noTally, type Tally, take } from "./ingest.ts";
import type { Reading, Step } from "./lists/lists.ts";
import { idOf } from "./lists/walk.ts";

const pageSize = mostInAnswer;

type Line = { readonly resource: string; readonly id: string; readonly record?: unknown };
type LogPage = {
  readonly database: string;
  readonly changes: readonly Line[];
  readonly next: number;
  readonly last: number;
};
type SnapshotPage = {
  readonly database: string;
  readonly last: number;
  readonly records: readonly unknown[];
  readonly next?: string | number;
};

/** The place in the feed; resources that were not mirrored before begin with a snapshot. */
export async function openFeed(reading: Reading, resources: readonly Resource[]): Promise<FeedPlace> {
  const place = (await readNote<FeedPlace>(reading.take.store, noteNames.feed)) ?? newFeedPlace(resources);
  const names = resources.map(({ name }) => name);
  const missing = names.filter((name) => !place.resources.includes(name));
  if (missing.length > 0) {
    const { left = [], ...rest } = place.snapshot ?? {};
    place.snapshot = { left: [...left, ...missing], ...rest };
  }
  place.resources = names;
  // Before anything is taken, so that what comes is known for the mirror's own.
  await writeNote(reading.take.store, noteNames.feed, place);
  return place;
}

/** A place from which everything is read anew; what is here and not upstream goes on the way. */
const newFeedPlace = (resources: readonly Resource[]): FeedPlace => {
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

/** Why the upstream's feed can't be read, if it has one at all; one request. */
export async function feedRefusal(
  reading: Reading,
  resources: readonly Resource[],
): Promise<{ status: number; detail: string } | undefined> {
  const answer = await reading.ask({
    path: snapshotPath(resources[0] as Resource),
    parameters: [["limit", "1"]],
    headerOnly: true,
    check: snapshotMistake,
  });
  return "refused" in answer ? answer.refused : undefined;
}

/** Takes one page of the snapshot or of the log; `more` when there is more to take at once. */
export async function readFeed(
  reading: Reading,
  resources: readonly Resource[],
  place: FeedPlace,
): Promise<Step & { readonly more: boolean }> {
  const step =
    place.snapshot === undefined
      ? await readLog(reading, resources, place)
      : await readSnapshot(reading, resources, place);
  if (step.ok) await writeNote(reading.take.store, noteNames.feed, place);
  return step;
}

type Taken = Step & { readonly more: boolean };

async function readLog(reading: Reading, resources: readonly Resource[], place: FeedPlace): Promise<Taken> {
  const [only] = resources.length === 1 ? resources : [];
  const answer = await reading.ask({
    path: feedPath,
    parameters: [
      ["after", String(place.after)],
      ["limit", String(pageSize)],
      ...(only === undefined ? [] : [["resource", only.name] as const]),
    ],
    headerOnly: true,
    check: logMistake,
  });
  if ("refused" in answer) {
    const { status, detail } = answer.refused;
    // Older than what is kept, or newer than what there is: the upstream was set back.
    if (status === 410 || status === 400) return beginAnew(place, resources);
    return { ok: false, why: `${feedPath}: refused with status ${status} (${detail})`, more: false };
  }
  const page = answer.body as LogPage;
  if (page.database !== place.database) return beginAnew(place, resources);
  for (const resource of resources) {
    // Of several changes to a record the last one counts: every line shows the record as it is now.
    const lines = new Map(
      page.changes.filter((line) => line.resource === resource.name).map((line) => [line.id, line]),
    );
    const there = [...lines.values()].filter(({ record }) => record !== undefined);
    const gone = [...lines.values()].filter(({ record }) => record === undefined).map(({ id }) => id);
    const tally = tallyOf(place, resource);
    await take(
      reading.take,
      resource,
      there.map(({ record }) => record),
      tally,
    );
    if (gone.length > 0) tally.counts.removed += await reading.take.store.remove(resource, gone);
  }
  place.after = page.next;
  place.last = page.last;
  const more = page.next < page.last;
  if (!more) place.knownTo = answer.date;
  return { ok: true, more };
}

async function readSnapshot(reading: Reading, resources: readonly Resource[], place: FeedPlace): Promise<Taken> {
  const { left, lastId } = place.snapshot ?? { left: [] };
  const resource = resources.find(({ name }) => name === left[0]);
  if (resource === undefined) {
    const [, ...others] = left;
    if (left.length === 0) delete place.snapshot;
    else place.snapshot = { left: others };
    return { ok: true, more: true };
  }
  const answer = await reading.ask({
    path: snapshotPath(resource),
    parameters: [["limit", String(pageSize)], ...(lastId === undefined ? [] : [["after", lastId] as const])],
    headerOnly: true,
    check: snapshotMistake,
  });
  if ("refused" in answer) {
    const { status, detail } = answer.refused;
    return { ok: false, why: `${resource.name}: snapshot refused with status ${status} (${detail})`, more: false };
  }
  const page = answer.body as SnapshotPage;
  if (place.database === "") {
    place.database = page.database;
    place.after = page.last;
  } else if (page.database !== place.database) return beginAnew(place, resources);
  place.last = page.last;
  const tally = tallyOf(place, resource);
  await take(reading.take, resource, page.records, tally);
  const next = page.next === undefined ? undefined : String(page.next);
  tally.counts.removed += await removeOthers(reading, resource, lastId, next, page.records);
  if (next !== undefined) place.snapshot = { left, lastId: next };
  else if (left.length > 1) place.snapshot = { left: left.slice(1) };
  else {
    delete place.snapshot;
    place.snapshots++;
  }
  return { ok: true, more: true };
}

/** Removes records here whose ids lie where the page's do and that the page does not hold. */
async function removeOthers(
  { take: { store } }: Reading,
  resource: Resource,
  after: string | undefined,
  upTo: string | undefined,
  records: readonly unknown[],
): Promise<number> {
  const there = new Set(records.map(idOf));
  const gone: string[] = [];
  const { id } = resource.fields;
  const value = (text: string): string | number => id?.fromText(text) as string | number;
  const isBeyond = (each: string | number): boolean => upTo !== undefined && order(each, value(upTo)) > 0;
  for (let last = after === undefined ? undefined : value(after); ; ) {
    const rows = await store.rowsAfter(resource, last, pageSize);
    const ids = rows.map((row) => row.id as string | number);
    const inside = ids.filter((each) => !isBeyond(each));
    gone.push(...inside.map(String).filter((each) => !there.has(each)));
    last = ids.at(-1);
    if (rows.length < pageSize || inside.length < ids.length) break;
  }
  return gone.length === 0 ? 0 : store.remove(resource, gone);
}

const order = (a: string | number, b: string | number): number =>
  typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));

function beginAnew(place: FeedPlace, resources: readonly Resource[]): Taken {
  Object.assign(place, { ...newFeedPlace(resources), snapshots: place.snapshots, tallies: place.tallies });
  return { ok: true, more: true };
}

function tallyOf(place: FeedPlace, resource: Resource): Tally {
  place.tallies[resource.name] ??= noTally();
  return place.tallies[resource.name] as Tally;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

function logMistake(body: unknown): string | undefined {
  const page = body as Partial<LogPage> | null;
  const good =
    isText(memberOf(page, "database")) &&
    isNumber(memberOf(page, "next")) &&
    isNumber(memberOf(page, "last")) &&
    Array.isArray(page?.changes) &&
    page.changes.every((line: unknown) => isText(memberOf(line, "resource")) && isText(memberOf(line, "id")));
  return good ? undefined : "the answer is no page of a change log";
}

function snapshotMistake(body: unknown): string | undefined {
  const page = body as Partial<SnapshotPage> | null;
  const next = memberOf(page, "next");
  const good =
    isText(memberOf(page, "database")) &&
    isNumber(memberOf(page, "last")) &&
    Array.isArray(page?.records) &&
    (next === undefined || isText(next) || isNumber(next));
  return good ? undefined : "the answer is no page of records";
}
