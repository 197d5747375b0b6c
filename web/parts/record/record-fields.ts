// Fields of a record in reading order: what it is about, its main values, then details, and identifiers last.
import type { Field, Listing } from "../../api/document.ts";
import { figure } from "../../format/number.ts";
import { labelOf } from "../../format/words.ts";
import { type Column, columnOf, type Item } from "../table/column.tsx";

const first = ["ticker", "name", "country", "event_name", "date", "date_confirmed", "time"];
const last = ["importance", "notes", "exchange", "currency", "isin", "cusip", "url", "id", "updated"];

/** Position in the panel; fields without one are in between, those of the table first. */
function rankOf(name: string, columns: readonly string[]): number {
  if (first.includes(name)) return first.indexOf(name) - 100;
  if (last.includes(name)) return last.indexOf(name) + 1000;
  // The fields of a computed column, such as `rating`, are named after it.
  const at = columns.findIndex((column) => name === column || name.startsWith(`${column}_`));
  return at === -1 ? 500 : at;
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);

/** A figure's abbreviated form, in a field with the suffix `_t`, takes the place of the plain one. */
const shortName = ({ name }: Field): string => `${name}_t`;

/** Columns of the fields that the record has. */
export function recordColumns({ fields, display }: Listing, record: Item): Column[] {
  const known = fields.filter(({ name }) => isSet(record[name]));
  const names = new Set(known.map(({ name }) => name));
  return known
    .filter(
      ({ name }) =>
        !(name.endsWith("_t") && fields.some((field) => shortName(field) === name && names.has(field.name))),
    )
    .toSorted((a, b) => rankOf(a.name, display.columns) - rankOf(b.name, display.columns))
    .map((field) => {
      const column = columnOf(field);
      const short = record[shortName(field)];
      return {
        ...column,
        label: display.labels?.[field.name] ?? labelOf(field.name),
        ...(isSet(short) ? { show: () => figure(short, record[field.name]) } : {}),
      };
    });
}
