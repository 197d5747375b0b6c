// Parquet: one row group in memory at a time, its values converted to those of JSON.
import type { FileHandle } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from "hyparquet";
import type { InputInfo, ParsedRecord } from "../format.ts";
import { UnreadableError } from "../records.ts";

const batchRows = 1000;

/** Limited to the length in the page's header; a page of nulls alone has none. */
const limited =
  (decompress: (input: Uint8Array, options: { maxOutputLength: number }) => Uint8Array) =>
  (input: Uint8Array, maxOutputLength: number): Uint8Array =>
    maxOutputLength === 0 ? new Uint8Array() : decompress(input, { maxOutputLength });

/** Snappy, the usual one, is built into the parser. */
const compressors: Compressors = {
  GZIP: limited(gunzipSync),
  BROTLI: limited(brotliDecompressSync),
  ZSTD: limited(zstdDecompressSync),
};

type Column = { readonly name: string; readonly convert: (value: unknown) => unknown };

/** The records of a file, numbered as if each were a line. */
export async function* readParquet(
  handle: FileHandle,
  info: InputInfo,
  onBytes: (bytes: number) => void,
): AsyncGenerator<ParsedRecord[]> {
  const { size } = await handle.stat();
  const file = {
    byteLength: size,
    slice: async (start: number, end: number = size): Promise<ArrayBuffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.from(new ArrayBuffer(end - start)), 0, end - start, start);
      onBytes(bytesRead);
      return buffer.buffer;
    },
  };
  const metadata = await readable(() => parquetMetadataAsync(file));
  const columns = columnsOf(metadata);
  info.columns = columns.map(({ name }) => name);
  info.values = "foreign";
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const data = new Map<string, ArrayLike<unknown>[]>();
    const onChunk = ({ columnName, columnData }: { columnName: string; columnData: ArrayLike<unknown> }) =>
      void data.set(columnName, [...(data.get(columnName) ?? []), columnData]);
    const range = { rowStart, rowEnd, onChunk };
    await readable(() => parquetRead({ file, metadata, compressors, utf8: false, ...range }));
    const values = columns.map(({ name, convert }) => ({ name, next: convertedValues(data.get(name) ?? [], convert) }));
    for (let at = rowStart; at < rowEnd; at += batchRows) {
      const count = Math.min(batchRows, rowEnd - at);
      yield Array.from({ length: count }, (_, row) => ({ line: at + row + 1, value: nextRecord(values) }));
    }
    rowStart = rowEnd;
  }
}

/** The parser's errors concern the file. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { message } = error as Error;
    throw new UnreadableError(`cannot read the Parquet file: ${message.replace(/^parquet /, "")}`, { cause: error });
  }
}

function nextRecord(columns: readonly { name: string; next: Iterator<unknown> }[]): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const { name, next } of columns) {
    const value = next.next().value;
    if (value !== null && value !== undefined) record[name] = value;
  }
  return record;
}

function* convertedValues(
  chunks: readonly ArrayLike<unknown>[],
  convert: (value: unknown) => unknown,
): Generator<unknown> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at++) {
      const value = chunk[at];
      yield value === null || value === undefined ? undefined : convert(value);
    }
  }
}

function columnsOf(metadata: FileMetaData): Column[] {
  return parquetSchema(metadata).children.map(({ element, children }) => ({
    name: element.name,
    convert: children.length > 0 ? plain : converterOf(element),
  }));
}

function converterOf(element: SchemaElement): (value: unknown) => unknown {
  const { logical_type: logical, converted_type: converted } = element;
  if (converted === "DECIMAL" || logical?.type === "DECIMAL") {
    const scale = logical?.type === "DECIMAL" ? logical.scale : (element.scale ?? 0);
    // Without the annotation the parser returns the exact integer, not a floating-point number.
    delete element.converted_type;
    delete element.logical_type;
    return (value) => decimalText(unscaled(value), scale);
  }
  if (converted === "DATE" || logical?.type === "DATE") return (value) => (value as Date).toISOString().slice(0, 10);
  if (logical?.type === "TIMESTAMP" && !logical.isAdjustedToUTC)
    return (value) => (value as Date).toISOString().slice(0, -1);
  if (logical?.type === "TIME" || converted === "TIME_MILLIS" || converted === "TIME_MICROS") {
    const perSecond =
      logical?.type === "TIME"
        ? { MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9 }[logical.unit]
        : converted === "TIME_MILLIS"
          ? 1e3
          : 1e6;
    return (value) => new Date(Math.floor(Number(value) / perSecond) * 1000).toISOString().slice(11, 19);
  }
  return plain;
}

/** Values without an annotation, at any depth, as in JSON. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  // The missing value of a data frame.
  if (typeof value === "number") return Number.isNaN(value) ? undefined : value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

/** Big-endian two's complement, if it is not a number. */
function unscaled(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
  return value.length === 0 ? 0n : BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString("hex")}`));
}

function decimalText(number: bigint, scale: number): string {
  if (scale <= 0) return String(number * 10n ** BigInt(-scale));
  const digits = String(number < 0n ? -number : number).padStart(scale + 1, "0");
  return `${number < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
