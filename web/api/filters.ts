// Filters of a list, and the request for the filters in the page's URL.
import type { Listing, Parameter } from "./document.ts";
import { type ApiRequest, get } from "./request.ts";

const paging = new Set(["page", "cursor", "pagesize", "pageSize"]);

/** Query parameters, except for paging and those that the view sets itself. */
export const filtersOf = (listing: Listing, excluded: readonly string[] = []): Parameter[] =>
  listing.parameters.filter(({ name }) => !paging.has(name) && !excluded.includes(name));

/** The request for a list with the filters in the URL, which are under their short names. */
export function requestOf(
  listing: Listing,
  query: URLSearchParams,
  size: number,
  filters = filtersOf(listing),
): ApiRequest {
  const values = filters.flatMap(({ name, short }): [string, string][] => {
    const value = query.get(short)?.trim() ?? "";
    return value === "" ? [] : [[name, value]];
  });
  return get(listing.path, [[listing.size, String(size)], ...values]);
}
