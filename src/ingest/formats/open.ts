// Opens a file, or standard input, as records: finds its format, unpacks it and says in plain words when that cannot be done.
import { accessSync, constants, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { gathered } from "./bytes.ts";
import { type CellReader, type FormatName, formatOf, knownEndings, type Loose } from "./format.ts";
import { isGzip } from "./gunzip.ts";
import { readRecords, UnreadableError } from "./records.ts";

const pieceBytes = 256 * 1024;

/**
 * The records of a file, "-" being standard input. `onBytes` is told of every piece of the file as it lies on the disk;
 * their sum comes to `totalBytes`, which is unknown for what is not a plain file.
 */
export function openRecords(
  file: string,
  cells: CellReader,
  onBytes?: (bytes: number) => void,
): { totalBytes: number | undefined; records: AsyncGenerator<Loose[]> } {
  const stats = file === "-" ? undefined : statsOf(file);
  const known = formatOf(file);
  if (known === undefined)
    throw new UnreadableError(`"${file}" has an ending that is not known: ${knownEndings} was expected`);
  const input = file === "-" ? process.stdin : bytesOf(file);
  return {
    totalBytes: stats?.isFile() ? stats.size : undefined,
    records: recordsOf(nameOf(file), known, counted(input, onBytes), cells),
  };
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : `"${file}"`;
}

function statsOf(file: string): Stats {
  try {
    const stats = statSync(file);
    accessSync(file, constants.R_OK);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    throw unreadable(nameOf(file), error);
  }
  throw new UnreadableError(`"${file}" is a directory: a file ending in ${knownEndings} was expected`);
}

function unreadable(name: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = { ENOENT: "there is no such file", EACCES: "permission is denied" };
  return new UnreadableError(`cannot read ${name}: ${reasons[code ?? ""] ?? message}`, { cause: error });
}

/** The file is opened when the first record is asked for, and closed with the last or when the reader goes away. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes);
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
  for await (const piece of bytes) {
    onBytes?.(piece.length);
    yield piece;
  }
}

async function* recordsOf(
  name: string,
  { format, gzip }: { format: FormatName; gzip: boolean },
  bytes: AsyncIterable<Uint8Array>,
  cells: CellReader,
): AsyncGenerator<Loose[]> {
  const pieces = gathered(bytes, 2);
  try {
    const head = await pieces.next();
    const packed = !head.done && isGzip(head.value);
    if (gzip && !packed)
      throw new UnreadableError(`cannot read ${name}: its name ends in .gz, but it does not hold gzip data`);
    yield* readRecords({ name, format, gzip: packed }, rejoined(head, pieces), cells);
  } catch (error) {
    throw error instanceof Error && "syscall" in error ? unreadable(name, error) : error;
  } finally {
    await pieces.return(undefined);
  }
}

async function* rejoined(head: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (!head.done) yield head.value;
  yield* rest;
}
