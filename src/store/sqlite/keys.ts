// Keys in SQLite.
import { keyColumns, keyOf, keyValues } from "../key-row.ts";
import type { KeyRow, NewKey } from "../store.ts";
import type { Connection } from "./connection.ts";

export function addKey(connection: Connection, key: NewKey): void {
  const marks = keyColumns.map(() => "?").join(", ");
  connection.run(`insert into api_key (${keyColumns.join(", ")}) values (${marks})`, ...keyValues(key));
}

export function findKey(connection: Connection, hash: string): KeyRow | undefined {
  const row = connection.get("select * from api_key where hash = ?", hash);
  return row === undefined ? undefined : keyOf(row);
}

export const listKeys = (connection: Connection): KeyRow[] =>
  connection.all("select * from api_key order by key").map(keyOf);

export const revokeKey = (connection: Connection, name: string, at: number): boolean =>
  connection.run("update api_key set revoked = ? where name = ? and revoked is null", at, name) > 0;
