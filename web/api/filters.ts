// From the address of the page to a request and back: filters stand in the address under their short names.
import type { Listing, Parameter } from "./document.ts";
import { type ApiRequest, get } from "./request.ts";

/** Where a list stands is the list's own business, not a filter. */
const paging = new Set(["page", "cursor", "pagesize", "pageSize"]);

/** What can be asked for, but for paging and what the view decides itself. */
export const filtersOf = (listing: Listing, decided: readonly string[] = []): Parameter[] =>
  listing.parameters.filter(({ name }) => !paging.has(name) && !decided.includes(name));

/** The request for a list, by the filters that the address holds. */
export function requestOf(
  listing: Listing,
  query: URLSearchParams,
  size: number,
  filters = filtersOf(listing),
): ApiRequest {
  const given = filters.flatMap(({ name, short }): [string, string][] => {
    const value = query.get(short)?.trim() ?? "";
    return value === "" ? [] : [[name, value]];
  });
  return get(listing.path, [[listing.size, String(size)], ...given]);
}
