// Streams a JSON array of records, by itself or inside a response, buffering at most one record at a time. The scanner
// only finds where each element ends; JSON.parse does the rest.
import { PendingBytes, withoutBom } from "./bytes.ts";
import { fileInput, type InputInfo, type InputKind, maxRecordBytes, type ParsedRecord } from "./format.ts";
import { closeList, comma, ElementScan, newline, openList, openObject } from "./json-element.ts";
import { EnvelopeScan } from "./json-envelope.ts";
import { parseJsonRecord, tooLarge } from "./json-text.ts";

const missingQuote = "not valid JSON: a line ends inside a string, so a closing quote is missing";

/** The elements of a top-level JSON array; one batch per chunk that ends an element. */
export async function* readJsonArray(
  bytes: AsyncIterable<Uint8Array>,
  inputKind: InputKind = fileInput,
  info: InputInfo = {},
): AsyncGenerator<ParsedRecord[]> {
  const reader = new ArrayReader(inputKind, info);
  for await (const chunk of withoutBom(bytes)) {
    const batch = reader.read(chunk);
    if (batch.length > 0) yield batch;
    if (reader.stopped) return;
  }
  const rest = reader.end();
  if (rest.length > 0) yield rest;
}

class ArrayReader {
  readonly #inputKind: InputKind;
  readonly #info: InputInfo;
  #state: "before" | "envelope" | "between" | "element" | "lost" | "after" | "stopped" = "before";
  /** The last token between the brackets, which decides whether a comma or the end may follow. */
  #last: "nothing" | "element" | "comma" = "nothing";
  #batch: ParsedRecord[] = [];
  #line = 1;
  /** Whitespace at the start of the line; -1 after any other character. */
  #column = 0;

  // The current element: how it began, its scan state, and its bytes from earlier chunks.
  #first = { line: 0, column: 0, byte: 0 };
  #element = new ElementScan(0);
  #pending = new PendingBytes();
  #oversize = false;

  /** The response that contains the array. */
  #envelope: EnvelopeScan | undefined;

  constructor(inputKind: InputKind, info: InputInfo) {
    this.#inputKind = inputKind;
    this.#info = info;
  }

  get stopped(): boolean {
    return this.#state === "stopped";
  }

  /** The records that end in this chunk. */
  read(chunk: Buffer): ParsedRecord[] {
    this.#batch = [];
    for (let at = 0; at < chunk.length && !this.stopped; ) {
      if (this.#state === "element") at = this.#readElement(chunk, at);
      else if (this.#state === "lost") at = this.#findNext(chunk, at);
      else if (this.#state === "envelope") at = this.#readEnvelope(chunk, at);
      else at = this.#readBetween(chunk, at);
    }
    return this.#batch;
  }

  /** The problems at the end of the input. */
  end(): ParsedRecord[] {
    this.#batch = [];
    if (this.#state === "before") {
      this.#report(`${this.#inputKind.what} is empty: a JSON array of records was expected`);
    } else if (this.#state === "envelope") {
      this.#report(`${this.#inputKind.what} is truncated: the } that ends the response is missing`);
    } else if (this.#state === "lost") {
      this.#report(`${missingQuote}; nothing after it could be read`, this.#first.line);
    } else if (this.#state === "element" && !this.#element.whole) {
      const cause = "it is truncated, or a quote or bracket is not closed";
      this.#report(`${this.#inputKind.what} ends inside the record that begins here: ${cause}`, this.#first.line);
    } else if (this.#state !== "after") {
      if (this.#state === "element") this.#endElement(Buffer.alloc(0), 0, 0);
      this.#report(`${this.#inputKind.what} is truncated: the ] that ends the array is missing`);
    }
    return this.#batch;
  }

  #report(problem: string, line = this.#line): void {
    this.#batch.push({ line, problem });
  }

  #stop(problem: string): number {
    this.#report(problem);
    this.#state = "stopped";
    return 0;
  }

  /** Reads one byte that belongs to no element. */
  #readBetween(chunk: Buffer, at: number): number {
    const byte = chunk[at]!;
    if (this.#passBlank(byte)) return at + 1;
    if (this.#state === "before") {
      if (byte === openObject && this.#inputKind.envelopeKeys !== undefined) this.#beginEnvelope();
      else if (byte !== openList) return this.#stop(notAnArray(byte, this.#inputKind));
      else this.#state = "between";
    } else if (this.#state === "after") {
      // Responses may be joined in one file.
      if (byte === openObject && this.#envelope !== undefined) this.#beginEnvelope();
      else
        return this.#stop(
          `there is text after the ${this.#envelope ? "} that ends the response" : "] that ends the array"}; it was not read`,
        );
    } else if (byte === comma) {
      if (this.#last !== "element") this.#report("a comma with no record before it");
      this.#last = "comma";
    } else if (byte === closeList) {
      if (this.#last === "comma") this.#report("a comma with no record after it");
      this.#state = this.#envelope === undefined ? "after" : "envelope";
      this.#last = "nothing";
    } else {
      this.#beginElement(byte);
      return at;
    }
    this.#column = -1;
    return at + 1;
  }

  #beginEnvelope(): void {
    this.#envelope = new EnvelopeScan(this.#inputKind.envelopeKeys ?? []);
    this.#state = "envelope";
  }

  #readEnvelope(chunk: Buffer, start: number): number {
    const envelope = this.#envelope as EnvelopeScan;
    const end = envelope.scan(chunk, start);
    this.#line += envelope.breaks;
    envelope.breaks = 0;
    this.#column = -1;
    if (envelope.ended) {
      if (this.#info.values === undefined) return this.#stop(notAResponse(envelope.names, this.#inputKind));
      this.#state = "after";
    } else if (envelope.atRecords) {
      this.#info.values = "foreign";
      this.#state = "between";
    }
    return end;
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
    this.#state = "element";
    this.#first = { line: this.#line, column: this.#column, byte };
    this.#element = new ElementScan(byte);
    this.#oversize = false;
    this.#column = -1;
  }

  #readElement(chunk: Buffer, start: number): number {
    const end = this.#element.scan(chunk, start);
    this.#line = this.#first.line + this.#element.breaks;
    if (this.#element.lost) {
      this.#pending.clear();
      this.#state = "lost";
    } else if (end < chunk.length) {
      this.#endElement(chunk, start, end);
    } else {
      this.#oversize ||= this.#pending.length + end - start > maxRecordBytes;
      if (this.#oversize) this.#pending.clear();
      else this.#pending.append(chunk.subarray(start));
    }
    return end;
  }

  #endElement(chunk: Buffer, start: number, end: number): void {
    this.#state = "between";
    this.#last = "element";
    const { line } = this.#first;
    if (this.#oversize) {
      this.#report(tooLarge, line);
    } else if (this.#pending.length === 0) {
      this.#batch.push(parseJsonRecord(chunk, start, end, line)!);
    } else {
      this.#pending.append(chunk.subarray(start, end));
      this.#batch.push(parseJsonRecord(this.#pending.bytes, 0, this.#pending.length, line)!);
      this.#pending.clear();
    }
  }

  /**
   * After a lost element, reading resumes at the next line that begins with the same indent and byte as the lost element
   * did, or that ends the array. If the element did not begin its line, there is no such line.
   */
  #findNext(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#column === -1 && byte !== newline) {
        const end = chunk.indexOf(newline, at);
        if (end === -1) return chunk.length;
        at = end - 1;
      } else if (!this.#passBlank(byte)) {
        const begins = byte === this.#first.byte && this.#column === this.#first.column;
        const ends =
          byte === closeList && this.#column <= Math.max(this.#first.column - 1, 0) && this.#first.column >= 0;
        if (begins || ends) {
          this.#report(`${missingQuote}; reading resumes at line ${this.#line}`, this.#first.line);
          this.#state = "between";
          this.#last = "element";
          return at;
        }
        this.#column = -1;
      }
    }
    return chunk.length;
  }
}

function notAResponse(names: readonly string[], { envelopeKeys = [], lines }: InputKind): string {
  const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(", ");
  const found = names.length === 0 ? "it is empty" : `it has ${quoted(names)}`;
  return `an object without a list of records: an array, or a list under one of ${quoted(envelopeKeys)} was expected, but ${found}; ${lines}`;
}

function notAnArray(byte: number, { lines }: InputKind): string {
  const hint = byte === openObject ? `; ${lines}` : "";
  return `not a JSON array: [ was expected first${hint}`;
}
