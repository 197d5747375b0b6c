// One resource read through its list: the past by windows of days, then what has changed since the last look.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Json } from "../../core/record/row.ts";
import { addGap, type ListPlace, newListPlace, noteNames, readNote, writeNote } from "../checkpoint.ts";
import { type Clock, seconds } from "../clock.ts";
import { listOf, type Take, take } from "../ingest.ts";
import type { Parameters, Upstream } from "../upstream/upstream.ts";
import { firstPosition, nextPosition } from "./deltas.ts";
import { type Lesson, learn, withLearned } from "./discover.ts";
import { type Page, type Walked, walk } from "./walk.ts";
import { afterWindow, newerHalf, nextWindow, type Window } from "./windows.ts";

export type Reading = {
  readonly take: Take;
  readonly ask: Upstream["ask"];
  readonly clock: Clock;
  /** First day to read; undefined: all that there is. */
  readonly floor: string | undefined;
  /** Filters that hidden attributes are learned by, for each resource. */
  readonly lessons: ReadonlyMap<string, readonly Lesson[]>;
};

/** What a piece of work came to. */
export type Step = { readonly ok: true } | Failure;

export type Failure = {
  readonly ok: false;
  readonly why: string;
  /** Another attempt will fare no better until somebody does something about it. */
  readonly lasting?: boolean;
};

const done: Step = { ok: true };

export const today = (clock: Clock): string => new Date(clock.now()).toISOString().slice(0, 10);

export const saveList = (reading: Reading, resource: Resource, place: ListPlace): Promise<void> =>
  writeNote(reading.take.store, noteNames.list(resource.name), place);

/** The place of the resource; at the first start the upstream is looked at, and nothing is taken yet. */
export async function openList(reading: Reading, resource: Resource): Promise<ListPlace | Failure> {
  const known = await readNote<ListPlace>(reading.take.store, noteNames.list(resource.name));
  if (known !== undefined) return known;
  const list = listOf(resource);
  const size = [list.size.name, String(list.size.most)] as const;
  const counts: number[] = [];
  let began = Number.POSITIVE_INFINITY;
  // Whether pages are as large as they are asked for: a short one must mean the end.
  for (const page of ["0", "1"]) {
    const answer = await reading.ask({
      path: resource.path,
      parameters: [["page", page], size],
      check: (body) => (list.recordsOf(body) === undefined ? `the answer is no ${list.expected}` : undefined),
    });
    if ("refused" in answer) return refusedBy(resource, answer.refused);
    began = Math.min(began, answer.date);
    counts.push(list.recordsOf(answer.body)?.length ?? 0);
    if (counts[0] === 0 || counts[0] === list.size.most) break;
  }
  const [first = 0, second = 0] = counts;
  const place = newListPlace(began, firstPosition(began));
  if (second > 0 && first < list.size.most) place.most = first;
  await saveList(reading, resource, place);
  return place;
}

export function refusedBy(resource: Resource, { status, detail }: { status: number; detail: string }): Failure {
  const words: Readonly<Record<number, string>> = {
    401: "the upstream does not accept the token",
    403: "the token may not read this",
    404: "the upstream does not have this list",
  };
  const why = `${resource.name}: ${words[status] ?? `refused with status ${status}`} (${detail})`;
  return { ok: false, why, lasting: Object.hasOwn(words, status) };
}

/** Reads one window of days that has not been read; false when none is left. */
export async function readWindow(reading: Reading, resource: Resource, place: ListPlace): Promise<Step | "none left"> {
  const { clock, floor } = reading;
  let window = nextWindow(place.back, today(clock), floor);
  if (window === undefined) return "none left";
  for (;;) {
    const seen: string[] = [];
    let records = 0;
    const walked = await walkDays(reading, resource, place, window, async (page) => {
      records += page.records.length;
      seen.push(...page.records.flatMap((record) => dayOf(resource, record) ?? []));
      await take(reading.take, resource, page.records, place.tally);
    });
    if (walked.end === "refused") return refusedBy(resource, walked);
    if (walked.end === "limit") {
      const days = seen.sort();
      const half: Window | undefined = newerHalf(window, { newest: days.at(-1) ?? "", oldest: days[0] ?? "" });
      if (half !== undefined) {
        window = half;
        continue;
      }
      const [from, to] = [window.from ?? "", window.to ?? ""];
      addGap(place, {
        kind: "pages",
        from,
        to,
        why: "more records than the upstream has pages for",
        at: seconds(clock.now()),
      });
    }
    place.back = afterWindow(place.back, window, { pages: walked.pages, records });
    if (nextWindow(place.back, today(clock), floor) === undefined) place.filledAt = seconds(clock.now());
    await saveList(reading, resource, place);
    return done;
  }
}

/** Reads what has changed since the last time, all of it, and remembers that. */
export async function readChanged(reading: Reading, resource: Resource, place: ListPlace): Promise<Step> {
  const { since } = resource.intake;
  let from = place.position;
  let began: number | undefined;
  const stamps: number[] = [];
  for (;;) {
    const walked = await walkAll(reading, resource, place, [[since.name, String(from)]], async (page) => {
      began ??= page.date;
      stamps.push(...page.records.flatMap((record) => numberOf(resource, since.column, record) ?? []));
      await take(reading.take, resource, page.records, place.tally);
    });
    if (walked.end === "refused") return refusedBy(resource, walked);
    if (walked.end === "complete") break;
    // No deeper pages: what has been read so far need not be asked for again.
    const reached = stamps.reduce((a, b) => Math.max(a, b), from);
    if (reached === from)
      return { ok: false, why: `${resource.name}: more changes at ${from} than the upstream has pages for` };
    from = reached;
  }
  place.position = nextPosition(place.position, { began: began ?? 0, stamps }, listOf(resource, place.most).size.most);
  place.knownTo = began ?? place.knownTo;
  await saveList(reading, resource, place);
  return done;
}

/** All records of some days. */
export function walkDays(
  reading: Reading,
  resource: Resource,
  place: ListPlace,
  { from, to }: Window,
  onPage: (page: Page) => Promise<void>,
): Promise<Walked> {
  const { days } = resource.intake;
  const bounds: Parameters = [
    ...(from === undefined ? [] : [[days.from, from] as const]),
    ...(to === undefined ? [] : [[days.to, to] as const]),
  ];
  return walkAll(reading, resource, place, bounds, onPage);
}

/** All records that some parameters find, with nothing left out that can be known. */
async function walkAll(
  { ask, lessons }: Reading,
  resource: Resource,
  place: ListPlace,
  parameters: Parameters,
  onPage: (page: Page) => Promise<void>,
): Promise<Walked> {
  const list = listOf(resource, place.most);
  const learned = await learn(ask, list, parameters, lessons.get(resource.name) ?? []);
  if ("end" in learned) return learned;
  const whole: Parameters = Object.entries(resource.intake.whole);
  return walk(ask, list, [...whole, ...parameters], ({ records, date }) =>
    onPage({ records: records.map((record) => withLearned(record, learned)), date }),
  );
}

/** A value of a record in stored form; undefined when the record does not hold it well. */
function storedValue(resource: Resource, column: string, record: unknown): Json | undefined {
  const given = typeof record === "object" && record !== null ? (record as Record<string, unknown>)[column] : undefined;
  let good = given !== undefined && given !== null;
  const value = good
    ? resource.fields[column]?.accept(given, () => {
        good = false;
      })
    : undefined;
  return good ? value : undefined;
}

export function numberOf(resource: Resource, column: string, record: unknown): number | undefined {
  const value = storedValue(resource, column, record);
  return typeof value === "number" ? value : undefined;
}

/** The day that a record is found under; of a moment, its day in UTC, which is one off at most. */
function dayOf(resource: Resource, record: unknown): string | undefined {
  const value = storedValue(resource, resource.intake.days.column, record);
  if (typeof value === "number") return new Date(value * 1000).toISOString().slice(0, 10);
  return typeof value === "string" && value !== "" ? value : undefined;
}
