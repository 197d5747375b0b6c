// The change log in PostgreSQL: its entries, the list of removed records, and retention.
import { oldestEntriesSql, prunable } from "../../rows/log-retention.ts";
import { type NewEntry, versionsOf } from "../../rows/record-history.ts";
import type { Change, RecordVersion, RetentionCutoff } from "../../store.ts";
import { upsertSetting } from "../metadata.ts";
import type { Query } from "../pool/pool.ts";

export async function readChanges(
  query: Query,
  after: number,
  limit: number,
  resource: string | undefined,
): Promise<readonly Change[]> {
  const rows = await query(
    `select * from change where seq > $1${resource === undefined ? "" : " and resource = $3"} order by seq limit $2`,
    after,
    limit,
    ...(resource === undefined ? [] : [resource]),
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq), at: Number(row.at) }) as Change);
}

export async function readRecordVersions(query: Query, after: number, upTo: number): Promise<readonly RecordVersion[]> {
  const rows = await query("select * from record_version where seq > $1 and seq <= $2 order by seq", after, upTo);
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }) as RecordVersion);
}

/** Stores the versions before entries that were just logged: the single writer's positions are consecutive. */
export async function logVersions(query: Query, resource: string, entries: readonly NewEntry[]): Promise<void> {
  if (entries.every(({ before }) => before === undefined)) return;
  const [row] = await query("select currval(pg_get_serial_sequence('change', 'seq')) as seq");
  await insertVersions(query, versionsOf(resource, entries, Number(row?.seq)));
}

export async function insertVersions(query: Query, versions: readonly RecordVersion[]): Promise<void> {
  if (versions.length === 0) return;
  await query(
    `insert into record_version (seq, resource, id, json, hidden)
     select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])`,
    versions.map(({ seq }) => seq),
    versions.map(({ resource }) => resource),
    versions.map(({ id }) => id),
    versions.map(({ json }) => json),
    versions.map(({ hidden }) => hidden),
  );
}

export async function lastChangedAt(query: Query, resource: string): Promise<number | undefined> {
  const [row] = await query("select at from change where resource = $1 order by seq desc limit 1", resource);
  return row === undefined ? undefined : Number(row.at);
}

export async function oldestPosition(query: Query): Promise<number> {
  const [row] = await query("select value from setting where name = 'forgotten'");
  return Number(row?.value ?? 0);
}

type Removal = Pick<Change, "resource" | "id" | "at">;

export async function addRemovals(query: Query, removals: readonly Removal[]): Promise<void> {
  if (removals.length === 0) return;
  await query(
    `insert into removal (resource, id, at) select * from unnest($1::text[], $2::text[], $3::bigint[])
     on conflict (resource, id) do update set at = excluded.at`,
    removals.map(({ resource }) => resource),
    removals.map(({ id }) => id),
    removals.map(({ at }) => at),
  );
}

export async function hasRemovalsOf(query: Query, resource: string): Promise<boolean> {
  const [row] = await query("select exists (select from removal where resource = $1) as found", resource);
  return row?.found === true;
}

/** For records that exist again. */
export async function deleteRemovals(query: Query, records: readonly Omit<Removal, "at">[]): Promise<void> {
  if (records.length === 0) return;
  await query(
    `delete from removal r using unnest($1::text[], $2::text[]) d (resource, id)
     where r.resource = d.resource and r.id = d.id`,
    records.map(({ resource }) => resource),
    records.map(({ id }) => id),
  );
}

/** Updates the list of removed records from log entries; the last entry of each record counts. */
export async function applyRemovals(query: Query, changes: readonly Change[]): Promise<void> {
  const last = [...new Map(changes.map((change) => [`${change.resource} ${change.id}`, change])).values()];
  await addRemovals(
    query,
    last.filter(({ kind }) => kind === "removed"),
  );
  await deleteRemovals(
    query,
    last.filter(({ kind }) => kind !== "removed"),
  );
}

export async function pruneChanges(
  query: Query,
  cutoff: RetentionCutoff,
  limit: number,
): Promise<{ readonly entries: number; readonly removals: number }> {
  const { entries, position } = prunable(await query(oldestEntriesSql("$1"), limit), cutoff, limit);
  if (entries > 0) {
    await query("delete from change where seq <= $1", position);
    await query("delete from record_version where seq <= $1", position);
  }
  if (position > (await oldestPosition(query))) await query(upsertSetting, "forgotten", String(position));
  if ("upTo" in cutoff) return { entries, removals: 0 };
  const removals = await query(
    "delete from removal where key in (select key from removal where at < $1 order by at limit $2) returning key",
    cutoff.before,
    limit,
  );
  return { entries, removals: removals.length };
}
