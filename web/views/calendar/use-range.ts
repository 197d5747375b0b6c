// All records of a range of days, in the order in which they happen: the API returns most lists newest first.
import { useEffect, useMemo } from "preact/hooks";
import type { Listing, Parameter } from "../../api/document.ts";
import { filtersOf, requestOf } from "../../api/filters.ts";
import { type ApiRequest, withParams } from "../../api/request.ts";
import { type Pages, usePages } from "../../api/use-pages.ts";
import { type Item, textOf } from "../../parts/table/column.tsx";
import { type DayRange, dayFilters } from "./day-range.ts";
import { ordersOf, sorterOf } from "./sortings.ts";

/** Records per request, and requests at most. */
const pageSize = 1000;
const maxPages = 3;

export type RangeRecords = {
  readonly request: ApiRequest;
  readonly pages: Pages<Item>;
  /** In order; empty until all of them are loaded. */
  readonly records: readonly Item[];
  readonly isLoaded: boolean;
  /** Whether the range has more records than are read, so that its first days are missing. */
  readonly isCut: boolean;
};

/** Filters that apply in addition to the range. */
export function rangeFilters(listing: Listing): Parameter[] {
  const { field, from, to } = dayFilters(listing);
  return filtersOf(listing).filter(
    ({ short }) => ![field, from, to].includes(short) && short !== sorterOf(listing)?.short,
  );
}

export function useRange(listing: Listing, query: URLSearchParams, range: DayRange): RangeRecords {
  const { field, from, to } = dayFilters(listing);
  const nameOf = (short: string): string => listing.parameters.find((each) => each.short === short)?.name ?? short;
  const sorter = sorterOf(listing);
  // By the same day, so that a range with too many records lacks its first days.
  const order =
    sorter === undefined ? undefined : ordersOf(sorter, listing.display).find(({ column }) => column === field);
  const request = withParams(requestOf(listing, query, pageSize, rangeFilters(listing)), {
    [nameOf(from)]: range.from,
    [nameOf(to)]: range.to,
    ...(sorter === undefined || order === undefined || field === "date" ? {} : { [sorter.name]: order.value }),
  });
  const pages = usePages<Item>(request);
  const isCut = !pages.done && pages.pages >= maxPages;
  useEffect(() => {
    if (pages.pages > 0 && !pages.done && !isCut) pages.more();
  }, [pages.pages, pages.done]);
  const isLoaded = pages.done || isCut;
  const records = useMemo(
    () => (isLoaded ? pages.records.toSorted((a, b) => compare(keyOf(a, field), keyOf(b, field))) : []),
    [isLoaded, pages.records],
  );
  return { request, pages, records, isLoaded, isCut };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sessions among clock times; an unknown time is last. */
const sessions: Readonly<Record<string, string>> = { bmo: "00:00", dmh: "12:00", amc: "16:00" };

/** Time of day, for sorting. */
export function clockOf({ start_time, time }: Item): string {
  const text = textOf(start_time) || textOf(time);
  return sessions[text.toLowerCase()] ?? (/^\d\d:\d\d/.test(text) ? text.slice(0, 5) : "99:99");
}

export const importanceOf = ({ importance }: Item): number => Number(importance) || 0;

/** By day and time, most important first. */
const keyOf = (record: Item, field: string): string =>
  [textOf(record[field]), clockOf(record), 9 - importanceOf(record), textOf(record.ticker ?? record.country)].join(" ");
