// A key as a row of the table `api_key`, which both databases have alike. Only hashes are here; a key is never stored.
import { defaultScopes } from "../core/scope.ts";
import type { KeyRow, NewKey } from "./store.ts";

export const keyColumns = ["name", "hash", "licenses", "scopes", "created", "expires", "revoked"] as const;

/** In the order of the columns. */
export const keyValues = (key: NewKey): (string | number | null)[] => [
  key.name,
  key.hash,
  JSON.stringify(key.licenses),
  JSON.stringify(key.scopes ?? defaultScopes),
  key.created,
  key.expires,
  key.revoked ?? null,
];

export const keyOf = (row: Readonly<Record<string, unknown>>): KeyRow => ({
  name: String(row.name),
  hash: String(row.hash),
  licenses: JSON.parse(String(row.licenses)) as string[],
  scopes: JSON.parse(String(row.scopes)) as string[],
  created: Number(row.created),
  expires: String(row.expires),
  revoked: row.revoked === null ? undefined : Number(row.revoked),
});
