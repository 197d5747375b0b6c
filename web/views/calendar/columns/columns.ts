// Columns of a calendar: those selected in the URL, all, or the defaults of the OpenAPI document.
import type { Listing } from "../../../api/document.ts";
import { columnsNamed } from "../../../parts/columns/columns.ts";
import type { Column } from "../../../parts/table/column.tsx";

/** Default columns first. */
export const allColumns = ({ fields, display }: Listing): string[] => [
  ...new Set([...display.columns, ...fields.map(({ name }) => name)]),
];

export function columnsOf(listing: Listing, query: URLSearchParams): Column[] {
  // Records have only the fields that were requested.
  const requested = namesIn(query.get("fields"));
  const selected = namesIn(query.get("columns"));
  const names = requested.length > 0 ? requested : selected.length > 0 ? selected : listing.display.columns;
  const showsAll = requested.length > 0 ? requested.includes("*") : selected.join() === "all";
  return columnsNamed(listing, showsAll ? allColumns(listing) : names);
}

/** Chosen columns are all shown. */
export const optionalOf = ({ display }: Listing, query: URLSearchParams): readonly string[] =>
  query.has("fields") || query.has("columns") ? [] : (display.optional ?? []);

const namesIn = (text: string | null): string[] =>
  (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
