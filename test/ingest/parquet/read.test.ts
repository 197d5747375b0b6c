// Parquet: values as in JSON, every compression of node:zlib, and one row group at a time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import type { ParsedRecord } from "../../../src/ingest/formats/format.ts";
import { openRecords } from "../../../src/ingest/formats/open.ts";
import { fileOf } from "../files.ts";
import { all, values } from "../pieces.ts";

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData">;

let made = 0;

function parquetOf(columnData: ColumnSource[], options: Options = {}): string {
  return fileOf(`${++made}.parquet`, Buffer.from(parquetWriteBuffer({ columnData, ...options })));
}

const objects = (found: readonly ParsedRecord[]) => values(found).map((value) => ({ ...(value as object) }));
const read = async (file: string) => objects(await all(openRecords(file).records));

describe("a Parquet file", () => {
  test("has its columns as a header and its values as in JSON", async () => {
    const file = parquetOf([
      { name: "ticker", data: ["AAPL", null], type: "STRING", nullable: true },
      { name: "count", data: [5n, 9_007_199_254_740_993n], type: "INT64" },
      { name: "price", data: [1.5, Number.NaN], type: "DOUBLE" },
      { name: "confirmed", data: [true, false], type: "BOOLEAN" },
      { name: "at", data: [new Date("2024-11-05T14:30:00Z"), new Date("2024-11-06T00:00:00Z")], type: "TIMESTAMP" },
    ]);
    const { info, records } = openRecords(file);
    assert.deepEqual(objects(await all(records)), [
      { ticker: "AAPL", count: 5, price: 1.5, confirmed: true, at: "2024-11-05T14:30:00.000Z" },
      { count: "9007199254740993", confirmed: false, at: "2024-11-06T00:00:00.000Z" },
    ]);
    assert.deepEqual(info, { columns: ["ticker", "count", "price", "confirmed", "at"], values: "foreign" });
  });

  test("has exact decimals, days, clock times, and timestamps that say whether they are UTC", async () => {
    const schema = [
      { name: "root", num_children: 5 },
      {
        name: "price",
        type: "FIXED_LEN_BYTE_ARRAY",
        type_length: 8,
        converted_type: "DECIMAL",
        scale: 4,
        precision: 18,
      },
      { name: "cents", type: "INT64", converted_type: "DECIMAL", scale: 2, precision: 18 },
      { name: "day", type: "INT32", converted_type: "DATE" },
      { name: "time", type: "INT32", converted_type: "TIME_MILLIS" },
      { name: "local", type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" } },
    ].map((element, at) => (at === 0 ? element : { ...element, repetition_type: "REQUIRED" }));
    const file = parquetOf(
      [
        { name: "price", data: [2_300_000n, -5n] },
        { name: "cents", data: [123_456_789_012_345_678n, 0n] },
        { name: "day", data: [20_032, 0] },
        { name: "time", data: [34_200_000, 0] },
        { name: "local", data: [1_730_817_000_000_000n, 0n] },
      ],
      { schema: schema as never, codec: "UNCOMPRESSED" },
    );
    assert.deepEqual(await read(file), [
      {
        price: "230.0000",
        cents: "1234567890123456.78",
        day: "2024-11-05",
        time: "09:30:00",
        local: "2024-11-05T14:30:00.000",
      },
      { price: "-0.0005", cents: "0.00", day: "1970-01-01", time: "00:00:00", local: "1970-01-01T00:00:00.000" },
    ]);
  });

  test("may be compressed with Snappy, gzip, Brotli, or Zstandard", async () => {
    const data = Array.from({ length: 500 }, (_, at) => `text ${at % 7}`);
    const compressors = {
      GZIP: (bytes: Uint8Array) => gzipSync(bytes),
      BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
      ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
    };
    for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD"] as const) {
      const file = parquetOf([{ name: "notes", data, type: "STRING" }], { codec, compressors });
      assert.deepEqual(
        await read(file),
        data.map((notes) => ({ notes })),
        codec,
      );
    }
  });

  test("may have a compressed column of nulls alone", async () => {
    const compressors = { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) };
    const file = parquetOf(
      [
        { name: "id", data: ["a", "b"], type: "STRING" },
        { name: "notes", data: [null, null], type: "STRING", nullable: true },
      ],
      { codec: "ZSTD", compressors },
    );
    assert.deepEqual(await read(file), [{ id: "a" }, { id: "b" }]);
  });

  test("is read one row group at a time, with records numbered throughout", async () => {
    const data = Array.from({ length: 2500 }, (_, at) => at);
    const file = parquetOf([{ name: "n", data, type: "INT32" }], { rowGroupSize: 1200 });
    const { records } = openRecords(file);
    const batches = await Array.fromAsync(records);
    assert.deepEqual(
      batches.map((batch) => [batch[0]?.line, batch.length]),
      [
        [1, 1000],
        [1001, 200],
        [1201, 1000],
        [2201, 200],
        [2401, 100],
      ],
    );
    assert.deepEqual(
      objects(batches.flat()),
      data.map((n) => ({ n })),
    );
  });

  test("that is damaged or something else is rejected in one line", async () => {
    await assert.rejects(read(fileOf("text.parquet", "id,date\n")), /^Error: cannot read the Parquet file: /);
    const whole = parquetWriteBuffer({ columnData: [{ name: "n", data: [1, 2], type: "INT32" }] });
    await assert.rejects(read(fileOf("cut.parquet", Buffer.from(whole).subarray(20))), /cannot read the Parquet file/);
  });
});
