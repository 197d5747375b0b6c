// What is asked for to show a day: one request for each list, all of them by that day.
import type { ApiDocument, Listing } from "../../api/document.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { addDays, mondayOf } from "../../format/day.ts";

/** More than any day has; a list that goes on says so by its count. */
const most = "500";

export type ShownDay = NonNullable<Listing["display"]["day"]>;

const parameterOf = ({ parameters }: Listing, name: string): string =>
  parameters.find(({ short }) => short === name)?.name ?? name;

export const dayRequest = (listing: Listing, { field }: ShownDay, day: string): ApiRequest =>
  get(listing.path, [
    [parameterOf(listing, field), day],
    [listing.size, most],
  ]);

/** The newest items up to the end of the day. */
export function newsRequest(document: ApiDocument | undefined, day: string): ApiRequest | undefined {
  const listing = document?.listings.find((each) => each.name === "news");
  if (listing === undefined) return undefined;
  return get(listing.path, [
    ["dateTo", day],
    [listing.size, "40"],
  ]);
}

/** Counts of the week that holds the day, and of the week after it, where a quiet day points to. */
export function countsRequest(document: ApiDocument | undefined, day: string): ApiRequest | undefined {
  const path = document?.paths.listDays;
  if (path === undefined) return undefined;
  const monday = mondayOf(day);
  return get(path, [
    ["parameters[date_from]", monday],
    ["parameters[date_to]", addDays(monday, 13)],
  ]);
}

/** The address of a calendar with the records of a day. */
export const calendarHref = ({ view }: Listing, { field }: ShownDay, day: string): string => `${view}?${field}=${day}`;
