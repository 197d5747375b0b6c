// Opens a file or standard input as records: detects its format, decompresses it, and explains failures.
import { accessSync, constants, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { withBufferedHead } from "./bytes.ts";
import { type CellParser, type FormatName, formatOf, knownExtensions, type ParsedRecord } from "./format.ts";
import { isGzip } from "./gunzip.ts";
import { readRecords, UnreadableError } from "./records.ts";

const chunkBytes = 256 * 1024;

/**
 * The records of a file, or of standard input for "-". `onBytes` is called with the size of every chunk as stored on disk;
 * they add up to `totalBytes`, which is unknown for anything but a regular file.
 */
export function openRecords(
  file: string,
  cells: CellParser,
  onBytes?: (bytes: number) => void,
): { totalBytes: number | undefined; records: AsyncGenerator<ParsedRecord[]> } {
  const stats = file === "-" ? undefined : statsOf(file);
  const known = formatOf(file);
  if (known === undefined)
    throw new UnreadableError(`"${file}" has an ending that is not known: ${knownExtensions} was expected`);
  const input = file === "-" ? process.stdin : bytesOf(file);
  return {
    totalBytes: stats?.isFile() ? stats.size : undefined,
    records: readOpened(displayName(file), known, counted(input, onBytes), cells),
  };
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

/** Opens the file when the first record is read, and closes it after the last or when the consumer stops. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
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
  onBytes: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}

async function* readOpened(
  name: string,
  { format, gzip }: { format: FormatName; gzip: boolean },
  bytes: AsyncIterable<Uint8Array>,
  cells: CellParser,
): AsyncGenerator<ParsedRecord[]> {
  const chunks = withBufferedHead(bytes, 2);
  try {
    const head = await chunks.next();
    const packed = !head.done && isGzip(head.value);
    if (gzip && !packed)
      throw new UnreadableError(`cannot read ${name}: its name ends in .gz, but it does not hold gzip data`);
    yield* readRecords({ name, format, gzip: packed }, prepend(head, chunks), cells);
  } catch (error) {
    throw error instanceof Error && "syscall" in error ? unreadable(name, error) : error;
  } finally {
    await chunks.return(undefined);
  }
}

async function* prepend(head: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (!head.done) yield head.value;
  yield* rest;
}
