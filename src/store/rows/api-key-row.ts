// Rows of the table `api_key`, the same in both databases. Only hashes are stored, never keys.
import { defaultTerms, type Terms } from "../../core/access/terms.ts";
import type { KeyRow, NewKey } from "../store.ts";

const termColumns = ["licenses", "scopes", "expires", "grants"] as const;

export const keyColumns = ["name", "hash", "created", "revoked", "retires", ...termColumns] as const;

export const upsertKeySql = (placeholders: readonly string[]): string =>
  `insert into api_key (${keyColumns.join(", ")}) values (${placeholders.join(", ")})
   on conflict (hash) do update set ${keyColumns.map((column) => `${column} = excluded.${column}`).join(", ")}`;

/** In the order of `keyColumns`. */
export const keyValues = (key: NewKey): (string | number | null)[] => [
  key.name,
  key.hash,
  key.created,
  key.revoked ?? null,
  key.retires ?? null,
  ...termValues({ ...defaultTerms, ...key }),
];

/** The `set` clause that updates terms; `placeholder` is called with the zero-based index of a column. */
export const setTermsSql = (placeholder: (index: number) => string): string =>
  termColumns.map((column, index) => `${column} = ${placeholder(index)}`).join(", ");

/** In the order of `setTermsSql`. Terms added after the table was created share one column. */
export const termValues = ({ licenses, scopes, expires, ...terms }: Terms): string[] => {
  const { owner, resources, history, delay, rate, burst, quota, quotaPer, origins, networks, compat } = terms;
  const grants = { owner, resources, history, delay, rate, burst, quota, quotaPer, origins, networks, compat };
  return [JSON.stringify(licenses), JSON.stringify(scopes), expires, JSON.stringify(grants)];
};

export const keyFromRow = (row: Readonly<Record<string, unknown>>): KeyRow => ({
  name: String(row.name),
  hash: String(row.hash),
  created: Number(row.created),
  revoked: row.revoked === null ? undefined : Number(row.revoked),
  retires: row.retires === null ? undefined : Number(row.retires),
  ...defaultTerms,
  ...(JSON.parse(String(row.grants)) as Partial<Terms>),
  licenses: JSON.parse(String(row.licenses)) as string[],
  scopes: JSON.parse(String(row.scopes)) as string[],
  expires: String(row.expires),
});

/** Rotates a key: it stays valid until then, and its predecessors no longer than it does. */
export const rotateKeySql = (at: string, until: string, name: string): string =>
  `update api_key set revoked = coalesce(revoked, ${at}), retires = case when retires < ${until} then retires else ${until} end where name = ${name} and (revoked is null or retires is not null)`;

/** Revokes all keys with a name, including those whose grace period is over by one clock and not by another. */
export const revokeKeySql = (at: string, name: string): string =>
  `update api_key set revoked = case when retires < ${at} then retires else ${at} end, retires = null where name = ${name} and (revoked is null or retires is not null)`;
