// Lists of removed records, where the upstream has them. One list may be of several resources.
import type { Resource } from "../../core/catalog/resource.ts";
import { type ListPlace, noteNames, type RemovedPlace, readNote, writeNote } from "../checkpoint.ts";
import { seconds } from "../clock.ts";
import { memberOf } from "../ingest.ts";
import { firstPosition, nextPosition } from "./deltas.ts";
import type { Reading, Step } from "./lists.ts";
import { idOf, type List, walk } from "./walk.ts";

/** An upstream without such a list is asked again after so long: it may have been upgraded. */
const askAgainSeconds = 86_400;

/** A list of removed records and the resources it tells of. */
export type RemovedList = { readonly path: string; readonly resources: readonly Resource[] };

export function removedLists(resources: readonly Resource[]): RemovedList[] {
  const byPath = Map.groupBy(resources, ({ intake }) => intake.removed.path);
  return [...byPath].map(([path, those]) => ({ path, resources: those }));
}

/** The place in the list; when it has none yet, it begins where `began` says that the resources were first read. */
export async function openRemoved(reading: Reading, list: RemovedList, began: number): Promise<RemovedPlace> {
  const known = await readNote<RemovedPlace>(reading.take.store, noteNames.removed(list.path));
  return known ?? { position: firstPosition(began), knownTo: 0 };
}

/** Upstreams keep such lists for a while only. */
const keptSeconds = 7 * 86_400;

/** Whether the place is so old that the upstream may have forgotten what was removed since. */
export const mayHaveForgotten = ({ knownTo }: RemovedPlace, now: number): boolean =>
  knownTo > 0 && now - knownTo > keptSeconds;

export const isOffered = ({ absentAt }: RemovedPlace): boolean => absentAt === undefined;

/**
 * Reads what has been removed since the last time. It must not run beside a reading of records: an older answer that
 * arrives late would bring a record back, or take one away that has been made again.
 */
export async function readRemoved(
  reading: Reading,
  { path, resources }: RemovedList,
  place: RemovedPlace,
  places: ReadonlyMap<Resource, Pick<ListPlace, "tally">>,
): Promise<Step> {
  const now = seconds(reading.clock.now());
  if (place.absentAt !== undefined && now - place.absentAt < askAgainSeconds) return { ok: true };
  const [{ intake }] = resources as [Resource];
  const list: List = {
    path,
    size: intake.removed.size,
    expected: 'object with a list under "removed"',
    recordsOf: (body) => {
      const removed = memberOf(body, "removed");
      return Array.isArray(removed) ? removed : undefined;
    },
  };
  let began: number | undefined;
  const stamps: number[] = [];
  const walked = await walk(reading.ask, list, [[intake.removed.since, String(place.position)]], async (page) => {
    began ??= page.date;
    for (const resource of resources) {
      const { type } = resource.intake.removed;
      const lines = page.records.filter((line) => type === undefined || memberOf(line, "type") === type);
      const ids = lines.flatMap((line) => wellFormed(resource, line) ?? []);
      const removed = ids.length === 0 ? 0 : await reading.take.store.remove(resource, ids);
      const tally = places.get(resource)?.tally;
      if (tally !== undefined) tally.counts.removed += removed;
    }
    stamps.push(...page.records.map((line) => memberOf(line, "updated")).filter((at) => typeof at === "number"));
  });
  if (walked.end === "refused" && (walked.status === 404 || walked.status === 405)) {
    await writeNote(reading.take.store, noteNames.removed(path), { ...place, absentAt: now });
    place.absentAt = now;
    return { ok: true };
  }
  if (walked.end !== "complete") {
    return {
      ok: false,
      why: `${path}: ${walked.end === "limit" ? "more lines than the upstream has pages for" : walked.detail}`,
    };
  }
  delete place.absentAt;
  place.position = nextPosition(place.position, { began: began ?? 0, stamps }, list.size.most);
  place.knownTo = began ?? place.knownTo;
  await writeNote(reading.take.store, noteNames.removed(path), place);
  return { ok: true };
}

/** The id of a line as the store takes it; a line that names no possible record is passed over. */
function wellFormed(resource: Resource, line: unknown): string | undefined {
  const id = idOf(line);
  let good = id !== undefined;
  if (id !== undefined)
    resource.fields.id?.accept(resource.fields.id.fromText(id), () => {
      good = false;
    });
  return good ? id : undefined;
}
