// The agenda: bands for days and for the present moment, the next important record, and sorting in the browser.
import type { Listing } from "../../api/document.ts";
import { exchangeZone } from "../../api/time-zone.ts";
import { changeQuery } from "../../app/location.ts";
import { numberOf } from "../../format/number.ts";
import { momentAt, type WallTime } from "../../format/time-zone.ts";
import { type Column, type Item, textOf } from "../../parts/table/column.tsx";
import type { Sorting } from "../../parts/table/table.tsx";
import { clockOf, importanceOf } from "./use-range.ts";

/** Whether it is still to come; on the current day, a record without a time is. */
export const isAhead = (record: Item, field: string, { day, clock }: WallTime): boolean => {
  const own = textOf(record[field]);
  return own > day || (own === day && clockOf(record) > clock);
};

/** The upper fifth of the scale. */
export function importantFrom({ parameters }: Listing): number {
  const max = parameters.find(({ short }) => short === "importance")?.schema.maximum;
  return max === undefined ? 0 : Math.ceil(max * 0.8);
}

export const nextImportant = (listing: Listing, records: readonly Item[], field: string, now: WallTime) =>
  records.find((record) => importanceOf(record) >= importantFrom(listing) && isAhead(record, field, now));

/** Milliseconds until a record; undefined if its time isn't known. */
export function untilRecord({ time, start_time, ...record }: Item, field: string): number | undefined {
  const clock = (textOf(start_time) || textOf(time)).slice(0, 5);
  const moment = momentAt({ day: textOf(record[field]), clock }, exchangeZone());
  return Number.isNaN(moment) ? undefined : moment - Date.now();
}

/** `2 d 3 h`, `2 h 14 min`, or `14 min`. */
export function durationText(milliseconds: number): string {
  const minutes = Math.max(0, Math.ceil(milliseconds / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/** `COLUMN:desc` in the URL; undefined for the order of the agenda. */
export const sortingIn = (query: URLSearchParams) => {
  const [name = "", direction] = (query.get("by") ?? "").split(":");
  return name === "" ? undefined : { name, isDescending: direction === "desc" };
};

const sortValue = ({ name, sortedBy }: Column, record: Item): unknown =>
  sortedBy === undefined ? record[name] : sortedBy(record);

/** Numbers by value, everything else as text; unknown values last, in either direction. */
export function sorted(records: readonly Item[], column: Column | undefined, isDescending: boolean): readonly Item[] {
  if (column === undefined) return records;
  const values = new Map(records.map((record) => [record, sortValue(column, record)]));
  const isUnknown = (value: unknown): boolean => value === undefined || value === null || value === "";
  return records.toSorted((left, right) => {
    const [a, b] = [values.get(left), values.get(right)];
    if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b));
    const [x, y] = [numberOf(a), numberOf(b)];
    const order = x !== undefined && y !== undefined ? x - y : textOf(a).localeCompare(textOf(b), "en");
    return isDescending ? -order : order;
  });
}

/** For every column: ascending, descending, and back to the order of the agenda; numbers start with the largest. */
export function sortingsBy(columns: readonly Column[], query: URLSearchParams): Record<string, Sorting> {
  const now = sortingIn(query);
  return Object.fromEntries(
    columns.map(({ name, align }): [string, Sorting] => {
      const order = align === "end" ? ["desc", "asc"] : ["asc", "desc"];
      const current = now?.name === name ? (now.isDescending ? "desc" : "asc") : undefined;
      const next = current === undefined ? order[0] : order[order.indexOf(current) + 1];
      return [
        name,
        {
          direction: current === undefined ? "none" : current === "desc" ? "descending" : "ascending",
          toggle: () => changeQuery({ by: next === undefined ? undefined : `${name}:${next}` }, { replace: true }),
        },
      ];
    }),
  );
}
