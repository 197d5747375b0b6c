// CSV text to rows of cells (RFC 4180, by csv-parse), each with the line on which it begins. A row with a broken quote is
// reported and reading starts afresh on the line after its first: one missing quote must not take the rest of the file with it.
import { isUtf8 } from "node:buffer";
import { CsvError, type Parser, parse } from "csv-parse";
import { Pending } from "./bytes.ts";
import { largestRecordBytes, notUtf8 } from "./format.ts";

export type Row = { line: number; cells: string[] } | { line: number; problem: string };

const newline = 0x0a;
const carriageReturn = 0x0d;
const pieceBytes = 256 * 1024;

const brokenQuotes: Record<string, string> = {
  CSV_INVALID_CLOSING_QUOTE:
    'a quoted cell goes on after its closing quote; a quote inside a quoted cell is written twice ("")',
  INVALID_OPENING_QUOTE: "a quote stands inside a cell that does not begin with one; put the whole cell in quotes",
  CSV_QUOTE_NOT_CLOSED: "a quote is opened and never closed",
};

const tooLarge = `larger than ${largestRecordBytes / 1024 / 1024} MiB, or a quote is not closed; skipped`;

/** The rows of CSV text, the header among them. */
export async function* readRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<Row[]> {
  const reader = new RowReader();
  for await (const piece of bytes) yield* reader.read(piece);
  yield* reader.end();
}

class RowReader {
  #parser: Parser | undefined;
  /** Rows the parser has finished, each with its end as an offset in what the parser was given. */
  #finished: { cells: string[]; end: number }[] = [];
  #given = 0;
  /** The bytes after the last finished row: to count lines in, and to go back to when a quote is broken. */
  #held = new Pending();
  #heldFrom = 0;
  #line = 1;
  /** What follows up to the next line break belongs to a row that was given up. */
  #skipping = false;

  async *read(piece: Buffer): AsyncGenerator<Row[]> {
    let start = 0;
    if (this.#skipping) {
      start = piece.indexOf(newline) + 1;
      if (start === 0) return;
      this.#skipping = false;
      this.#line++;
    }
    this.#held.append(piece.subarray(start));
    yield* this.#parse(false);
  }

  async *end(): AsyncGenerator<Row[]> {
    if (!this.#skipping) yield* this.#parse(true);
  }

  async *#parse(last: boolean): AsyncGenerator<Row[]> {
    while (!this.#skipping) {
      const failure = yield* this.#feed(last);
      if (failure === undefined && this.#held.length <= largestRecordBytes) return;
      yield [this.#giveUpRow(failure ?? tooLarge)];
    }
  }

  /** Hands the parser what it has not seen yet, in pieces so that rows come in batches of a bounded size. */
  async *#feed(last: boolean): AsyncGenerator<Row[], string | undefined> {
    const parser = this.#parser ?? this.#open();
    let failure: string | undefined;
    while (failure === undefined && this.#given < this.#heldFrom + this.#held.length) {
      const seen = this.#given - this.#heldFrom;
      // A copy, since the parser keeps parts of what it is given and the held bytes move.
      const piece = Buffer.from(this.#held.bytes.subarray(seen, seen + pieceBytes));
      this.#given += piece.length;
      failure = brokenQuote(await new Promise((resolve) => parser.write(piece, resolve)));
      yield this.#settled();
    }
    if (failure !== undefined || !last) return failure;
    failure = brokenQuote(await new Promise((resolve) => parser.once("error", resolve).once("finish", resolve).end()));
    yield this.#settled();
    return failure;
  }

  #open(): Parser {
    this.#heldFrom = 0;
    this.#given = 0;
    this.#parser = parse({
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      skip_empty_lines: true,
      // Taken here, rows do not pass through the parser's outgoing queue, which an error would empty.
      on_record: (cells: string[], { bytes }) => {
        this.#finished.push({ cells, end: bytes });
        return null;
      },
    });
    // The error is taken from what the parser was asked to do; without a listener its event would end the process.
    this.#parser.on("error", () => {});
    return this.#parser;
  }

  /** The finished rows, each with its line; their bytes are no longer held. */
  #settled(): Row[] {
    const finished = this.#finished;
    this.#finished = [];
    const { bytes } = this.#held;
    const allUtf8 = isUtf8(bytes.subarray(0, (finished.at(-1)?.end ?? 0) - this.#heldFrom));
    let start = 0;
    const rows = finished.map((row): Row => {
      const end = row.end - this.#heldFrom;
      const begin = start + blanksAt(bytes, start);
      const line = this.#line + breaksIn(bytes, start, begin);
      const good = allUtf8 || isUtf8(bytes.subarray(begin, end));
      this.#line = line + breaksIn(bytes, begin, end);
      start = end;
      return good ? { line, cells: row.cells } : { line, problem: notUtf8 };
    });
    this.#held.drop(start);
    this.#heldFrom += start;
    return rows;
  }

  /** Forgets the first line of the row under way; a fresh parser goes on after it. */
  #giveUpRow(problem: string): Row {
    const { bytes } = this.#held;
    const begin = blanksAt(bytes, 0);
    const line = this.#line + breaksIn(bytes, 0, begin);
    const end = bytes.indexOf(newline, begin);
    this.#skipping = end === -1;
    this.#line = this.#skipping ? line : line + 1;
    this.#held.drop(this.#skipping ? bytes.length : end + 1);
    this.#parser?.destroy();
    this.#parser = undefined;
    return { line, problem };
  }
}

function brokenQuote(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  const text = error instanceof CsvError ? brokenQuotes[error.code] : undefined;
  if (text === undefined) throw error;
  return text;
}

/** The length of the empty lines that begin at an offset: a row is reported where it begins, not where they do. */
function blanksAt(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    if (bytes[at] === newline) at++;
    else if (bytes[at] === carriageReturn && bytes[at + 1] === newline) at += 2;
    else return at - start;
  }
}

function breaksIn(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === newline) count++;
  return count;
}
