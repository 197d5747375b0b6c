// The order in which a batch of records is written.
import type { Resource } from "../../../core/catalog/resource.ts";
import type { Row } from "../../../core/record/row.ts";
import type { IncomingRow } from "../../store.ts";

/**
 * Writes rows in list order, so that a page's records are adjacent in the file, and because the search index is much
 * faster with ascending keys. A batch with a duplicate ID is written in its own order: the last one must win.
 */
export function writeOrder({ order }: Resource, rows: readonly IncomingRow[]): number[] {
  const indexes = rows.map((_, index) => index);
  if (new Set(rows.map(({ row }) => row.id)).size < rows.length) return indexes;
  const columns = order.map(({ column }) => column);
  const compare = (a: Row, b: Row): number => {
    for (const column of columns) {
      const [x, y] = [a[column] ?? "", b[column] ?? ""];
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  };
  return indexes.sort((a, b) => compare((rows[a] as IncomingRow).row, (rows[b] as IncomingRow).row));
}
