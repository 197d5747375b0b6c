// The text of a record that is searched: the passages of each place, within a bound that every store can index.
import type { Resource } from "../catalog/resource.ts";
import type { Row } from "../record/row.ts";

/** Characters of a record that are searched, counted over its places in their order; what comes after is not found. */
const mostSearched = 200_000;

export function searchedPassages(resource: Pick<Resource, "places">, row: Row): string[][] {
  let left = mostSearched;
  return Object.values(resource.places).map((passages) =>
    passages(row).flatMap((passage) => {
      const part = passage.slice(0, left);
      left -= part.length;
      return part === "" ? [] : [part];
    }),
  );
}
