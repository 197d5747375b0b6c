// Sortable columns: those that the endpoint can sort by.
import type { Listing, Parameter } from "../../api/document.ts";
import { changeQuery } from "../../app/location.ts";
import { labelOf } from "../../format/words.ts";
import type { Sorting } from "../../parts/table/table.tsx";

type Order = { readonly value: string; readonly column: string; readonly direction: "ascending" | "descending" };

export const sorterOf = (listing: Listing): Parameter | undefined =>
  listing.parameters.find(({ short, schema }) => /(^|_)sort$/.test(short) && schema.enum !== undefined);

/** `date:asc` is column and direction; a column alone is newest first. */
export function ordersOf(sorter: Parameter, { sorts = {} }: Listing["display"]): Order[] {
  return (sorter.schema.enum ?? []).map((value) => {
    const [name = "", direction] = value.split(":");
    return { value, column: sorts[name] ?? name, direction: direction === "asc" ? "ascending" : "descending" };
  });
}

export function sortingsOf(listing: Listing, query: URLSearchParams): Record<string, Sorting> {
  const sorter = sorterOf(listing);
  if (sorter === undefined) return {};
  const orders = ordersOf(sorter, listing.display);
  // Filtering by update time forces that order.
  const isForced = (query.get("updated") ?? "") !== "";
  const requested = orders.find(({ value }) => value === query.get(sorter.short));
  const now = isForced ? undefined : (requested ?? { value: "", column: "date", direction: "descending" as const });
  const sorting = (column: string): Sorting => {
    const columnOrders = orders.filter((each) => each.column === column);
    const isNow = now?.column === column;
    const other = isNow ? columnOrders.find(({ direction }) => direction !== now.direction) : columnOrders[0];
    return {
      direction: isNow ? now.direction : "none",
      toggle: () => changeQuery({ [sorter.short]: (other ?? columnOrders[0])?.value, page: undefined }),
    };
  };
  return Object.fromEntries(orders.map(({ column }) => [column, sorting(column)]));
}

/** `newest first`, `by payable date, newest first`. */
export function orderText(listing: Listing, query: URLSearchParams): string {
  if ((query.get("updated") ?? "") !== "") return "oldest update first";
  const sorter = sorterOf(listing);
  const order = sorter && ordersOf(sorter, listing.display).find(({ value }) => value === query.get(sorter.short));
  const direction = order?.direction === "ascending" ? "oldest first" : "newest first";
  if (order === undefined || order.column === "date") return direction;
  return `by ${(listing.display.labels?.[order.column] ?? labelOf(order.column)).toLowerCase()}, ${direction}`;
}
