// Writes a bulk file: all records of a resource as its list returns them, with every field, in the order of their IDs.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Field, Rendering } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { BulkFormat } from "../core/output/bulk.ts";
import { encodeRecord, fullRecord } from "../core/record/encoding.ts";
import type { Row, WireRecord } from "../core/record/row.ts";
import { parquetColumns } from "../ingest/formats/parquet/columns.ts";
import { writeParquet } from "../ingest/formats/parquet/write.ts";
import { writeRecords } from "../ingest/formats/write.ts";
import type { Store } from "../store/store.ts";

export type WrittenFile = {
  /** Version of the records that the file has, or of earlier ones if they changed meanwhile. */
  readonly stamp: string;
  /** Of the contents. */
  readonly hash: string;
};

export async function writeBulkFile(
  store: Store,
  resource: Resource,
  format: BulkFormat,
  file: string,
): Promise<WrittenFile> {
  // Read before the records.
  const state = await store.state();
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const sink = createWriteStream(file, { mode: 0o600 });
  const rows = store.scan(resource);
  const { rendering } = state;
  if (format === "parquet") await pipeline(Readable.from(parquet(resource, rows, rendering)), hashing, sink);
  else await pipeline(Readable.from(lines(resource, rows, rendering)), createGzip(), hashing, sink);
  return { stamp: state.versionTag(resource), hash: hash.digest("hex").slice(0, 32) };
}

/** As in a response with every field that the list can return. */
function wireOf(resource: Resource, row: Row, rendering: Rendering): WireRecord {
  const { fragments, heavy, hidden } = encodeRecord(resource, row, rendering);
  const json = fragments.map((fragment, at) => fragment + (heavy[at] ?? "")).join("");
  return fullRecord(resource, json, hidden, rendering);
}

async function* lines(resource: Resource, rows: AsyncIterable<Row>, rendering: Rendering): AsyncGenerator<string> {
  async function* records() {
    for await (const row of rows) yield wireOf(resource, row, rendering);
  }
  yield* writeRecords(records(), "ndjson", []);
}

const isListed = ({ shown }: Field): boolean => shown !== "never";

function parquet(resource: Resource, rows: AsyncIterable<Row>, rendering: Rendering): AsyncIterable<Uint8Array> {
  const derived = Object.keys(resource.fields).filter((name) => resource.fields[name]?.derive !== undefined);
  async function* complete() {
    for await (const row of rows) {
      if (derived.length === 0) yield row;
      else {
        const wire = wireOf(resource, row, rendering);
        yield { ...row, ...Object.fromEntries(derived.map((name) => [name, wire[name] ?? row[name] ?? null])) };
      }
    }
  }
  return writeParquet(complete(), parquetColumns(resource.fields, "double", isListed));
}
