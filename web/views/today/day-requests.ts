// Requests of the day view: one for each list.
import type { ApiDocument, Listing } from "../../api/document.ts";
import { restricted } from "../../api/filters.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { addDays, mondayOf } from "../../format/day.ts";

/** More than any day has. */
const pageSize = "500";

export type DayDisplay = NonNullable<Listing["display"]["day"]>;

const parameterOf = ({ parameters }: Listing, name: string): string =>
  parameters.find(({ short }) => short === name)?.name ?? name;

export const dayRequest = (listing: Listing, { field }: DayDisplay, day: string, query: URLSearchParams): ApiRequest =>
  restricted(
    get(listing.path, [
      [parameterOf(listing, field), day],
      [listing.size, pageSize],
    ]),
    listing,
    query,
  );

/** The newest items on or before the day. */
export function newsRequest(
  document: ApiDocument | undefined,
  day: string,
  query: URLSearchParams,
): ApiRequest | undefined {
  const listing = document?.listings.find((each) => each.name === "news");
  if (listing === undefined) return undefined;
  const request = get(listing.path, [
    ["dateTo", day],
    [listing.size, "40"],
  ]);
  return restricted(request, listing, query);
}

/** Counts for the week of the day and for the next one, to which an empty day may link. */
export function countsRequest(document: ApiDocument | undefined, day: string): ApiRequest | undefined {
  const path = document?.paths.listDays;
  if (path === undefined) return undefined;
  const monday = mondayOf(day);
  return get(path, [
    ["parameters[date_from]", monday],
    ["parameters[date_to]", addDays(monday, 13)],
  ]);
}

/** Link to the agenda of a day. */
export const calendarHref = ({ view }: Listing, { field }: DayDisplay, day: string): string =>
  `${view}?view=agenda&${field}=${day}`;
