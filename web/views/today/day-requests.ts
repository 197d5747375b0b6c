// What is asked for to show a day: one request for each list, all of them by that day.
import type { ApiDocument, Listing } from "../../api/document.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { addDays, mondayOf } from "../../format/day.ts";

/** More than any day has; a list that goes on says so by its count. */
const most = "500";

/** Dividends are shown on the day on which shares lose the right to them; all else on its own day. */
const dayParameter = (name: string): string =>
  name === "dividends" ? "parameters[ex_dividend_date]" : "parameters[date]";

export const listingOf = (document: ApiDocument | undefined, name: string): Listing | undefined =>
  document?.listings.find((each) => each.name === name);

export function dayRequest(document: ApiDocument | undefined, name: string, day: string): ApiRequest | undefined {
  const listing = listingOf(document, name);
  if (listing === undefined) return undefined;
  return get(listing.path, [
    [dayParameter(name), day],
    [listing.size, most],
  ]);
}

/** The newest items up to the end of the day. */
export function newsRequest(document: ApiDocument | undefined, day: string): ApiRequest | undefined {
  const listing = listingOf(document, "news");
  if (listing === undefined) return undefined;
  return get(listing.path, [
    ["dateTo", day],
    [listing.size, "40"],
  ]);
}

/** Counts of the week that holds the day, and of the week after it, where a quiet day points to. */
export function countsRequest(day: string): ApiRequest {
  const monday = mondayOf(day);
  return get("/api/v2.1/days", [
    ["parameters[date_from]", monday],
    ["parameters[date_to]", addDays(monday, 13)],
  ]);
}

/** The address of a calendar with the records of a day. */
export const calendarHref = (name: string, day: string): string =>
  `/calendar/${name}?${name === "dividends" ? "ex_dividend_date" : "date"}=${day}`;
