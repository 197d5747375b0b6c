// Parquet files are written in row groups of bounded size, one at a time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parquetMetadata } from "hyparquet";
import { fieldOf } from "../../../src/core/catalog/resource.ts";
import type { Row } from "../../../src/core/record/row.ts";
import { parquetColumns } from "../../../src/ingest/formats/parquet/columns.ts";
import { writeParquet } from "../../../src/ingest/formats/parquet/write.ts";
import { ratings } from "../../../src/resources/ratings.ts";

const columns = parquetColumns({ id: fieldOf(ratings, "id"), notes: fieldOf(ratings, "notes") }, "double");

async function groupsOf(rows: AsyncIterable<Row>): Promise<number[]> {
  const file = Buffer.concat(await Array.fromAsync(writeParquet(rows, columns)));
  const { row_groups, num_rows } = parquetMetadata(new Uint8Array(file).buffer);
  const counts = row_groups.map((group) => Number(group.num_rows));
  assert.equal(
    Number(num_rows),
    counts.reduce((sum, each) => sum + each, 0),
  );
  return counts;
}

async function* records(count: number, notes: string): AsyncGenerator<Row> {
  for (let at = 0; at < count; at++) yield { id: String(at), notes };
}

describe("a row group", () => {
  test("has at most 20,000 records", async () => {
    assert.deepEqual(await groupsOf(records(45_000, "")), [20_000, 20_000, 5000]);
  });

  test("ends with the record that brings its text to 16 million characters", async () => {
    const million = "x".repeat(1024 * 1024);
    assert.deepEqual(await groupsOf(records(35, million)), [16, 16, 3]);
  });

  test("is written before the next one is read", async () => {
    let read = 0;
    async function* counted(): AsyncGenerator<Row> {
      for await (const row of records(45_000, "")) {
        read++;
        yield row;
      }
    }
    const chunks = writeParquet(counted(), columns);
    const readAfter: number[] = [];
    for await (const _ of chunks) readAfter.push(read);
    assert.deepEqual(readAfter, [20_000, 40_000, 45_000, 45_000]);
  });
});
