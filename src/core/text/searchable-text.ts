// Searchable text of a record: the passages of each search field, within a limit that every store can index.
import type { Resource } from "../catalog/resource.ts";
import type { Row } from "../record/row.ts";

/** Characters per record, over its search fields in order; the rest is not searched. */
const maxSearched = 200_000;

export function searchablePassages(resource: Pick<Resource, "searchFields">, row: Row): string[][] {
  let left = maxSearched;
  return Object.values(resource.searchFields).map((passages) =>
    passages(row).flatMap((passage) => {
      const part = passage.slice(0, left);
      left -= part.length;
      return part === "" ? [] : [part];
    }),
  );
}
