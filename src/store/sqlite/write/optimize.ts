// Optimizes the full-text index after bulk writes: they leave many segments, and a search reads every one.
import { setImmediate } from "node:timers/promises";
import type { Resource } from "../../../core/catalog/resource.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import type { Connection } from "../connection.ts";

/** Pages merged per transaction: enough to be fast, few enough to let other writers in. */
const pagesPerStep = 500;

/** Merges the segments of a resource's search index into one, in steps. */
export async function optimizeSearch(connection: Connection, resource: Resource): Promise<void> {
  const { table, places } = tablesOf(resource);
  if (places.length === 0) return;
  const merge = (pages: number): boolean => {
    const before = changesOf(connection);
    connection.run(`insert into ${table}_search (${table}_search, rank) values ('merge', ?)`, pages);
    // The statement itself counts as one change; a merge with nothing to do makes no other.
    return changesOf(connection) - before >= 2;
  };
  // A negative number includes segments of any size; later steps continue that merge.
  let hasMore = merge(-pagesPerStep);
  while (hasMore) {
    // Lets other calls of this thread run in between.
    await setImmediate();
    hasMore = merge(pagesPerStep);
  }
}

const changesOf = (connection: Connection): number => Number(connection.get("select total_changes() as n")?.n);
