// The change log in PostgreSQL: its lines, what it says of removed records, and how both are forgotten.
import { forgettable, oldestLines } from "../../rows/log-retention.ts";
import type { Change, RetentionCutoff } from "../../store.ts";
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

export async function lastChanged(query: Query, resource: string): Promise<number | undefined> {
  const [row] = await query("select at from change where resource = $1 order by seq desc limit 1", resource);
  return row === undefined ? undefined : Number(row.at);
}

export async function oldestChange(query: Query): Promise<number> {
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

/** The records are there again. */
export async function forgetRemovals(query: Query, records: readonly Omit<Removal, "at">[]): Promise<void> {
  if (records.length === 0) return;
  await query(
    `delete from removal r using unnest($1::text[], $2::text[]) d (resource, id)
     where r.resource = d.resource and r.id = d.id`,
    records.map(({ resource }) => resource),
    records.map(({ id }) => id),
  );
}

/** What lines of a log say of removed records: of each record the last line counts. */
export async function followRemovals(query: Query, changes: readonly Change[]): Promise<void> {
  const last = [...new Map(changes.map((change) => [`${change.resource} ${change.id}`, change])).values()];
  await addRemovals(
    query,
    last.filter(({ kind }) => kind === "removed"),
  );
  await forgetRemovals(
    query,
    last.filter(({ kind }) => kind !== "removed"),
  );
}

export async function forgetChanges(
  query: Query,
  forgotten: RetentionCutoff,
  most: number,
): Promise<{ readonly lines: number; readonly removals: number }> {
  const { lines, position } = forgettable(await query(oldestLines("$1"), most), forgotten, most);
  if (lines > 0) await query("delete from change where seq <= $1", position);
  if (position > (await oldestChange(query))) {
    await query(
      `insert into setting (name, value) values ('forgotten', $1)
       on conflict (name) do update set value = excluded.value`,
      String(position),
    );
  }
  if ("upTo" in forgotten) return { lines, removals: 0 };
  const removals = await query(
    "delete from removal where key in (select key from removal where at < $1 order by at limit $2) returning key",
    forgotten.before,
    most,
  );
  return { lines, removals: removals.length };
}

/** A turn is a note that holds when it was last taken. */
export async function takeTurn(query: Query, name: string, now: number, everySeconds: number): Promise<boolean> {
  const taken = await query(
    `insert into setting (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value where setting.value::bigint <= $3 returning name`,
    `note:turn ${name}`,
    String(now),
    now - everySeconds,
  );
  return taken.length > 0;
}
