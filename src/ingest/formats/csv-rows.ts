// Parses CSV into rows of cells (RFC 4180, with csv-parse), each with its line number. After a row with a broken quote,
// parsing restarts on its second line: one missing quote must not swallow the rest of the file.
import { isUtf8 } from "node:buffer";
import { CsvError, type Parser, parse } from "csv-parse";
import { PendingBytes } from "./bytes.ts";
import { maxRecordBytes, notUtf8 } from "./format.ts";

export type Row = { line: number; cells: string[] } | { line: number; problem: string };

const newline = 0x0a;
const carriageReturn = 0x0d;
const chunkBytes = 256 * 1024;

const brokenQuotes: Record<string, string> = {
  CSV_INVALID_CLOSING_QUOTE:
    'a quoted cell continues after its closing quote; a quote inside a quoted cell is doubled ("")',
  INVALID_OPENING_QUOTE: "an unquoted cell contains a quote; enclose the whole cell in quotes",
  CSV_QUOTE_NOT_CLOSED: "a quote is never closed",
};

const tooLarge = `larger than ${maxRecordBytes / 1024 / 1024} MiB, or a quote is not closed; skipped`;

/** The rows of CSV text, including the header. */
export async function* readRows(bytes: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<Row[]> {
  const reader = new RowReader(delimiter);
  for await (const chunk of bytes) yield* reader.read(chunk);
  yield* reader.end();
}

class RowReader {
  #parser: Parser | undefined;
  /** Rows the parser has finished, each with its end offset in the parser's input. */
  #finished: { cells: string[]; end: number }[] = [];
  #fed = 0;
  /** The bytes after the last finished row, for counting lines and for restarting after a broken quote. */
  #buffer = new PendingBytes();
  #bufferStart = 0;
  #line = 1;
  /** Whether the bytes up to the next line break belong to an abandoned row. */
  #skipping = false;
  readonly #delimiter: string;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  async *read(chunk: Buffer): AsyncGenerator<Row[]> {
    let start = 0;
    if (this.#skipping) {
      start = chunk.indexOf(newline) + 1;
      if (start === 0) return;
      this.#skipping = false;
      this.#line++;
    }
    this.#buffer.append(chunk.subarray(start));
    yield* this.#parse(false);
  }

  async *end(): AsyncGenerator<Row[]> {
    if (!this.#skipping) yield* this.#parse(true);
  }

  async *#parse(last: boolean): AsyncGenerator<Row[]> {
    while (!this.#skipping) {
      const failure = yield* this.#feed(last);
      if (failure === undefined && this.#buffer.length <= maxRecordBytes) return;
      yield [this.#abandonRow(failure ?? tooLarge)];
    }
  }

  /** Feeds the parser what it has not seen yet, in chunks, so that batches of rows have a bounded size. */
  async *#feed(last: boolean): AsyncGenerator<Row[], string | undefined> {
    const parser = this.#parser ?? this.#open();
    let failure: string | undefined;
    while (failure === undefined && this.#fed < this.#bufferStart + this.#buffer.length) {
      const seen = this.#fed - this.#bufferStart;
      // A copy, because the parser retains parts of its input and the buffer moves.
      const chunk = Buffer.from(this.#buffer.bytes.subarray(seen, seen + chunkBytes));
      this.#fed += chunk.length;
      failure = quoteError(await new Promise((resolve) => parser.write(chunk, resolve)));
      yield this.#takeFinished();
    }
    if (failure !== undefined || !last) return failure;
    failure = quoteError(await new Promise((resolve) => parser.once("error", resolve).once("finish", resolve).end()));
    yield this.#takeFinished();
    return failure;
  }

  #open(): Parser {
    this.#bufferStart = 0;
    this.#fed = 0;
    this.#parser = parse({
      delimiter: this.#delimiter,
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      skip_empty_lines: true,
      // Collected here, rows bypass the parser's output queue, which an error would empty.
      on_record: (cells: string[], { bytes }) => {
        this.#finished.push({ cells, end: bytes });
        return null;
      },
    });
    // Errors are handled where they occur; without a listener the event would end the process.
    this.#parser.on("error", () => {});
    return this.#parser;
  }

  /** Returns the finished rows with their lines, and drops their bytes. */
  #takeFinished(): Row[] {
    const finished = this.#finished;
    this.#finished = [];
    const { bytes } = this.#buffer;
    const allUtf8 = isUtf8(bytes.subarray(0, (finished.at(-1)?.end ?? 0) - this.#bufferStart));
    let start = 0;
    const rows = finished.map((row): Row => {
      const end = row.end - this.#bufferStart;
      const begin = start + emptyLinesAt(bytes, start);
      const line = this.#line + lineBreaksIn(bytes, start, begin);
      const valid = allUtf8 || isUtf8(bytes.subarray(begin, end));
      this.#line = line + lineBreaksIn(bytes, begin, end);
      start = end;
      return valid ? { line, cells: row.cells } : { line, problem: notUtf8 };
    });
    this.#buffer.drop(start);
    this.#bufferStart += start;
    return rows;
  }

  /** Abandons the first line of the current row; a new parser continues after it. */
  #abandonRow(problem: string): Row {
    const { bytes } = this.#buffer;
    const begin = emptyLinesAt(bytes, 0);
    const line = this.#line + lineBreaksIn(bytes, 0, begin);
    const end = bytes.indexOf(newline, begin);
    this.#skipping = end === -1;
    this.#line = this.#skipping ? line : line + 1;
    this.#buffer.drop(this.#skipping ? bytes.length : end + 1);
    this.#parser?.destroy();
    this.#parser = undefined;
    return { line, problem };
  }
}

function quoteError(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  const text = error instanceof CsvError ? brokenQuotes[error.code] : undefined;
  if (text === undefined) throw error;
  return text;
}

/** The length of the empty lines at an offset: a row's line number doesn't count them. */
function emptyLinesAt(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    if (bytes[at] === newline) at++;
    else if (bytes[at] === carriageReturn && bytes[at + 1] === newline) at += 2;
    else return at - start;
  }
}

function lineBreaksIn(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === newline) count++;
  return count;
}
