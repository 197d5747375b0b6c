// API keys in SQLite.
import type { Terms } from "../../../core/access/terms.ts";
import {
  keyColumns,
  keyFromRow,
  keyValues,
  revokeKeySql,
  rotateKeySql,
  setTermsSql,
  termValues,
  upsertKeySql,
} from "../../rows/api-key-row.ts";
import { revokeLinksOfKeySql } from "../../rows/link-row.ts";
import type { KeyRow, NewKey, Successor } from "../../store.ts";
import type { Connection } from "../connection.ts";

export function addKey(connection: Connection, key: NewKey): void {
  connection.run(upsertKeySql(keyColumns.map(() => "?")), ...keyValues(key));
}

export function findKey(connection: Connection, hash: string): KeyRow | undefined {
  const row = connection.get("select * from api_key where hash = ?", hash);
  return row === undefined ? undefined : keyFromRow(row);
}

export const listKeys = (connection: Connection): KeyRow[] =>
  connection.all("select * from api_key order by key").map(keyFromRow);

export const hasKey = (connection: Connection): boolean =>
  connection.get("select 1 from api_key where revoked is null limit 1") !== undefined;

/** Selects the valid keys with a name; the one that hasn't been rotated comes last. */
const isValidSql = "name = ? and (revoked is null or retires > ?)";

export function updateKey(connection: Connection, name: string, terms: Partial<Terms>, at: number): boolean {
  const newest = connection.get(`select * from api_key where ${isValidSql} order by key desc limit 1`, name, at);
  if (newest === undefined) return false;
  const values = termValues({ ...keyFromRow(newest), ...terms });
  return connection.run(`update api_key set ${setTermsSql(() => "?")} where ${isValidSql}`, ...values, name, at) > 0;
}

export function rotateKey(connection: Connection, name: string, { hash, created, retires }: Successor): boolean {
  const row = connection.get("select * from api_key where name = ? and revoked is null", name);
  if (row === undefined) return false;
  if (retires === undefined) connection.run(revokeKeySql("?1", "?2"), created, name);
  else connection.run(rotateKeySql("?1", "?2", "?3"), created, retires, name);
  addKey(connection, { ...keyFromRow(row), hash, created });
  return true;
}

export function revokeKey(connection: Connection, name: string, at: number): boolean {
  const wasValid = connection.get(`select 1 from api_key where ${isValidSql}`, name, at) !== undefined;
  connection.run(revokeKeySql("?1", "?2"), at, name);
  connection.run(revokeLinksOfKeySql("?1", "?2"), at, name);
  return wasValid;
}
