// Columns of a calendar: those selected in the URL, all, or the defaults of the OpenAPI document.
import type { Listing } from "../../api/document.ts";
import { columnsNamed } from "../../parts/columns/columns.ts";
import type { Column } from "../../parts/table/column.tsx";

export function columnsOf(listing: Listing, query: URLSearchParams): Column[] {
  const { fields, display } = listing;
  const selected = (query.get("fields") ?? "").split(",").filter((name) => name !== "");
  const all = [...new Set([...display.columns, ...fields.map(({ name }) => name)])];
  const showsAll = selected.length > 0 ? selected.includes("*") : query.get("columns") === "all";
  const names = showsAll ? all : selected.length > 0 ? selected.map((name) => name.trim()) : display.columns;
  return columnsNamed(listing, names);
}
