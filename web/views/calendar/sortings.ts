// Which columns can be sorted by: those for which the endpoint has an order, and no others.
import type { Listing, Parameter } from "../../api/document.ts";
import { changeQuery } from "../../app/location.ts";
import type { Sorting } from "../../parts/table/table.tsx";

type Order = { readonly value: string; readonly column: string; readonly direction: "ascending" | "descending" };

const sorterOf = (listing: Listing): Parameter | undefined =>
  listing.parameters.find(({ short, schema }) => /(^|_)sort$/.test(short) && schema.enum !== undefined);

/** `date:asc` says column and direction; a word alone is a column, newest first. */
function ordersOf(sorter: Parameter, { sorts = {} }: Listing["display"]): Order[] {
  return (sorter.schema.enum ?? []).map((value) => {
    const [name = "", direction] = value.split(":");
    return { value, column: sorts[name] ?? name, direction: direction === "asc" ? "ascending" : "descending" };
  });
}

export function sortingsOf(listing: Listing, query: URLSearchParams): Record<string, Sorting> {
  const sorter = sorterOf(listing);
  if (sorter === undefined) return {};
  const orders = ordersOf(sorter, listing.display);
  // Records by time of update come in that order, whatever else is asked.
  const isForced = (query.get("updated") ?? "") !== "";
  const asked = orders.find(({ value }) => value === query.get(sorter.short));
  const now = isForced ? undefined : (asked ?? { value: "", column: "date", direction: "descending" as const });
  const sorting = (column: string): Sorting => {
    const own = orders.filter((each) => each.column === column);
    const isNow = now?.column === column;
    const other = isNow ? own.find(({ direction }) => direction !== now.direction) : own[0];
    return {
      direction: isNow ? now.direction : "none",
      toggle: () => changeQuery({ [sorter.short]: (other ?? own[0])?.value, page: undefined }),
    };
  };
  return Object.fromEntries(orders.map(({ column }) => [column, sorting(column)]));
}
