// A key as a row of the table `api_key`, which both databases have alike. Only hashes are here; a key is never stored.
import { plainTerms, type Terms } from "../../core/access/terms.ts";
import type { KeyRow, NewKey } from "../store.ts";

const termColumns = ["licenses", "scopes", "expires", "grants"] as const;

export const keyColumns = ["name", "hash", "created", "revoked", "retires", ...termColumns] as const;

export const keyKept = (marks: readonly string[]): string =>
  `insert into api_key (${keyColumns.join(", ")}) values (${marks.join(", ")})
   on conflict (hash) do update set ${keyColumns.map((column) => `${column} = excluded.${column}`).join(", ")}`;

/** In the order of the columns. */
export const keyValues = (key: NewKey): (string | number | null)[] => [
  key.name,
  key.hash,
  key.created,
  key.revoked ?? null,
  key.retires ?? null,
  ...termValues({ ...plainTerms, ...key }),
];

/** What is set when terms change; `mark` gives the placeholder of a column by its number, counted from 0. */
export const termsSet = (mark: (index: number) => string): string =>
  termColumns.map((column, index) => `${column} = ${mark(index)}`).join(", ");

/** In the order of `termsSet`. Terms that are younger than the table stand together in one column. */
export const termValues = ({ licenses, scopes, expires, ...terms }: Terms): string[] => {
  const { owner, resources, history, delay, rate, burst, quota, quotaPer, origins, networks } = terms;
  const grants = { owner, resources, history, delay, rate, burst, quota, quotaPer, origins, networks };
  return [JSON.stringify(licenses), JSON.stringify(scopes), expires, JSON.stringify(grants)];
};

export const keyOf = (row: Readonly<Record<string, unknown>>): KeyRow => ({
  name: String(row.name),
  hash: String(row.hash),
  created: Number(row.created),
  revoked: row.revoked === null ? undefined : Number(row.revoked),
  retires: row.retires === null ? undefined : Number(row.retires),
  ...plainTerms,
  ...(JSON.parse(String(row.grants)) as Partial<Terms>),
  licenses: JSON.parse(String(row.licenses)) as string[],
  scopes: JSON.parse(String(row.scopes)) as string[],
  expires: String(row.expires),
});

/** A key is replaced: it is good until then, and those that it had replaced no longer than it. */
export const retired = (at: string, until: string, name: string): string =>
  `update api_key set revoked = coalesce(revoked, ${at}), retires = case when retires < ${until} then retires else ${until} end where name = ${name} and (revoked is null or retires is not null)`;

/** Ends all keys of a name, also those whose grace is over by one clock and not by another. */
export const revoked = (at: string, name: string): string =>
  `update api_key set revoked = case when retires < ${at} then retires else ${at} end, retires = null where name = ${name} and (revoked is null or retires is not null)`;
