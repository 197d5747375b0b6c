// Syncs removals from the upstream's lists of removed records, if it has them. A list may cover several resources.
import type { Resource } from "../../core/catalog/resource.ts";
import {
  checkpointNames,
  type ListCheckpoint,
  type RemovalsCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "../checkpoint.ts";
import { toSeconds } from "../clock.ts";
import { member } from "../ingest.ts";
import { firstPosition, nextPosition } from "./deltas.ts";
import type { Step, SyncContext } from "./lists.ts";
import { type ListEndpoint, recordId, scanList } from "./scan.ts";

/** An upstream without such a list is probed again after this long: it may have been upgraded. */
const probeAgainSeconds = 86_400;

/** A list of removed records and the resources it covers. */
export type RemovedList = { readonly path: string; readonly resources: readonly Resource[] };

export function removedLists(resources: readonly Resource[]): RemovedList[] {
  const byPath = Map.groupBy(resources, ({ intake }) => intake.removed.path);
  return [...byPath].map(([path, covered]) => ({ path, resources: covered }));
}

/** Loads the checkpoint; a new one starts when its resources were first read. */
export async function loadRemovalsCheckpoint(
  context: SyncContext,
  list: RemovedList,
  began: number,
): Promise<RemovalsCheckpoint> {
  const known = await readCheckpoint<RemovalsCheckpoint>(context.ingest.store, checkpointNames.removed(list.path));
  return known ?? { position: firstPosition(began), knownTo: 0 };
}

/** How long upstreams retain removals. */
const retentionSeconds = 7 * 86_400;

/** Whether removals since the checkpoint may have expired upstream. */
export const mayHaveExpired = ({ knownTo }: RemovalsCheckpoint, now: number): boolean =>
  knownTo > 0 && now - knownTo > retentionSeconds;

export const isOffered = ({ absentAt }: RemovalsCheckpoint): boolean => absentAt === undefined;

/**
 * Removes what was removed upstream since the last call. Must not run concurrently with a scan of records: a late response
 * would restore a removed record, or remove one that was created again.
 */
export async function syncRemovals(
  context: SyncContext,
  { path, resources }: RemovedList,
  checkpoint: RemovalsCheckpoint,
  checkpoints: ReadonlyMap<Resource, Pick<ListCheckpoint, "tally">>,
): Promise<Step> {
  const now = toSeconds(context.clock.now());
  if (checkpoint.absentAt !== undefined && now - checkpoint.absentAt < probeAgainSeconds) return { ok: true };
  const [{ intake }] = resources as [Resource];
  const list: ListEndpoint = {
    path,
    size: intake.removed.size,
    expected: 'an object with a list under "removed"',
    extractRecords: (body) => {
      const removed = member(body, "removed");
      return Array.isArray(removed) ? removed : undefined;
    },
  };
  let began: number | undefined;
  const stamps: number[] = [];
  const scan = await scanList(
    context.request,
    list,
    [[intake.removed.since, String(checkpoint.position)]],
    async (page) => {
      began ??= page.date;
      for (const resource of resources) {
        const { type } = resource.intake.removed;
        const removals = page.records.filter((each) => type === undefined || member(each, "type") === type);
        const ids = removals.flatMap((removal) => validId(resource, removal) ?? []);
        const removed = ids.length === 0 ? 0 : await context.ingest.store.remove(resource, ids);
        const tally = checkpoints.get(resource)?.tally;
        if (tally !== undefined) tally.counts.removed += removed;
      }
      stamps.push(...page.records.map((removal) => member(removal, "updated")).filter((at) => typeof at === "number"));
    },
  );
  if (scan.end === "refused" && (scan.status === 404 || scan.status === 405)) {
    await writeCheckpoint(context.ingest.store, checkpointNames.removed(path), { ...checkpoint, absentAt: now });
    checkpoint.absentAt = now;
    return { ok: true };
  }
  if (scan.end !== "complete") {
    return {
      ok: false,
      why: `${path}: ${scan.end === "limit" ? "more entries than the upstream serves pages for" : scan.detail}`,
    };
  }
  delete checkpoint.absentAt;
  checkpoint.position = nextPosition(checkpoint.position, { began: began ?? 0, stamps }, list.size.max);
  checkpoint.knownTo = began ?? checkpoint.knownTo;
  await writeCheckpoint(context.ingest.store, checkpointNames.removed(path), checkpoint);
  return { ok: true };
}

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
