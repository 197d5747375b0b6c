// Records as a table within a budget of tokens: column names once, then rows.
import type { Json, WireRecord } from "../core/record/row.ts";

export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly Json[])[] };

/** An estimate that holds for English text and JSON. */
export const charactersPerToken = 4;

/** Columns that are empty in every record are left out. */
export function tableOf(records: readonly WireRecord[]): Table {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cells = records.map((record) => columns.map((name) => cellOf(record[name])));
  const used = columns.map((_, at) => cells.some((row) => row[at] !== ""));
  const usedOnly = <T>(values: readonly T[]): T[] => values.filter((_, at) => used[at]);
  return { columns: usedOnly(columns), rows: cells.map(usedOnly) };
}

/** Lists of named things become their names; lists of anything else, such as images, are left out. */
function cellOf(value: Json | undefined): Json {
  if (Array.isArray(value))
    return value.map((each) => (typeof each === "object" ? (each?.name ?? "") : each)).join("; ");
  return value ?? "";
}

/** As many rows as fit. The first one always does: its longest texts are cut if necessary. */
export function fitRows(
  { columns, rows }: Table,
  characters: number,
): { readonly table: Table; readonly isCut: boolean } {
  let left = characters - JSON.stringify(columns).length;
  const fitting = rows.findIndex((row) => {
    left -= JSON.stringify(row).length + 1;
    return left < 0;
  });
  if (fitting === -1) return { table: { columns, rows }, isCut: false };
  if (fitting > 0) return { table: { columns, rows: rows.slice(0, fitting) }, isCut: false };
  const first = cutTexts(rows[0] ?? [], characters - JSON.stringify(columns).length);
  return { table: { columns, rows: [first] }, isCut: true };
}

/** Cuts the longest text until the row fits or nothing long is left. */
function cutTexts(row: readonly Json[], characters: number): Json[] {
  const cells = [...row];
  for (;;) {
    const excess = JSON.stringify(cells).length - characters;
    const lengths = cells.map((cell) => (typeof cell === "string" ? cell.length : 0));
    const at = lengths.indexOf(Math.max(...lengths));
    const text = cells[at];
    if (excess <= 0 || typeof text !== "string" || text.length < 100) return cells;
    cells[at] = `${text.slice(0, Math.max(text.length - excess - 1, 98)).toWellFormed()}…`;
  }
}
