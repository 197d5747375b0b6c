// Keys in PostgreSQL.
import type { Terms } from "../../core/access/terms.ts";
import { keyColumns, keyKept, keyOf, keyValues, retired, revoked, termsSet, termValues } from "../rows/api-key-row.ts";
import type { KeyRow, NewKey, Successor } from "../store.ts";
import type { Query } from "./pool/pool.ts";

export async function addKey(query: Query, key: NewKey): Promise<void> {
  await query(keyKept(keyColumns.map((_, index) => `$${index + 1}`)), ...keyValues(key));
}

export async function findKey(query: Query, hash: string): Promise<KeyRow | undefined> {
  const [row] = await query("select * from api_key where hash = $1", hash);
  return row === undefined ? undefined : keyOf(row);
}

export const listKeys = async (query: Query): Promise<KeyRow[]> =>
  (await query("select * from api_key order by key")).map(keyOf);

/** Of one name, those that are good; the one that no other has replaced comes last. */
const good = "name = $1 and (revoked is null or retires > $2)";

export async function updateKey(query: Query, name: string, terms: Partial<Terms>, at: number): Promise<boolean> {
  const [newest] = await query(`select * from api_key where ${good} order by key desc limit 1`, name, at);
  if (newest === undefined) return false;
  const set = termsSet((index) => `$${index + 3}`);
  await query(`update api_key set ${set} where ${good}`, name, at, ...termValues({ ...keyOf(newest), ...terms }));
  return true;
}

export async function rotateKey(query: Query, name: string, { hash, created, retires }: Successor): Promise<boolean> {
  const [row] = await query("select * from api_key where name = $1 and revoked is null", name);
  if (row === undefined) return false;
  if (retires === undefined) await query(revoked("$1::bigint", "$2"), created, name);
  else await query(retired("$1::bigint", "$2::bigint", "$3"), created, retires, name);
  await addKey(query, { ...keyOf(row), hash, created });
  return true;
}

export async function revokeKey(query: Query, name: string, at: number): Promise<boolean> {
  const found = await query(`select 1 from api_key where ${good}`, name, at);
  await query(revoked("$1::bigint", "$2"), at, name);
  return found.length > 0;
}
