// Links in PostgreSQL.
import {
  findLinkSql,
  linkEntryFromRow,
  linkValues,
  listLinksSql,
  revokeLinkSql,
  upsertLinkSql,
  usableLinkFromRow,
} from "../rows/link-row.ts";
import type { LinkUse, Store } from "../store.ts";
import type { Query } from "./pool/pool.ts";
import type { Cluster } from "./replicas/cluster.ts";
import type { Write } from "./write/writer.ts";

type LinkMethods = "addLink" | "findLink" | "listLinks" | "revokeLink";

/** A change of a link counts as one of the keys: replicas and other processes follow it in the same way. */
export function linksOn(cluster: Cluster, write: Write): Pick<Store, LinkMethods> {
  const { pool } = cluster.primary;
  return {
    addLink: (link) =>
      write("keys", async (_client, query) => {
        await query(
          upsertLinkSql((index) => `$${index + 1}`),
          ...linkValues(link),
        );
        return { result: undefined, changed: true };
      }),
    findLink: async (hash, state) =>
      cluster.read(cluster.nodeForKeys(state), async (query) => {
        const [row] = await query(findLinkSql("$1"), hash);
        return row === undefined ? undefined : usableLinkFromRow(row);
      }),
    listLinks: async (key) => {
      const rows = key === undefined ? await pool.query(listLinksSql()) : await pool.query(listLinksSql("$1"), key);
      return rows.map(linkEntryFromRow);
    },
    revokeLink: (id, at) =>
      write("keys", async (_client, query) => {
        const revoked = await query(`${revokeLinkSql("$1::bigint", "$2")} returning id`, at, id);
        return { result: revoked.length > 0, changed: revoked.length > 0 };
      }),
  };
}

/** Sorted, so that processes that update the same links don't deadlock. */
export async function addLinkUse(query: Query, uses: readonly LinkUse[], at: number): Promise<void> {
  if (uses.length === 0) return;
  await query(
    `insert into link_use as u (link, requests, at)
     select link, requests, $3::bigint from unnest($1::text[], $2::bigint[]) g (link, requests) order by 1
     on conflict (link) do update set requests = u.requests + excluded.requests, at = greatest(u.at, excluded.at)`,
    uses.map(({ link }) => link),
    uses.map(({ requests }) => requests),
    at,
  );
}
