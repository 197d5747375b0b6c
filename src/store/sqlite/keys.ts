// Rows of API keys in SQLite. Only hashes are here; a key itself is never stored.
import { defaultScopes } from "../../core/scope.ts";
import type { KeyRow, NewKey } from "../store.ts";
import type { Connection, SqlRow } from "./connection.ts";

export function addKey(connection: Connection, key: NewKey): void {
  connection.run(
    "insert into api_key (name, hash, licenses, scopes, created, expires, revoked) values (?, ?, ?, ?, ?, ?, ?)",
    key.name,
    key.hash,
    JSON.stringify(key.licenses),
    JSON.stringify(key.scopes ?? defaultScopes),
    key.created,
    key.expires,
    key.revoked ?? null,
  );
}

export function findKey(connection: Connection, hash: string): KeyRow | undefined {
  const row = connection.get("select * from api_key where hash = ?", hash);
  return row === undefined ? undefined : keyOf(row);
}

export const listKeys = (connection: Connection): KeyRow[] =>
  connection.all("select * from api_key order by key").map(keyOf);

export const revokeKey = (connection: Connection, name: string, at: number): boolean =>
  connection.run("update api_key set revoked = ? where name = ? and revoked is null", at, name) > 0;

const keyOf = (row: SqlRow): KeyRow => ({
  name: String(row.name),
  hash: String(row.hash),
  licenses: JSON.parse(String(row.licenses)) as string[],
  scopes: JSON.parse(String(row.scopes)) as string[],
  created: Number(row.created),
  expires: String(row.expires),
  revoked: row.revoked === null ? undefined : Number(row.revoked),
});
