// Rows of API keys in PostgreSQL. Only hashes are here; a key itself is never stored.
import { defaultScopes } from "../../core/scope.ts";
import type { KeyRow, NewKey } from "../store.ts";
import type { PgRow, Query } from "./database.ts";

export async function addKey(query: Query, key: NewKey): Promise<void> {
  await query(
    "insert into api_key (name, hash, licenses, scopes, created, expires, revoked) values ($1, $2, $3, $4, $5, $6, $7)",
    key.name,
    key.hash,
    JSON.stringify(key.licenses),
    JSON.stringify(key.scopes ?? defaultScopes),
    key.created,
    key.expires,
    key.revoked ?? null,
  );
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

const keyOf = (row: PgRow): KeyRow => ({
  name: String(row.name),
  hash: String(row.hash),
  licenses: JSON.parse(String(row.licenses)) as string[],
  scopes: JSON.parse(String(row.scopes)) as string[],
  created: Number(row.created),
  expires: String(row.expires),
  revoked: row.revoked === null ? undefined : Number(row.revoked),
});
