// Log entries with the record before and after each of them, the same for both databases.
import type { Resource } from "../../core/catalog/resource.ts";
import { decodeRecord } from "../../core/record/encoding.ts";
import type { Row } from "../../core/record/row.ts";
import type { Change, RecordChange, RecordVersion, RemovedRecord } from "../store.ts";

/** A log entry that isn't written yet. `before` is the record it replaces; none for a creation. */
export type NewEntry = Pick<Change, "id" | "kind"> & { readonly before?: RecordBefore | undefined };
type RecordBefore = Pick<RecordVersion, "json" | "hidden">;

/** The versions for a batch of entries, which have consecutive positions up to `last`. */
export const versionsOf = (resource: string, entries: readonly NewEntry[], last: number): RecordVersion[] =>
  entries.flatMap(({ id, before }, index) =>
    before === undefined ? [] : [{ seq: last - entries.length + 1 + index, resource, id, ...before }],
  );

/**
 * Selects the versions before and after the entries of a resource in a range of positions. To be run after the current
 * records were read: if there is no later version by then, the current record is the one after the entry.
 */
export const entryVersionsSql = (resource: string, after: string, upTo: string): string =>
  `select c.seq, b.json as before_json, b.hidden as before_hidden, a.json as after_json, a.hidden as after_hidden
   from change c
   left join record_version b on b.seq = c.seq
   left join record_version a on a.seq =
     (select min(v.seq) from record_version v where v.resource = c.resource and v.id = c.id and v.seq > c.seq)
   where c.resource = ${resource} and c.seq > ${after} and c.seq <= ${upTo}`;

/** Selects the latest removals of a resource, each with the last version of the record. */
export const removedRecordsSql = (resource: string, limit: string): string =>
  `select m.at, v.json, v.hidden from removal m
   join record_version v on v.seq =
     (select max(l.seq) from record_version l where l.resource = m.resource and l.id = m.id)
   where m.resource = ${resource} order by m.at desc, m.id desc limit ${limit}`;

export const removedRecords = (
  resource: Pick<Resource, "name" | "fields">,
  found: readonly Readonly<Record<string, unknown>>[],
): RemovedRecord[] =>
  found.map(({ at, json, hidden }) => ({
    row: decodeRecord(resource, String(json), String(hidden)),
    at: Number(at),
  }));

/** `current` are the records of the entries that exist; `versions` the result of `entryVersionsSql`. */
export function recordChanges(
  resource: Resource,
  entries: readonly Change[],
  current: readonly Row[],
  versions: readonly Readonly<Record<string, unknown>>[],
): RecordChange[] {
  const byId = new Map(current.map((row) => [String(row.id), row]));
  const bySeq = new Map(versions.map((row) => [Number(row.seq), row]));
  const decode = (json: unknown, hidden: unknown): Row | undefined =>
    typeof json === "string" ? decodeRecord(resource, json, String(hidden)) : undefined;
  return entries.flatMap((entry) => {
    const found = bySeq.get(entry.seq);
    // Pruned in the meantime.
    if (found === undefined) return [];
    const before = decode(found.before_json, found.before_hidden);
    const after = decode(found.after_json, found.after_hidden) ?? byId.get(entry.id);
    const { kind } = entry;
    return [
      {
        ...entry,
        before,
        after: kind === "removed" ? undefined : after,
        isBeforeKnown: kind === "created" || before !== undefined,
      },
    ];
  });
}
