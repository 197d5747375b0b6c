// After much was written: what the database would do by itself some time later is done at once.
import type { Resource } from "../../../core/catalog/resource.ts";
import { expectedTables } from "../../expected-schema.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import type { Query } from "../pool/pool.ts";

/** Statistics are gathered anew, and words that wait beside the search index, where each search walks through them, move in. */
export async function settleTables(query: Query, resource: Resource): Promise<void> {
  const { table, places } = tablesOf(resource);
  const isSearched = places.length > 0;
  if (isSearched) await query(`select gin_clean_pending_list('${table}_search_by_words')`);
  const tables = expectedTables(resource).map(({ name }) => name);
  for (const name of isSearched ? [...tables, `${table}_search`] : tables) await query(`analyze ${name}`);
}
