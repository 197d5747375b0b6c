// Records as a table within a budget of tokens: column names once, then rows.
import type { Json, WireRecord } from "../core/record/row.ts";

type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly Json[])[] };

/** Words, groups of digits, punctuation, and characters of other scripts: what tokenizers take for one token. */
const pieces = /[a-z]{1,6}|\d{1,3}|[!-/:-@[-`{-~]{1,3}|[^\p{ASCII}]/giu;

/**
 * Tokens of a JSON value, estimated. A constant number of characters wouldn't do: text has four per token, tables of
 * identifiers and decimals little more than two.
 */
export const tokensOf = (value: Json): number => JSON.stringify(value).match(pieces)?.length ?? 0;

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
    return value
      .map((each) => (typeof each === "object" ? (each?.name ?? "") : each))
      .filter((text) => text !== "")
      .join("; ");
  return value ?? "";
}

/** As many rows as fit. The first one always does: its longest texts are cut if necessary. */
export function fitRows({ columns, rows }: Table, tokens: number): { readonly table: Table; readonly isCut: boolean } {
  let left = tokens - tokensOf(columns);
  const fitting = rows.findIndex((row) => {
    left -= tokensOf(row);
    return left < 0;
  });
  if (fitting === -1) return { table: { columns, rows }, isCut: false };
  if (fitting > 0) return { table: { columns, rows: rows.slice(0, fitting) }, isCut: false };
  const first = cutTexts(rows[0] ?? [], tokens - tokensOf(columns));
  return { table: { columns, rows: [first] }, isCut: true };
}

/** Cuts the longest text until the row fits or nothing long is left. */
function cutTexts(row: readonly Json[], tokens: number): Json[] {
  const cells = [...row];
  for (;;) {
    const excess = tokensOf(cells) - tokens;
    const lengths = cells.map((cell) => (typeof cell === "string" ? cell.length : 0));
    const at = lengths.indexOf(Math.max(...lengths));
    const text = cells[at];
    if (excess <= 0 || typeof text !== "string" || text.length < 100) return cells;
    cells[at] = `${text.slice(0, Math.max(text.length - excess - 1, 98)).toWellFormed()}…`;
  }
}
