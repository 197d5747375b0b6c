// Maintenance after a bulk write, without waiting for autovacuum.
import type { Resource } from "../../../core/catalog/resource.ts";
import { expectedTables } from "../../expected-schema.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import type { Query } from "../pool/pool.ts";

/** Refreshes statistics and flushes the GIN pending list, which every search would scan. */
export async function optimizeTables(query: Query, resource: Resource): Promise<void> {
  const { table, places } = tablesOf(resource);
  const isSearched = places.length > 0;
  if (isSearched) await query(`select gin_clean_pending_list('${table}_search_by_words')`);
  const tables = expectedTables(resource).map(({ name }) => name);
  for (const name of isSearched ? [...tables, `${table}_search`] : tables) await query(`analyze ${name}`);
}
