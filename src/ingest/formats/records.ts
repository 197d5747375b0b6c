// Parses bytes of a known format into records. An interruption is reported at the last record that could be read.
import { UserError } from "../../core/user-error.ts";
import { type Compression, damageOf, decompress } from "./decompress.ts";
import { fileInput, type InputInfo, type InputKind, type ParsedRecord, type TextFormat } from "./format.ts";
import { readJsonArray } from "./json-array.ts";
import { expandEnvelopes } from "./json-envelope.ts";
import { readJsonLines } from "./json-lines.ts";

/** Input that can't be read at all; the message is for the user. */
export class UnreadableError extends UserError {}

/** The input ended early; the message says how, as in "the connection was cut". */
export class InterruptedInputError extends Error {}

type InputSource = {
  /** Name in messages: `"news.json"`, `the body`. */
  readonly name: string;
  readonly format: TextFormat;
  readonly compression?: Compression | undefined;
  /** Of columns; detected if undefined. */
  readonly delimiter?: string | undefined;
  readonly inputKind?: InputKind;
  readonly info?: InputInfo;
  /** Wraps the decompressed bytes; may interrupt them with an InterruptedInputError. */
  readonly watch?: (unpacked: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Called with the error that interrupted the input. */
  readonly onInterrupted?: (error: unknown) => void;
};

/** Throws an UnreadableError if the input is interrupted before the first record; later, what was read stays valid. */
export async function* readRecords(
  source: InputSource,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ParsedRecord[]> {
  const { name, compression, watch = (unpacked) => unpacked, onInterrupted } = source;
  let last: ParsedRecord | undefined;
  try {
    const unpacked = watch(compression === undefined ? bytes : decompress(bytes, compression));
    for await (const batch of await openReader(source, unpacked)) {
      last = batch.at(-1);
      yield batch;
    }
  } catch (error) {
    const { whole, part } = describeDamage(error, compression) ?? {};
    if (whole === undefined) throw error;
    onInterrupted?.(error);
    if (last === undefined) throw new UnreadableError(`cannot read ${name}: ${whole}`, { cause: error });
    yield [{ line: last.line, problem: `${part}: nothing after the record that begins here was read` }];
  }
}

/** Messages for the input as a whole, and for the rest of it. */
function describeDamage(error: unknown, compression = "gzip"): { whole: string; part: string } | undefined {
  if (error instanceof InterruptedInputError) return { whole: error.message, part: error.message };
  const damage = damageOf(error);
  if (damage === undefined) return undefined;
  return { whole: `its ${compression} data is ${damage}`, part: `the ${compression} data is ${damage}` };
}

async function openReader(
  { format, delimiter, inputKind = fileInput, info = {} }: InputSource,
  bytes: AsyncIterable<Uint8Array>,
): Promise<AsyncGenerator<ParsedRecord[]>> {
  // Loaded lazily, because it brings its parser along.
  if (format === "csv") return (await import("./csv.ts")).readCsv(bytes, { delimiter, info });
  if (format === "json") return readJsonArray(bytes, inputKind, info);
  const { envelopeKeys = [] } = inputKind;
  const lines = readJsonLines(bytes);
  return envelopeKeys.length === 0 ? lines : expandEnvelopes(lines, envelopeKeys, info);
}
