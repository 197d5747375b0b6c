// Fields of a record in reading order: what it is about, its main values, then details, and identifiers last.
import type { Field, Listing } from "../../api/document.ts";
import { labelOf, phraseOf } from "../../format/words.ts";
import { formats } from "../columns/formats.tsx";
import { type Column, columnOf, type Item, textOf } from "../table/column.tsx";

const first = ["ticker", "name", "country", "event_name", "date", "date_confirmed", "start_time", "time"];
const last = [
  ...["importance", "confirmed", "notes", "exchange", "currency", "isin", "cusip"],
  ...["url", "url_news", "url_calendar", "analyst_id", "firm_id", "id", "updated"],
];

/** Position in the panel; fields without one are in between, those of the table first. */
function rankOf(name: string, columns: readonly string[]): number {
  if (first.includes(name)) return first.indexOf(name) - 100;
  if (last.includes(name)) return last.indexOf(name) + 1000;
  const partOf = (column: string): number => formats[column]?.of?.indexOf(name) ?? -1;
  const at = columns.findIndex((column) => name === column || partOf(column) >= 0);
  return at === -1 ? 500 : at + Math.max(0, partOf(columns[at] ?? "")) / 10;
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);

/** A figure's abbreviated form has the suffix `_t`, and takes the place of the plain one. */
const isAbbreviation = ({ name }: Field, fields: readonly Field[]): boolean =>
  name.endsWith("_t") && fields.some((field) => `${field.name}_t` === name);

/** The label of the table, unless another column has the same one, next to which it is clear there. */
function labelIn({ display: { labels = {} } }: Listing, name: string): string {
  const label = labels[name];
  const isUnique = label !== undefined && Object.values(labels).filter((each) => each === label).length === 1;
  return phraseOf(name) ?? (isUnique ? label : labelOf(name));
}

/** Text that is a truth value in some lists. */
const truth: Readonly<Record<string, string>> = { true: "yes", false: "no" };

/** Columns of the fields that the record has. */
export function recordColumns(listing: Listing, record: Item): Column[] {
  const { fields, display } = listing;
  return fields
    .filter((field) => isSet(record[field.name]) && !isAbbreviation(field, fields))
    .filter(({ name }) => name !== "period_year" || !isSet(record.period))
    .toSorted((a, b) => rankOf(a.name, display.columns) - rankOf(b.name, display.columns))
    .map((field): Column => {
      // Days with their year, and importance as a number.
      const isPlain = field.kind === "day" || field.name === "importance";
      const { show } = isPlain ? {} : (formats[field.name] ?? {});
      const word = truth[textOf(record[field.name])];
      return {
        ...columnOf(field),
        label: labelIn(listing, field.name),
        ...(show === undefined ? {} : { show }),
        ...(word === undefined ? {} : { show: () => word }),
      };
    });
}
