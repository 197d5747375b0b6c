// A JSON file that is one array of records, read without ever holding more of it than one record.
// The bytes are only scanned for where each element ends; JSON.parse judges the element itself.
import { Pending, withoutMark } from "./bytes.ts";
import { type Carrier, fileCarrier, type Loose, largestRecordBytes } from "./format.ts";
import { ElementScan } from "./json-element.ts";
import { looseJson, tooLarge } from "./json-text.ts";

const newline = 0x0a;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;

const missingQuote = "not valid JSON: a line ends inside a string, so a quote is missing";

/** The elements of a top-level JSON array; one batch for each piece of bytes that ends an element. */
export async function* readJsonArray(
  bytes: AsyncIterable<Uint8Array>,
  carrier: Carrier = fileCarrier,
): AsyncGenerator<Loose[]> {
  const reader = new ArrayReader(carrier);
  for await (const piece of withoutMark(bytes)) {
    const batch = reader.read(piece);
    if (batch.length > 0) yield batch;
    if (reader.stopped) return;
  }
  const rest = reader.end();
  if (rest.length > 0) yield rest;
}

class ArrayReader {
  readonly #carrier: Carrier;
  #place: "before" | "between" | "element" | "lost" | "after" | "stopped" = "before";
  /** What stood last between the brackets: decides whether a comma or the end may follow. */
  #last: "nothing" | "element" | "comma" = "nothing";
  #batch: Loose[] = [];
  #line = 1;
  /** Blanks since the line began; -1 once something else has stood on it. */
  #column = 0;

  // The element under way: how it began, what is known of its end, and its bytes from earlier pieces.
  #first = { line: 0, column: 0, byte: 0 };
  #element = new ElementScan(0);
  #pending = new Pending();
  #oversize = false;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  get stopped(): boolean {
    return this.#place === "stopped";
  }

  /** The records that end in this piece. */
  read(piece: Buffer): Loose[] {
    this.#batch = [];
    for (let at = 0; at < piece.length && !this.stopped; ) {
      if (this.#place === "element") at = this.#readElement(piece, at);
      else if (this.#place === "lost") at = this.#findNext(piece, at);
      else at = this.#readBetween(piece, at);
    }
    return this.#batch;
  }

  /** What is left to say when the bytes are at their end. */
  end(): Loose[] {
    this.#batch = [];
    if (this.#place === "before") {
      this.#report(`${this.#carrier.what} is empty: a JSON array of records was expected`);
    } else if (this.#place === "lost") {
      this.#report(`${missingQuote}; nothing after it could be read`, this.#first.line);
    } else if (this.#place === "element" && !this.#element.whole) {
      const cause = "it is cut short, or a quote or bracket is not closed";
      this.#report(`${this.#carrier.what} ends inside the record that begins here: ${cause}`, this.#first.line);
    } else if (this.#place !== "after") {
      if (this.#place === "element") this.#endElement(Buffer.alloc(0), 0, 0);
      this.#report(`${this.#carrier.what} is cut short: the ] that ends the array is missing`);
    }
    return this.#batch;
  }

  #report(problem: string, line = this.#line): void {
    this.#batch.push({ line, problem });
  }

  #stop(problem: string): number {
    this.#report(problem);
    this.#place = "stopped";
    return 0;
  }

  /** Reads one byte that belongs to no element. */
  #readBetween(piece: Buffer, at: number): number {
    const byte = piece[at]!;
    if (this.#passBlank(byte)) return at + 1;
    if (this.#place === "before") {
      if (byte !== openList) return this.#stop(notAnArray(byte, this.#carrier));
      this.#place = "between";
    } else if (this.#place === "after") {
      return this.#stop("something follows the ] that ends the array; it was not read");
    } else if (byte === comma) {
      if (this.#last !== "element") this.#report("a comma with no record before it");
      this.#last = "comma";
    } else if (byte === closeList) {
      if (this.#last === "comma") this.#report("a comma with no record after it");
      this.#place = "after";
    } else {
      this.#beginElement(byte);
      return at;
    }
    this.#column = -1;
    return at + 1;
  }

  #passBlank(byte: number): boolean {
    if (byte === newline) {
      this.#line++;
      this.#column = 0;
      return true;
    }
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
    if (this.#column >= 0) this.#column++;
    return true;
  }

  #beginElement(byte: number): void {
    this.#place = "element";
    this.#first = { line: this.#line, column: this.#column, byte };
    this.#element = new ElementScan(byte);
    this.#oversize = false;
    this.#column = -1;
  }

  #readElement(piece: Buffer, start: number): number {
    const end = this.#element.scan(piece, start);
    this.#line = this.#first.line + this.#element.breaks;
    if (this.#element.lost) {
      this.#pending.clear();
      this.#place = "lost";
    } else if (end < piece.length) {
      this.#endElement(piece, start, end);
    } else {
      this.#oversize ||= this.#pending.length + end - start > largestRecordBytes;
      if (this.#oversize) this.#pending.clear();
      else this.#pending.append(piece.subarray(start));
    }
    return end;
  }

  #endElement(piece: Buffer, start: number, end: number): void {
    this.#place = "between";
    this.#last = "element";
    const { line } = this.#first;
    if (this.#oversize) {
      this.#report(tooLarge, line);
    } else if (this.#pending.length === 0) {
      this.#batch.push(looseJson(piece, start, end, line)!);
    } else {
      this.#pending.append(piece.subarray(start, end));
      this.#batch.push(looseJson(this.#pending.bytes, 0, this.#pending.length, line)!);
      this.#pending.clear();
    }
  }

  /**
   * After a lost element: reading goes on at the next line that begins with the same indent and byte as the lost element
   * did, or that ends the array. An element that shared its line with what stood before it gives nothing to go by.
   */
  #findNext(piece: Buffer, start: number): number {
    for (let at = start; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.#column === -1 && byte !== newline) {
        const end = piece.indexOf(newline, at);
        if (end === -1) return piece.length;
        at = end - 1;
      } else if (!this.#passBlank(byte)) {
        const begins = byte === this.#first.byte && this.#column === this.#first.column;
        const ends =
          byte === closeList && this.#column <= Math.max(this.#first.column - 1, 0) && this.#first.column >= 0;
        if (begins || ends) {
          this.#report(`${missingQuote}; reading goes on at line ${this.#line}`, this.#first.line);
          this.#place = "between";
          this.#last = "element";
          return at;
        }
        this.#column = -1;
      }
    }
    return piece.length;
  }
}

function notAnArray(byte: number, { lines }: Carrier): string {
  const hint = byte === openObject ? `; ${lines}` : "";
  return `not a JSON array: [ was expected first${hint}`;
}
