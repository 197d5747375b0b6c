// The range of days that the agenda, the week, and the month show: in the URL, under the names of the API's filters.
import type { Listing } from "../../api/document.ts";
import { today } from "../../api/settings.ts";
import { addDays, addMonths, isDay, mondayOf, monthOf, workingWeek } from "../../format/day.ts";

export type DayRange = { readonly from: string; readonly to: string };

/** Longer ranges are for the table. */
export const maxDays = 31;

/** Field with the day of a record, and the filters for it: dividends are shown by ex-dividend date. */
export function dayFilters({ display }: Listing) {
  const field = display.day?.field ?? "date";
  return { field, from: `${field}_from`, to: `${field}_to` };
}

/** The range in the URL, if there is one. */
function requested(listing: Listing, query: URLSearchParams): DayRange | undefined {
  const { field, from: fromName, to: toName } = dayFilters(listing);
  const day = (name: string): string | undefined => {
    const value = query.get(name) ?? "";
    return isDay(value) ? value : undefined;
  };
  const from = day(field) ?? day(fromName);
  const to = day(field) ?? day(toName);
  if (from === undefined) return to === undefined ? undefined : { from: addDays(to, -6), to };
  return { from, to: to === undefined || to < from ? addDays(from, 6) : to };
}

const currentWeek = (): DayRange => {
  const [from, to] = workingWeek(today());
  return { from, to };
};

const weekOf = (day: string): DayRange => ({ from: mondayOf(day), to: addDays(mondayOf(day), 6) });
export const monthRange = (month: string): DayRange => ({
  from: `${month}-01`,
  to: addDays(`${addMonths(month, 1)}-01`, -1),
});

export type RangeView = "agenda" | "week" | "month";

export function rangeOf(view: RangeView, listing: Listing, query: URLSearchParams): DayRange {
  const range = requested(listing, query);
  if (view === "month") return monthRange(monthOf(range?.from ?? today()));
  if (range === undefined) return currentWeek();
  // Within a month, the current week.
  const isNow = range.from <= today() && today() <= range.to;
  if (view === "week") return weekOf(isNow ? today() : range.from);
  const last = addDays(range.from, maxDays - 1);
  return range.to > last ? { from: range.from, to: last } : range;
}

/** The next or previous range of the same length; for a month, the month. */
export function moved(view: RangeView, { from, to }: DayRange, by: 1 | -1): DayRange {
  if (view === "month") return monthRange(addMonths(monthOf(from), by));
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return { from: addDays(from, by * days), to: addDays(to, by * days) };
}

export const daysIn = ({ from, to }: DayRange): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1 }, (_, at) => addDays(from, at));

/** URL parameters for a range. */
export function rangeParams(listing: Listing, range: DayRange): Record<string, string | undefined> {
  const { field, from, to } = dayFilters(listing);
  return { [field]: undefined, [from]: range.from, [to]: range.to, page: undefined, record: undefined };
}
