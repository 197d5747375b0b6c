// Filters of a list, and the request for the filters in the page's URL.
import { restrictedTo } from "../format/tickers.ts";
import type { Listing, Parameter } from "./document.ts";
import { type ApiRequest, get, withParams } from "./request.ts";

/** Paging, and the format of the response. */
const notFilters = new Set(["page", "cursor", "pagesize", "pageSize", "output", "limit", "alarm"]);

/** Query parameters that filter, except for those that the view sets itself. */
export const filtersOf = (listing: Listing, excluded: readonly string[] = []): Parameter[] =>
  listing.parameters.filter(({ name }) => !notFilters.has(name) && !excluded.includes(name));

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
  return restricted(get(listing.path, [[listing.size, String(size)], ...values]), listing, query);
}

/** Restricted to the watchlist in the URL, unless the request has tickers or its records have none. */
export function restricted(request: ApiRequest, { parameters }: Listing, query: URLSearchParams): ApiRequest {
  const name = parameters.find(({ short }) => short === "tickers")?.name;
  const tickers = restrictedTo(query);
  if (name === undefined || tickers.length === 0 || request.params.some(([each]) => each === name)) return request;
  return withParams(request, { [name]: tickers.join(",") });
}
