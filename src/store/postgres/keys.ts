// Keys in PostgreSQL.
import { keyColumns, keyOf, keyValues } from "../key-row.ts";
import type { KeyRow, NewKey } from "../store.ts";
import type { Query } from "./database.ts";

export async function addKey(query: Query, key: NewKey): Promise<void> {
  const marks = keyColumns.map((_, index) => `$${index + 1}`).join(", ");
  await query(`insert into api_key (${keyColumns.join(", ")}) values (${marks})`, ...keyValues(key));
}

export async function findKey(query: Query, hash: string): Promise<KeyRow | undefined> {
  const [row] = await query("select * from api_key where hash = $1", hash);
  return row === undefined ? undefined : keyOf(row);
}

export const listKeys = async (query: Query): Promise<KeyRow[]> =>
  (await query("select * from api_key order by key")).map(keyOf);

export async function revokeKey(query: Query, name: string, at: number): Promise<boolean> {
  const rows = await query(
    "update api_key set revoked = $1 where name = $2 and revoked is null returning key",
    at,
    name,
  );
  return rows.length > 0;
}
