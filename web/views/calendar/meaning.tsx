// What a calendar means beyond its description: which columns come first, how they read, and what filters are wanted most.
// A calendar without a meaning of its own is shown whole, in the order of its document.

import type { Listing } from "../../api/document.ts";
import { today } from "../../api/settings.ts";
import { clockText, shortDay } from "../../format/day.ts";
import { type Column, columnOf, type Item, textOf } from "../../parts/table/column.tsx";

export type Meaning = {
  /** Fields to show, in order, unless all are asked for. A name that is no field is of a column of the calendar's own. */
  readonly columns: readonly string[];
  /** How columns differ from what their kind says. */
  readonly own: Readonly<Record<string, Partial<Column>>>;
  /** Filters that are shown at all times, by short name. */
  readonly filters: readonly string[];
  /** Columns of orders whose name does not say it. */
  readonly sorts?: Readonly<Record<string, string>>;
  /** Where the values of a filter can be looked up. */
  readonly choices?: Readonly<Record<string, Choices>>;
  /** A record in a few words. */
  readonly nameOf: (record: Item) => string;
};

/** What both forms of a calendar are drawn from. */
export type CalendarProps = { readonly listing: Listing; readonly meaning: Meaning };

export type Choices = { readonly path: string; readonly label: (record: Item) => string };

/** Columns that calendars share. */
export const shared: Readonly<Record<string, Partial<Column>>> = {
  date: { show: ({ date }) => dayInSight(textOf(date)) },
  time: { label: "Time", show: ({ time }) => clockText(time) },
  name: { label: "Company", most: 26 },
  importance: {
    label: "Imp.",
    align: "start",
    show: ({ importance }) => <Importance level={Number(importance)} />,
  },
};

function Importance({ level }: { readonly level: number }) {
  if (!(level > 0)) return null;
  return (
    <span class="dots" role="img" aria-label={`Importance ${level}`}>
      {"●".repeat(level)}
    </span>
  );
}

/** The year is said where it is not the present one. */
export const dayInSight = (day: string): string =>
  day.slice(0, 4) === today().slice(0, 4) || day === "" ? shortDay(day) : `${shortDay(day)}, ${day.slice(0, 4)}`;

export function plainMeaning(listing: Listing): Meaning {
  return {
    columns: listing.fields.map(({ name }) => name),
    own: shared,
    filters: listing.parameters.map(({ short }) => short).slice(0, 6),
    nameOf: ({ ticker, id }) => textOf(ticker ?? id),
  };
}

/** The columns to draw: those that were asked for by name, all, or those that mean most. */
export function columnsOf(listing: Listing, { columns, own }: Meaning, query: URLSearchParams): Column[] {
  const chosen = (query.get("fields") ?? "").split(",").filter((name) => name !== "");
  const all = listing.fields.map(({ name }) => name);
  const names =
    chosen.length > 0
      ? chosen.includes("*")
        ? inOrder(columns, all)
        : chosen.map((name) => name.trim())
      : query.get("columns") === "all"
        ? inOrder(columns, all)
        : columns;
  return names.flatMap((name) => {
    const field = listing.fields.find((each) => each.name === name);
    const base = field === undefined ? { name, label: name, show: () => "" } : columnOf(field);
    return field === undefined && own[name] === undefined ? [] : [{ ...base, ...own[name] }];
  });
}

const inOrder = (first: readonly string[], all: readonly string[]): string[] => [...new Set([...first, ...all])];
