// Syncs the removals of a resource from the upstream's list of removed records, if it has one.
import type { Resource } from "../../core/catalog/resource.ts";
import { toSeconds } from "../../lease/clock.ts";
import { checkpointNames, partNames, type RemovalsCheckpoint, readCheckpoint, writeCheckpoint } from "../checkpoint.ts";
import type { Tally } from "../ingest.ts";
import { firstPosition, nextPosition } from "./deltas.ts";
import { numberField, type Step, type SyncContext } from "./lists.ts";
import { type ListEndpoint, listUnder, maxPageSize, member, recordId, scanList } from "./scan.ts";

/** An upstream without such a list is probed again after this long: it may have been upgraded. */
const probeAgainSeconds = 86_400;

/** Loads the checkpoint; a new one starts when the resource was first read. */
export async function loadRemovalsCheckpoint(
  context: SyncContext,
  { name }: Resource,
  began: number,
): Promise<RemovalsCheckpoint> {
  const known = await readCheckpoint<RemovalsCheckpoint>(context.ingest.store, checkpointNames.removed(name));
  return { ...(known ?? { position: firstPosition(began), knownTo: 0 }), largest: 0 };
}

/** How long upstreams retain removals. */
const retentionSeconds = 7 * 86_400;

/** Whether removals since the checkpoint may have expired upstream. */
export const mayHaveExpired = ({ knownTo }: RemovalsCheckpoint, now: number): boolean =>
  knownTo > 0 && now - knownTo > retentionSeconds;

export const isOffered = ({ absentAt }: RemovalsCheckpoint): boolean => absentAt === undefined;

/**
 * Removes what was removed upstream since the last call. Must not run concurrently with a scan of the resource: a late
 * response would restore a removed record, or remove one that was created again.
 */
export async function syncRemovals(
  context: SyncContext,
  resource: Resource,
  checkpoint: RemovalsCheckpoint,
  tally: Tally,
): Promise<Step> {
  const { path, size, since } = resource.intake.removed;
  const { store } = context.ingest;
  const now = toSeconds(context.clock.now());
  const save = () => writeCheckpoint(store, checkpointNames.removed(resource.name), checkpoint);
  if (checkpoint.absentAt !== undefined && now - checkpoint.absentAt < probeAgainSeconds) return { ok: true };
  const list: ListEndpoint = { path, size, pageSizes: checkpoint, ...listUnder("removed", "items") };
  let began: number | undefined;
  const stamps: number[] = [];
  const scan = await scanList(context.request, list, [[since, String(checkpoint.position)]], async (page) => {
    began ??= page.date;
    stamps.push(...page.records.flatMap((removal) => removedAt(resource, removal) ?? []));
    const gone = await removedIds(context, resource, page.records, now);
    if (gone.length > 0) tally.counts.removed += await store.remove(resource, gone);
  });
  if (scan.end === "refused" && (scan.status === 404 || scan.status === 405)) {
    checkpoint.absentAt = now;
    await save();
    return { ok: true };
  }
  if (scan.end !== "complete") {
    const reason = scan.end === "limit" ? "more entries than the upstream serves pages for" : scan.detail;
    return { ok: false, why: `${partNames.removals(resource.name)}: ${path}: ${reason}` };
  }
  delete checkpoint.absentAt;
  checkpoint.position = nextPosition(checkpoint.position, { began: began ?? 0, stamps }, maxPageSize(list));
  checkpoint.knownTo = began ?? checkpoint.knownTo;
  await save();
  return { ok: true };
}

const removedAt = (resource: Resource, removal: unknown): number | undefined =>
  numberField(resource, resource.intake.since.column, removal);

/** IDs of the resource's removals, except records that were changed later: they were created again. */
async function removedIds(
  { ingest: { store } }: SyncContext,
  resource: Resource,
  removals: readonly unknown[],
  now: number,
): Promise<string[]> {
  const times = new Map<string, number>();
  for (const removal of removals) {
    const id = isOf(resource, removal) ? validId(resource, removal) : undefined;
    if (id !== undefined) times.set(id, removedAt(resource, removal) ?? now);
  }
  if (times.size === 0) return [];
  const { column } = resource.intake.since;
  for (const row of await store.rowsOf(resource, [...times.keys()])) {
    const changed = Number(row[column]);
    // A timestamp in the future says nothing.
    if (changed > (times.get(String(row.id)) ?? now) && changed <= now) times.delete(String(row.id));
  }
  return [...times.keys()];
}

/** Whether an entry of a list that covers several resources is about this one; spellings of the type vary. */
function isOf({ intake: { removed, keys } }: Resource, removal: unknown): boolean {
  if (removed.type === undefined) return true;
  const type = member(removal, "type");
  return typeof type === "string" && [removed.type, ...keys].some((name) => spelling(name) === spelling(type));
}

const spelling = (type: string): string => type.toLowerCase().replace(/[\s_-]+/g, "");

/** The ID of a removal; undefined when it can't be the ID of a record. */
function validId(resource: Resource, removal: unknown): string | undefined {
  const id = recordId(removal);
  let valid = id !== undefined;
  if (id !== undefined)
    resource.fields.id?.validate(resource.fields.id.fromCsv(id), () => {
      valid = false;
    });
  return valid ? id : undefined;
}
