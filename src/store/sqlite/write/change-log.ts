// The change log in SQLite: its entries, the removals derived from it, and pruning of both.
import { oldestEntriesSql, prunable } from "../../rows/log-retention.ts";
import type { Change, RetentionCutoff } from "../../store.ts";
import type { Connection } from "../connection.ts";

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

export function lastChangedAt(connection: Connection, resource: string): number | undefined {
  const row = connection.get("select at from change where resource = ? order by seq desc limit 1", resource);
  return row === undefined ? undefined : Number(row.at);
}

export const oldestPosition = (connection: Connection): number =>
  Number(connection.get("select value from setting where name = 'forgotten'")?.value ?? 0);

/** One statement for all: each one has to update the sequence. */
export function logChanges(
  connection: Connection,
  resource: string,
  changes: readonly (readonly [id: string, kind: Change["kind"]])[],
  at: number,
): void {
  if (changes.length === 0) return;
  connection.run(
    `insert into change (resource, id, kind, at)
     select ?1, value ->> 0, value ->> 1, ?2 from json_each(?3)`,
    resource,
    at,
    JSON.stringify(changes),
  );
}

/** Inserts entries with their positions; new ones continue after them. */
export function importChanges(connection: Connection, changes: readonly Change[]): void {
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
  if (entries > 0) connection.run("delete from change where seq <= ?", position);
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
