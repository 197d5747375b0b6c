// CSV: a header line of names, then one record per row. An empty cell leaves its attribute out.
import { withoutBom } from "./bytes.ts";
import { type Row, readRows } from "./csv-rows.ts";
import type { CellParser, ParsedRecord } from "./format.ts";

/** The records of a CSV file, in batches. */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>, cells: CellParser): AsyncGenerator<ParsedRecord[]> {
  let names: string[] | undefined;
  for await (const rows of readRows(withoutBom(bytes))) {
    if (names === undefined) {
      const header = rows.shift();
      if (header === undefined) continue;
      const problem = "problem" in header ? header.problem : headerProblem(header.cells);
      if ("problem" in header || problem !== undefined) {
        // Without a header nothing can be read.
        yield [{ line: header.line, problem: `header line: ${problem}; nothing was read` }];
        return;
      }
      names = header.cells;
    }
    const header = names;
    if (rows.length > 0) yield rows.map((row) => recordOf(row, header, cells));
  }
  if (names !== undefined) return;
  yield [{ line: 1, problem: "the file is empty: a header line with the names of the columns was expected" }];
}

function headerProblem(names: readonly string[]): string | undefined {
  const empty = names.findIndex((name) => name.trim() === "");
  if (empty !== -1) return `column ${empty + 1} has no name`;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `the column ${JSON.stringify(twice)} is named twice`;
  // Assigning it to an object would set the prototype instead.
  if (names.includes("__proto__")) return 'a column cannot be named "__proto__"';
  if (names.some((name) => /[\r\n]/.test(name))) return "a name holds a line break; lines end with LF or CRLF";
  return undefined;
}

function recordOf(row: Row, names: readonly string[], read: CellParser): ParsedRecord {
  if ("problem" in row) return row;
  const { line, cells } = row;
  if (cells.length !== names.length) {
    return {
      line,
      problem: `${cells.length} ${cells.length === 1 ? "cell" : "cells"} where the header names ${names.length}`,
    };
  }
  const record: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at++) {
    const text = cells[at]!;
    if (text === "") continue;
    const name = names[at]!;
    try {
      const value = read(name, text);
      record[name] = value === undefined ? text : value;
    } catch (error) {
      return { line, problem: `${name}: ${(error as Error).message}` };
    }
  }
  return { line, value: record };
}
