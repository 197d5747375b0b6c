// After much was written: a full-text index is left in many segments, and each search looks into every one of them.
import { setImmediate } from "node:timers/promises";
import type { Resource } from "../../../core/catalog/resource.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import type { Connection } from "../connection.ts";

/** Pages merged in one transaction: long enough to be fast, short enough to let other writers in. */
const pagesAtOnce = 500;

/** Merges the segments of a resource's search index into one, step by step. */
export async function settleSearch(connection: Connection, resource: Resource): Promise<void> {
  const { table, places } = tablesOf(resource);
  if (places.length === 0) return;
  const merge = (pages: number): boolean => {
    const before = changesOf(connection);
    connection.run(`insert into ${table}_search (${table}_search, rank) values ('merge', ?)`, pages);
    // The statement itself counts as one change; a merge that had nothing to do makes no other.
    return changesOf(connection) - before >= 2;
  };
  // A negative number has all segments take part, however large they are; later steps go on with that.
  let isUnderWay = merge(-pagesAtOnce);
  while (isUnderWay) {
    // A server that does this turns to its requests in between.
    await setImmediate();
    isUnderWay = merge(pagesAtOnce);
  }
}

const changesOf = (connection: Connection): number => Number(connection.get("select total_changes() as n")?.n);
