// Rows of the table `link`, the same in both databases. Only hashes of tokens are stored.
import type { LinkEntry, LinkRow, UsableLink } from "../store.ts";

type DbRow = Readonly<Record<string, unknown>>;

const columns = ["id", "hash", "key", "name", "list", "query", "extension", "created", "revoked"] as const;

export const upsertLinkSql = (placeholder: (index: number) => string): string =>
  `insert into link (${columns.join(", ")}) values (${columns.map((_, index) => placeholder(index)).join(", ")})
   on conflict (id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`;

/** In the order of `upsertLinkSql`. */
export const linkValues = (link: LinkRow): (string | number | null)[] => columns.map((name) => link[name] ?? null);

export const findLinkSql = (hash: string): string =>
  `select l.*, k.hash as key_hash from link l join api_key k on k.name = l.key and k.revoked is null
   where l.hash = ${hash} and l.revoked is null`;

/** With a placeholder for the name of a key, only its links. */
export const listLinksSql = (key?: string): string =>
  `select l.*, u.requests, u.at from link l left join link_use u on u.link = l.id
   ${key === undefined ? "" : `where l.key = ${key}`} order by l.created, l.id`;

export const revokeLinkSql = (at: string, id: string): string =>
  `update link set revoked = ${at} where id = ${id} and revoked is null`;

export const revokeLinksOfKeySql = (at: string, key: string): string =>
  `update link set revoked = ${at} where key = ${key} and revoked is null`;

const linkFromRow = (row: DbRow): LinkRow => ({
  id: String(row.id),
  hash: String(row.hash),
  key: String(row.key),
  name: String(row.name),
  list: String(row.list),
  query: String(row.query),
  extension: String(row.extension),
  created: Number(row.created),
  revoked: row.revoked === null ? undefined : Number(row.revoked),
});

export const usableLinkFromRow = (row: DbRow): UsableLink => ({ ...linkFromRow(row), keyHash: String(row.key_hash) });

export const linkEntryFromRow = (row: DbRow): LinkEntry => ({
  ...linkFromRow(row),
  requests: Number(row.requests ?? 0),
  lastUsed: row.at === null ? undefined : Number(row.at),
});
