// Opens a file or standard input as records: detects its format, decompresses it, and explains failures.
import { accessSync, constants, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { withBufferedHead } from "./bytes.ts";
import { compressionOf } from "./decompress.ts";
import {
  type FileFormat,
  fileInput,
  formatOf,
  type InputInfo,
  knownExtensions,
  type ParsedRecord,
  type TextFormat,
} from "./format.ts";
import { readRecords, UnreadableError } from "./records.ts";

const chunkBytes = 256 * 1024;

type OpenOptions = {
  /** Called with the size of every chunk as stored on disk; they add up to `totalBytes`. */
  readonly onBytes?: (bytes: number) => void;
  /** Names under which a response holds its records. */
  readonly envelopeKeys?: readonly string[];
};

export type OpenedRecords = {
  /** Unknown for anything but a regular file. */
  readonly totalBytes: number | undefined;
  readonly format: FileFormat;
  readonly info: InputInfo;
  readonly records: AsyncGenerator<ParsedRecord[]>;
};

/** The records of a file, or of standard input for "-". */
export function openRecords(file: string, { onBytes = () => {}, envelopeKeys }: OpenOptions = {}): OpenedRecords {
  const stats = file === "-" ? undefined : statsOf(file);
  const format = formatOf(file);
  if (format === undefined)
    throw new UnreadableError(`"${file}" has an ending that is not known: ${knownExtensions} was expected`);
  const info: InputInfo = {};
  const kind = envelopeKeys === undefined ? fileInput : { ...fileInput, envelopeKeys };
  const records =
    format.format === "parquet"
      ? readParquetFile(file, info, onBytes)
      : readOpened(displayName(file), { ...format, inputKind: kind, info }, counted(bytesOf(file), onBytes));
  return { totalBytes: stats?.isFile() ? stats.size : undefined, format, info, records };
}

function displayName(file: string): string {
  return file === "-" ? "standard input" : `"${file}"`;
}

function statsOf(file: string): Stats {
  try {
    const stats = statSync(file);
    accessSync(file, constants.R_OK);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    throw unreadable(displayName(file), error);
  }
  throw new UnreadableError(`"${file}" is a directory: a file ending in ${knownExtensions} was expected`);
}

function unreadable(name: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = { ENOENT: "there is no such file", EACCES: "permission is denied" };
  return new UnreadableError(`cannot read ${name}: ${reasons[code ?? ""] ?? message}`, { cause: error });
}

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

/** Opens the file when the first record is read, and closes it after the last or when the consumer stops. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  if (file === "-") {
    yield* process.stdin;
    return;
  }
  const handle = await open(file);
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** Parquet is read at random positions, not as a stream. */
async function* readParquetFile(
  file: string,
  info: InputInfo,
  onBytes: (bytes: number) => void,
): AsyncGenerator<ParsedRecord[]> {
  // Loaded lazily, because it brings its parser along.
  const { readParquet } = await import("./parquet/read.ts");
  try {
    const handle = await open(file);
    try {
      yield* readParquet(handle, info, onBytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof UnreadableError || !isSystemError(error) ? error : unreadable(displayName(file), error);
  }
}

async function* readOpened(
  name: string,
  { compression, ...source }: FileFormat & { inputKind: typeof fileInput; info: InputInfo },
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ParsedRecord[]> {
  const chunks = withBufferedHead(bytes, 4);
  try {
    const head = await chunks.next();
    const found = head.done ? undefined : compressionOf(head.value);
    if (compression !== undefined && found !== compression)
      throw new UnreadableError(
        `cannot read ${name}: its name ends in ${compression === "gzip" ? ".gz" : ".zst"}, but it does not hold ${compression} data`,
      );
    const format = source.format as TextFormat;
    yield* readRecords({ ...source, name, format, compression: found }, prepend(head, chunks));
  } catch (error) {
    throw isSystemError(error) ? unreadable(name, error) : error;
  } finally {
    await chunks.return(undefined);
  }
}

async function* prepend(head: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (!head.done) yield head.value;
  yield* rest;
}
