// The change log in SQLite: its lines, what it says of removed records, and how both are forgotten.
import { forgettable, oldestLines } from "../../rows/log-retention.ts";
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

export function lastChanged(connection: Connection, resource: string): number | undefined {
  const row = connection.get("select at from change where resource = ? order by seq desc limit 1", resource);
  return row === undefined ? undefined : Number(row.at);
}

export const oldestChange = (connection: Connection): number =>
  Number(connection.get("select value from setting where name = 'forgotten'")?.value ?? 0);

/** Lines with their own numbers; the next one of this database comes after them. */
export function takeOverChanges(connection: Connection, changes: readonly Change[]): void {
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
    else forgetRemovals(connection, resource, [id]);
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

/** The records are there again. */
export function forgetRemovals(connection: Connection, resource: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  // Most imports meet none: one look spares a statement a record.
  if (connection.get("select 1 from removal where resource = ? limit 1", resource) === undefined) return;
  for (const id of ids) connection.run("delete from removal where resource = ? and id = ?", resource, id);
}

export function forgetChanges(
  connection: Connection,
  forgotten: RetentionCutoff,
  most: number,
): { readonly lines: number; readonly removals: number } {
  const { lines, position } = forgettable(connection.all(oldestLines("?"), most), forgotten, most);
  if (lines > 0) connection.run("delete from change where seq <= ?", position);
  if (position > oldestChange(connection)) {
    connection.run("insert or replace into setting (name, value) values ('forgotten', ?)", String(position));
  }
  if ("upTo" in forgotten) return { lines, removals: 0 };
  const removals = connection.run(
    "delete from removal where key in (select key from removal where at < ? order by at limit ?)",
    forgotten.before,
    most,
  );
  return { lines, removals };
}

/** A turn is a note that holds when it was last taken. */
export function takeTurn(connection: Connection, name: string, now: number, everySeconds: number): boolean {
  const taken = connection.run(
    `insert into setting (name, value) values (?1, ?2)
     on conflict (name) do update set value = excluded.value where cast(setting.value as integer) <= ?3`,
    `note:turn ${name}`,
    String(now),
    now - everySeconds,
  );
  return taken > 0;
}
