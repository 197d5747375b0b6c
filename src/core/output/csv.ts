// CSV of a list: a column per field, for spreadsheets and data frames.
import type { Field } from "../catalog/field.ts";
import type { View } from "../query/planner.ts";
import type { Json, WireRecord } from "../record/row.ts";
import { csvHeader, csvRow } from "../text/csv-row.ts";

type CsvColumn = { readonly name: string; readonly field: Field };

/** The fields that records of a view can have, in their order. */
export function csvColumns(fields: Readonly<Record<string, Field>>, { selectedFields }: View): CsvColumn[] {
  return Object.entries(fields)
    .filter(([name, { shown }]) => (selectedFields === undefined ? shown === "always" : selectedFields.includes(name)))
    .map(([name, field]) => ({ name, field }));
}

export const csvHeading = (columns: readonly CsvColumn[]): string => csvHeader(columns.map(({ name }) => name));

export const csvRows = (columns: readonly CsvColumn[], records: readonly WireRecord[]): string =>
  records.map((record) => csvRow(columns.map(({ name, field }) => cellOf(record[name], field)))).join("");

function cellOf(value: Json | undefined, { mainMember }: Field): string {
  if (typeof value === "string") return withoutFormula(value);
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map((item) => withoutFormula(textOf(item, mainMember))).join(";");
  if (typeof value !== "object") return String(value);
  return Object.keys(value).length === 0 ? "" : JSON.stringify(value);
}

function textOf(item: Json, mainMember: string | undefined): string {
  if (typeof item !== "object" || item === null) return String(item);
  const member = mainMember === undefined ? undefined : (item as WireRecord)[mainMember];
  return member === undefined ? JSON.stringify(item) : String(member);
}

/** What spreadsheets interpret as the start of a formula, also in full width, as some input methods type it. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Also abbreviated, such as -3.2% and +1.5M. */
const number = /^[+-]?(\d+(\.\d+)?|\.\d+)[%kmbt]?$/i;

/** Text that a spreadsheet would run as a formula is preceded by an apostrophe; numbers stay numbers. */
const withoutFormula = (text: string): string => (formulaStart.test(text) && !number.test(text) ? `'${text}` : text);
