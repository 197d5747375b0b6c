// Bytes of a known format → records. What breaks the bytes on their way is told of the last record that could be read.
import { PlainError } from "../../core/user-error.ts";
import { type Carrier, type CellReader, type FormatName, fileCarrier, type Loose } from "./format.ts";
import { gunzip, isGzipError } from "./gunzip.ts";
import { readJsonArray } from "./json-array.ts";
import { readJsonLines } from "./json-lines.ts";

/** Bytes that can't be read at all, in words for the person who sent or named them. */
export class UnreadableError extends PlainError {}

/** The bytes ended before their time; the message says how, as in "the connection was cut". */
export class BrokenError extends Error {}

export type Origin = {
  /** As it stands in a complaint: `"news.json"`, `the body`. */
  readonly name: string;
  readonly format: FormatName;
  readonly gzip: boolean;
  readonly carrier?: Carrier;
  /** Stands between the unpacked bytes and their reader; it may end them with a BrokenError. */
  readonly watch?: (unpacked: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Told what broke the bytes. */
  readonly onBroken?: (error: unknown) => void;
};

/** Throws an UnreadableError when the bytes break before the first record; later, what was read stays read. */
export async function* readRecords(
  { name, format, gzip, carrier = fileCarrier, watch = (bytes) => bytes, onBroken }: Origin,
  bytes: AsyncIterable<Uint8Array>,
  cells: CellReader,
): AsyncGenerator<Loose[]> {
  let last: Loose | undefined;
  try {
    const unpacked = watch(gzip ? gunzip(bytes) : bytes);
    for await (const batch of await reader(format, unpacked, cells, carrier)) {
      last = batch.at(-1);
      yield batch;
    }
  } catch (error) {
    const { whole, part } = damageOf(error) ?? {};
    if (whole === undefined) throw error;
    onBroken?.(error);
    if (last === undefined) throw new UnreadableError(`cannot read ${name}: ${whole}`, { cause: error });
    yield [{ line: last.line, problem: `${part}: nothing after the record that begins here was read` }];
  }
}

/** In words: of the whole, and of a part of it. */
function damageOf(error: unknown): { whole: string; part: string } | undefined {
  if (error instanceof BrokenError) return { whole: error.message, part: error.message };
  if (!isGzipError(error)) return undefined;
  const damage = (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR" ? "cut short" : "damaged";
  return { whole: `its gzip data is ${damage}`, part: `the gzip data is ${damage}` };
}

async function reader(
  format: FormatName,
  bytes: AsyncIterable<Uint8Array>,
  cells: CellReader,
  carrier: Carrier,
): Promise<AsyncGenerator<Loose[]>> {
  // Its parser is loaded with the first file that needs it.
  if (format === "csv") return (await import("./csv.ts")).readCsv(bytes, cells);
  return format === "json" ? readJsonArray(bytes, carrier) : readJsonLines(bytes);
}
