// Parquet files of any records: importing them restores every record, another implementation reads the same values, and
// every column has the type of its field.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { parquetMetadata, type SchemaElement } from "hyparquet";
import * as arrow from "parquet-wasm";
import type { Field } from "../../../src/core/catalog/field.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import type { Row } from "../../../src/core/record/row.ts";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { openRecords } from "../../../src/ingest/formats/open.ts";
import { type DecimalType, parquetColumns } from "../../../src/ingest/formats/parquet/columns.ts";
import { writeParquet } from "../../../src/ingest/formats/parquet/write.ts";
import { Mapper } from "../../../src/ingest/mapping/mapper.ts";
import { parseMapping } from "../../../src/ingest/mapping/mapping.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { testNow } from "../../support/clients/api.ts";
import { anyRecord, seed } from "../../support/records/records.ts";

const folder = mkdtempSync(join(tmpdir(), "bellwire-parquet-"));
after(() => rmSync(folder, { recursive: true }));

const year10000 = Date.UTC(10_000, 0) / 1000;

async function fileOf(resource: Resource, rows: readonly Row[], decimals: DecimalType): Promise<Uint8Array> {
  async function* all() {
    yield* rows;
  }
  return Buffer.concat(await Array.fromAsync(writeParquet(all(), parquetColumns(resource.fields, decimals))));
}

let files = 0;

/** The rows that an import of the file would store. */
async function imported(resource: Resource, bytes: Uint8Array): Promise<Row[]> {
  const file = join(folder, `${++files}.parquet`);
  writeFileSync(file, bytes);
  const { info, records } = openRecords(file);
  const mapper = new Mapper(resource, parseMapping(resource, {}));
  const rows: Row[] = [];
  for await (const batch of records) {
    for (const record of batch) {
      const mapped = mapper.map(record, info);
      const accepted = "value" in mapped ? validateRecord(resource, mapped.value, testNow) : mapped;
      assert.ok("row" in accepted, JSON.stringify(accepted));
      rows.push(accepted.row);
    }
  }
  return rows;
}

/** As a Rust implementation reads it and writes it again. */
const rewritten = (bytes: Uint8Array): Uint8Array => arrow.writeParquet(arrow.readParquet(bytes));

const anyRows = (resource: Resource): fc.Arbitrary<Row[]> =>
  fc.array(anyRecord(resource), { maxLength: 12 }).map((records) =>
    records.map((record) => {
      const accepted = validateRecord(resource, JSON.parse(JSON.stringify(record)), testNow);
      assert.ok("row" in accepted);
      return accepted.row;
    }),
  );

/** Timestamps after the year 9999 are unknown, so that the import sets its time. */
function expectedRow(resource: Resource, row: Row): Row {
  const late = Object.keys(resource.fields).filter(
    (name) => resource.fields[name]?.kind === "stamp" && (row[name] as number) >= year10000,
  );
  return { ...row, ...Object.fromEntries(late.map((name) => [name, testNow])) };
}

const check = (resource: Resource, holds: (rows: readonly Row[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(anyRows(resource), holds), { seed, numRuns: runs(8, 100) });

describe("Parquet", () => {
  for (const resource of catalog) {
    test(`any of ${resource.name} with decimals as text are the same after an import, also from a file rewritten by another implementation`, async () => {
      await check(resource, async (rows) => {
        const file = await fileOf(resource, rows, "text");
        const expected = rows.map((row) => expectedRow(resource, row));
        assert.deepEqual(await imported(resource, file), expected);
        assert.deepEqual(await imported(resource, rewritten(file)), expected);
      });
    });

    test(`decimals of ${resource.name} are the nearest numbers, or null if unknown`, async () => {
      const decimals = Object.keys(resource.fields).filter((name) => resource.fields[name]?.kind === "decimal");
      await check(resource, async (rows) => {
        const numbers = await valuesOf(rewritten(await fileOf(resource, rows, "double")));
        for (const name of decimals) {
          assert.deepEqual(
            numbers.map((each) => each[name]),
            rows.map((row) => (row[name] === "" ? undefined : Number(row[name]) + 0)),
          );
        }
      });
    });

    test(`the columns of ${resource.name} have the types of their fields, also without records`, async () => {
      const file = await fileOf(resource, [], "double");
      assert.equal(arrow.readSchema(file) instanceof arrow.Schema, true);
      const { schema, num_rows } = parquetMetadata(new Uint8Array(rewritten(file)).buffer);
      assert.equal(num_rows, 0n);
      const columns = schema.filter((_, at) => isColumn(schema, at));
      assert.deepEqual(
        columns.map((column) => [column.name, typeOf(column)]),
        Object.entries(resource.fields).map(([name, field]) => [name, expectedType(field)]),
      );
    });
  }
});

async function valuesOf(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const file = join(folder, `${++files}.parquet`);
  writeFileSync(file, bytes);
  const batches = await Array.fromAsync(openRecords(file).records);
  return batches.flat().map((each) => ("value" in each ? (each.value as Record<string, unknown>) : assert.fail()));
}

/** Whether an element of the flattened schema is a child of the root. */
function isColumn(schema: readonly SchemaElement[], at: number): boolean {
  let next = 1;
  const sizeOf = (index: number): number => {
    let size = 1;
    for (let child = 0; child < (schema[index]?.num_children ?? 0); child++) size += sizeOf(index + size);
    return size;
  };
  while (next < at) next += sizeOf(next);
  return at > 0 && next === at;
}

const typeOf = ({ type, converted_type, logical_type }: SchemaElement): string =>
  logical_type?.type === "TIMESTAMP"
    ? `TIMESTAMP ${logical_type.isAdjustedToUTC ? "UTC" : "local"}`
    : (logical_type?.type ?? converted_type ?? type ?? "");

function expectedType({ kind, range }: Field): string {
  const types: Record<string, string> = {
    decimal: "DOUBLE",
    integer: (range?.max ?? 0) < 2 ** 31 ? "INT32" : "INT64",
    stamp: "TIMESTAMP UTC",
    instant: "TIMESTAMP UTC",
    day: "DATE",
    clock: "TIME",
    flag: "BOOLEAN",
    list: "LIST",
    "list of text": "LIST",
  };
  // Another implementation reads JSON as text.
  return types[kind] ?? "STRING";
}
