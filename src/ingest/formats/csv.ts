// CSV: a header line of names, then one record per row. An empty cell leaves its attribute out.
import { withBufferedHead, withoutBom } from "./bytes.ts";
import { type Row, readRows } from "./csv-rows.ts";
import type { InputInfo, ParsedRecord } from "./format.ts";

export type CsvOptions = {
  /** Detected in the header if undefined. */
  readonly delimiter?: string | undefined;
  readonly info?: InputInfo;
};

/** The records of a CSV file, in batches. All values are text. */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { delimiter, info = {} }: CsvOptions = {},
): AsyncGenerator<ParsedRecord[]> {
  info.values = "text";
  let names: string[] | undefined;
  for await (const rows of rowsOf(bytes, delimiter)) {
    if (names === undefined) {
      const header = rows.shift();
      if (header === undefined) continue;
      const columns = "problem" in header ? [] : header.cells.map(columnName);
      const problem = "problem" in header ? header.problem : headerProblem(columns);
      if (problem !== undefined) {
        // Without a header nothing can be read.
        yield [{ line: header.line, problem: `header line: ${problem}; nothing was read` }];
        return;
      }
      names = columns;
      info.columns = columns;
    }
    const header = names;
    if (rows.length > 0) yield rows.map((row) => recordOf(row, header));
  }
  if (names !== undefined) return;
  yield [{ line: 1, problem: "the file is empty: a header line with column names was expected" }];
}

/** More than any header has. */
const headBytes = 64 * 1024;

async function* rowsOf(bytes: AsyncIterable<Uint8Array>, delimiter: string | undefined): AsyncGenerator<Row[]> {
  const chunks = withBufferedHead(withoutBom(bytes), headBytes);
  try {
    const head = await chunks.next();
    if (head.done) return;
    yield* readRows(prepend(head.value, chunks), delimiter ?? delimiterOf(head.value.toString("utf8", 0, headBytes)));
  } finally {
    await chunks.return(undefined);
  }
}

async function* prepend(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/** The most frequent of the usual delimiters in the header, outside of quotes; by default the comma. */
export function delimiterOf(text: string): string {
  const [header = ""] = text
    .replace(/^[\r\n]+/, "")
    .replaceAll(/"[^"]*"/g, "")
    .split(/\r?\n/, 1);
  const counts = [",", ";", "\t", "|"].map((each) => ({ each, count: header.split(each).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).each;
}

/** A column without a name, such as the index of a data frame, gets the one that pandas gives it. */
const columnName = (name: string, at: number): string => (name.trim() === "" ? `Unnamed: ${at}` : name);

function headerProblem(names: readonly string[]): string | undefined {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `the column ${JSON.stringify(twice)} appears twice`;
  // Assigning it to an object would set the prototype instead.
  if (names.includes("__proto__")) return 'a column cannot be named "__proto__"';
  if (names.some((name) => /[\r\n]/.test(name)))
    return "a column name contains a line break; lines end with LF or CRLF";
  return undefined;
}

function recordOf(row: Row, names: readonly string[]): ParsedRecord {
  if ("problem" in row) return row;
  const { line, cells } = row;
  if (cells.length !== names.length) {
    return {
      line,
      problem: `${cells.length} ${cells.length === 1 ? "cell" : "cells"} where the header has ${names.length}`,
    };
  }
  const value: Record<string, string> = {};
  for (let at = 0; at < names.length; at++) if (cells[at] !== "") value[names[at]!] = cells[at]!;
  return { line, value };
}
