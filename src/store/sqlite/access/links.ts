// Links in SQLite.
import {
  findLinkSql,
  linkEntryFromRow,
  linkValues,
  listLinksSql,
  revokeLinkSql,
  upsertLinkSql,
  usableLinkFromRow,
} from "../../rows/link-row.ts";
import type { LinkEntry, LinkRow, LinkUse, UsableLink } from "../../store.ts";
import type { Connection } from "../connection.ts";

export function addLink(connection: Connection, link: LinkRow): void {
  connection.run(
    upsertLinkSql(() => "?"),
    ...linkValues(link),
  );
}

export function findLink(connection: Connection, hash: string): UsableLink | undefined {
  const row = connection.get(findLinkSql("?"), hash);
  return row === undefined ? undefined : usableLinkFromRow(row);
}

export const listLinks = (connection: Connection, key: string | undefined): LinkEntry[] =>
  (key === undefined ? connection.all(listLinksSql()) : connection.all(listLinksSql("?"), key)).map(linkEntryFromRow);

export const revokeLink = (connection: Connection, id: string, at: number): boolean =>
  connection.run(revokeLinkSql("?1", "?2"), at, id) > 0;

export function addLinkUse(connection: Connection, uses: readonly LinkUse[], at: number): void {
  for (const { link, requests } of uses)
    connection.run(
      `insert into link_use (link, requests, at) values (?, ?, ?)
       on conflict (link) do update set requests = requests + excluded.requests, at = max(at, excluded.at)`,
      link,
      requests,
      at,
    );
}
