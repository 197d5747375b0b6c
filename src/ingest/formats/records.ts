// Parses bytes of a known format into records. An interruption is reported at the last record that could be read.
import { UserError } from "../../core/user-error.ts";
import { type CellParser, type FormatName, fileInput, type InputKind, type ParsedRecord } from "./format.ts";
import { gunzip, isGzipError } from "./gunzip.ts";
import { readJsonArray } from "./json-array.ts";
import { readJsonLines } from "./json-lines.ts";

/** Input that can't be read at all; the message is for the user. */
export class UnreadableError extends UserError {}

/** The input ended early; the message says how, as in "the connection was cut". */
export class InterruptedInputError extends Error {}

export type InputSource = {
  /** Name in messages: `"news.json"`, `the body`. */
  readonly name: string;
  readonly format: FormatName;
  readonly gzip: boolean;
  readonly inputKind?: InputKind;
  /** Wraps the decompressed bytes; may interrupt them with an InterruptedInputError. */
  readonly watch?: (unpacked: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Called with the error that interrupted the input. */
  readonly onInterrupted?: (error: unknown) => void;
};

/** Throws an UnreadableError if the input is interrupted before the first record; later, what was read stays valid. */
export async function* readRecords(
  { name, format, gzip, inputKind = fileInput, watch = (bytes) => bytes, onInterrupted }: InputSource,
  bytes: AsyncIterable<Uint8Array>,
  cells: CellParser,
): AsyncGenerator<ParsedRecord[]> {
  let last: ParsedRecord | undefined;
  try {
    const unpacked = watch(gzip ? gunzip(bytes) : bytes);
    for await (const batch of await openReader(format, unpacked, cells, inputKind)) {
      last = batch.at(-1);
      yield batch;
    }
  } catch (error) {
    const { whole, part } = describeDamage(error) ?? {};
    if (whole === undefined) throw error;
    onInterrupted?.(error);
    if (last === undefined) throw new UnreadableError(`cannot read ${name}: ${whole}`, { cause: error });
    yield [{ line: last.line, problem: `${part}: nothing after the record that begins here was read` }];
  }
}

/** Messages for the input as a whole, and for the rest of it. */
function describeDamage(error: unknown): { whole: string; part: string } | undefined {
  if (error instanceof InterruptedInputError) return { whole: error.message, part: error.message };
  if (!isGzipError(error)) return undefined;
  const damage = (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR" ? "cut short" : "damaged";
  return { whole: `its gzip data is ${damage}`, part: `the gzip data is ${damage}` };
}

async function openReader(
  format: FormatName,
  bytes: AsyncIterable<Uint8Array>,
  cells: CellParser,
  inputKind: InputKind,
): Promise<AsyncGenerator<ParsedRecord[]>> {
  // Loaded lazily, because it brings its parser along.
  if (format === "csv") return (await import("./csv.ts")).readCsv(bytes, cells);
  return format === "json" ? readJsonArray(bytes, inputKind) : readJsonLines(bytes);
}
