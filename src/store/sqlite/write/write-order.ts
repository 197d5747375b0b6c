// The order in which a batch of records is written.
import type { Resource } from "../../../core/catalog/resource.ts";
import type { Json, Row } from "../../../core/record/row.ts";

/** A record's values of the columns that its list is ordered by; the last one is its ID. */
export type OrderKey = readonly Json[];

export const orderKeyOf = ({ order }: Resource, row: Row): OrderKey => order.map(({ column }) => row[column] ?? "");

/**
 * Writes rows in list order, so that a page's records are adjacent in the file, and because the search index is much
 * faster with ascending keys. A batch with a duplicate ID is written in its own order: the last one must win.
 */
export function writeOrder(keys: readonly OrderKey[]): number[] {
  const indexes = [...keys.keys()];
  if (new Set(keys.map((key) => key.at(-1))).size < keys.length) return indexes;
  return indexes.sort((a, b) => compare(keys[a] ?? [], keys[b] ?? []));
}

function compare(a: OrderKey, b: OrderKey): number {
  for (let column = 0; column < a.length; column++) {
    const [x, y] = [a[column] ?? "", b[column] ?? ""];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
