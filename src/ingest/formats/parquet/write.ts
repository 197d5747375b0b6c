// Writes records as Parquet, one row group in memory at a time.
import { zstdCompressSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Json, Row } from "../../../core/record/row.ts";
import type { ParquetColumn } from "./columns.ts";

/** A row group ends at either limit: enough records for readers to skip groups and work in parallel. */
const groupRows = 20_000;
const groupCharacters = 16 * 1024 * 1024;

/** The file as bytes: a chunk for each row group, and its footer. */
export async function* writeParquet(
  rows: AsyncIterable<Row>,
  columns: readonly ParquetColumn[],
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const root: SchemaElement = { name: "root", num_children: columns.length };
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [root, ...columns.flatMap(({ schema }) => schema)],
    codec: "ZSTD",
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    createdBy: "bellwire",
  });
  /** Empties the buffer; offsets in the file continue. */
  const written = (): Uint8Array => {
    const chunk = bytes.getBytes().slice();
    bytes.index = 0;
    return chunk;
  };
  const empty = () => columns.map(({ name }) => ({ name, data: [] as unknown[] }));
  let group = empty();
  let count = 0;
  let characters = 0;
  const writeGroup = (): Uint8Array => {
    writer.write({ columnData: group, rowGroupSize: count });
    group = empty();
    count = characters = 0;
    return written();
  };
  for await (const row of rows) {
    for (const [at, { name, convert }] of columns.entries()) group[at]?.data.push(convert(row[name] ?? null));
    count++;
    characters += lengthOf(row);
    if (count >= groupRows || characters >= groupCharacters) yield writeGroup();
  }
  if (count > 0) yield writeGroup();
  writer.finish();
  yield writer.num_rows === 0n ? withTypedGroups(written()) : written();
}

/**
 * The footer of a file without records. The writer does not declare the type of an empty list of row groups, and strict
 * readers reject the file: it is a list of structs.
 */
function withTypedGroups(footer: Uint8Array): Uint8Array {
  // In Thrift's compact protocol: field 3, the number of records, 0; field 4, a list without a type or elements.
  const at = Buffer.from(footer.buffer).lastIndexOf(Buffer.from([0x16, 0x00, 0x19, 0x00]));
  return at === -1 ? footer : footer.with(at + 3, 0x0c);
}

/** Characters of all text in a value, to bound memory. */
function lengthOf(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const each of Object.values(value)) sum += lengthOf(each);
  return sum;
}
