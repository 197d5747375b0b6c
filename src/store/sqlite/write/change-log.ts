// The change log in SQLite: its entries, the removals derived from it, and pruning of both.
import type { Resource } from "../../../core/catalog/resource.ts";
import { oldestEntriesSql, prunable } from "../../rows/log-retention.ts";
import {
  entryVersionsSql,
  type NewEntry,
  recordChanges,
  removedRecords,
  removedRecordsSql,
  versionsOf,
} from "../../rows/record-history.ts";
import type { Change, RecordChange, RecordVersion, RemovedRecord, RetentionCutoff } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { rowsOf } from "../rows.ts";
import { lastPosition } from "../state.ts";

export function readChanges(
  connection: Connection,
  after: number,
  limit: number,
  resource: string | undefined,
): readonly Change[] {
  const [test, values] = resource === undefined ? ["", []] : ["resource = ? and ", [resource]];
  return connection.all(
    `select * from change where ${test}seq > ? order by seq limit ?`,
    ...values,
    after,
    limit,
  ) as unknown as readonly Change[];
}

export function readRecordChanges(
  connection: Connection,
  resource: Resource,
  after: number,
  limit: number,
): readonly RecordChange[] {
  const entries = readChanges(connection, after, limit, resource.name);
  const current = rowsOf(connection, resource, [...new Set(entries.map(({ id }) => id))]);
  const last = entries.at(-1)?.seq ?? after;
  const versions = connection.all(entryVersionsSql("?", "?", "?"), resource.name, after, last);
  return recordChanges(resource, entries, current, versions);
}

export const readRemovedRecords = (
  connection: Connection,
  resource: Resource,
  limit: number,
): readonly RemovedRecord[] =>
  removedRecords(resource, connection.all(removedRecordsSql("?", "?"), resource.name, limit));

export const readRecordVersions = (connection: Connection, after: number, upTo: number): readonly RecordVersion[] =>
  connection.all(
    "select * from record_version where seq > ? and seq <= ? order by seq",
    after,
    upTo,
  ) as unknown as readonly RecordVersion[];

export function lastChangedAt(connection: Connection, resource: string): number | undefined {
  const row = connection.get("select at from change where resource = ? order by seq desc limit 1", resource);
  return row === undefined ? undefined : Number(row.at);
}

export const oldestPosition = (connection: Connection): number =>
  Number(connection.get("select value from setting where name = 'forgotten'")?.value ?? 0);

/** One statement for all: each one has to update the sequence. */
export function logChanges(connection: Connection, resource: string, entries: readonly NewEntry[], at: number): void {
  if (entries.length === 0) return;
  connection.run(
    `insert into change (resource, id, kind, at)
     select ?1, value ->> 0, value ->> 1, ?2 from json_each(?3)`,
    resource,
    at,
    JSON.stringify(entries.map(({ id, kind }) => [id, kind])),
  );
  if (entries.every(({ before }) => before === undefined)) return;
  insertVersions(connection, versionsOf(resource, entries, lastPosition(connection)));
}

function insertVersions(connection: Connection, versions: readonly RecordVersion[]): void {
  for (const { seq, resource, id, json, hidden } of versions) {
    connection.run(
      "insert into record_version (seq, resource, id, json, hidden) values (?, ?, ?, ?, ?)",
      seq,
      resource,
      id,
      json,
      hidden,
    );
  }
}

/** Inserts entries with their positions; new ones continue after them. */
export function importChanges(
  connection: Connection,
  changes: readonly Change[],
  versions: readonly RecordVersion[],
): void {
  insertVersions(connection, versions);
  for (const { seq, resource, id, kind, at } of changes) {
    connection.run(
      "insert into change (seq, resource, id, kind, at) values (?, ?, ?, ?, ?)",
      seq,
      resource,
      id,
      kind,
      at,
    );
    if (kind === "removed") addRemoval(connection, resource, id, at);
    else deleteRemovals(connection, resource, [id]);
  }
}

export function addRemoval(connection: Connection, resource: string, id: string, at: number): void {
  connection.run(
    `insert into removal (resource, id, at) values (?, ?, ?)
     on conflict (resource, id) do update set at = excluded.at`,
    resource,
    id,
    at,
  );
}

/** For records that exist again. */
export function deleteRemovals(connection: Connection, resource: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  // Most imports affect none: one lookup saves a statement per record.
  if (connection.get("select 1 from removal where resource = ? limit 1", resource) === undefined) return;
  for (const id of ids) connection.run("delete from removal where resource = ? and id = ?", resource, id);
}

export function pruneChanges(
  connection: Connection,
  cutoff: RetentionCutoff,
  limit: number,
): { readonly entries: number; readonly removals: number } {
  const { entries, position } = prunable(connection.all(oldestEntriesSql("?"), limit), cutoff, limit);
  if (entries > 0) {
    connection.run("delete from change where seq <= ?", position);
    connection.run("delete from record_version where seq <= ?", position);
  }
  if (position > oldestPosition(connection)) {
    connection.run("insert or replace into setting (name, value) values ('forgotten', ?)", String(position));
  }
  if ("upTo" in cutoff) return { entries, removals: 0 };
  const removals = connection.run(
    "delete from removal where key in (select key from removal where at < ? order by at limit ?)",
    cutoff.before,
    limit,
  );
  return { entries, removals };
}

/** Stores when the job was last claimed, as a metadata value. */
export function claimPeriodicJob(connection: Connection, name: string, now: number, everySeconds: number): boolean {
  const claimed = connection.run(
    `insert into setting (name, value) values (?1, ?2)
     on conflict (name) do update set value = excluded.value where cast(setting.value as integer) <= ?3`,
    `note:turn ${name}`,
    String(now),
    now - everySeconds,
  );
  return claimed > 0;
}
