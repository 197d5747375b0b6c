// Files as users have them: in any format, missing, unreadable, or different from what their name suggests.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type FileFormat, formatOf } from "../../src/ingest/formats/format.ts";
import { openRecords } from "../../src/ingest/formats/open.ts";
import { fileOf, folder, many, manyAs } from "./files.ts";
import { all, values } from "./pieces.ts";

test("the format is recognized by the file extension", () => {
  const known: Record<string, FileFormat> = {
    "a.json": { format: "json" },
    "a.ndjson": { format: "ndjson" },
    "a.jsonl": { format: "ndjson" },
    "/x.y/a.b.csv": { format: "csv" },
    "a.tsv": { format: "csv", delimiter: "\t" },
    "a.json.gz": { format: "json", compression: "gzip" },
    "a.ndjson.gz": { format: "ndjson", compression: "gzip" },
    "a.jsonl.zst": { format: "ndjson", compression: "zstd" },
    "A.CSV.GZ": { format: "csv", compression: "gzip" },
    "a.tsv.zst": { format: "csv", delimiter: "\t", compression: "zstd" },
    "a.parquet": { format: "parquet" },
    "-": { format: "ndjson" },
  };
  for (const [file, format] of Object.entries(known)) assert.deepEqual(formatOf(file), format, file);
  for (const file of ["a", "a.txt", "a.parquet.gz", "a.gz", "json", "a.json.zip", "a.json/b", "", "csv.gz"]) {
    assert.equal(formatOf(file), undefined, file);
  }
});

for (const format of ["json", "ndjson", "csv"] as const) {
  test(`a .${format} file is read, compressed or not, and its bytes on disk are counted`, async () => {
    const content = await manyAs(format);
    for (const [name, bytes] of [
      [`many.${format}`, Buffer.from(content)],
      [`many.${format}.gz`, gzipSync(content)],
      [`many.${format}.zst`, zstdCompressSync(content)],
    ] as const) {
      const file = fileOf(name, bytes);
      let counted = 0;
      const { totalBytes, records } = openRecords(file, {
        onBytes: (count) => {
          counted += count;
        },
      });
      assert.deepEqual(values(await all(records)), many);
      assert.equal(totalBytes, bytes.length);
      assert.equal(counted, bytes.length);
    }
  });
}

test("a missing file, a directory, and an unknown extension are rejected immediately, by name", () => {
  assert.throws(
    () => openRecords(join(folder, "none.json")),
    /^Error: cannot read ".*none\.json": there is no such file$/,
  );
  mkdirSync(join(folder, "folder.json"));
  assert.throws(
    () => openRecords(join(folder, "folder.json")),
    /^Error: ".*folder\.json" is a directory: a file ending in \.json, \.ndjson, \.jsonl, \.csv or \.tsv, each also with \.gz or \.zst, or \.parquet was expected$/,
  );
  assert.throws(
    () => openRecords(fileOf("news.xml", "")),
    /^Error: ".*news\.xml" has an ending that is not known: \.json, \.ndjson, \.jsonl, \.csv or \.tsv, each also with \.gz or \.zst, or \.parquet was expected$/,
  );
});

test("an unreadable file is rejected by name", {
  skip: process.getuid?.() === 0 && "root may read every file",
}, () => {
  const file = fileOf("secret.json", "[]");
  chmodSync(file, 0o000);
  assert.throws(() => openRecords(file), /^Error: cannot read ".*secret\.json": permission is denied$/);
});

test("a file that vanishes before it is read is rejected by name", async () => {
  const file = fileOf("vanishing.json", "[]");
  const { records } = openRecords(file);
  rmSync(file);
  await assert.rejects(all(records), /^Error: cannot read ".*vanishing\.json": there is no such file$/);
});

/** Only this file: other code in the process has files open too. */
const isOpen = (file: string): boolean =>
  readdirSync("/proc/self/fd").some((descriptor) => {
    try {
      return readlinkSync(join("/proc/self/fd", descriptor)) === realpathSync(file);
    } catch {
      return false;
    }
  });

test("reading may stop before the end, and the file is closed", async () => {
  for (const format of ["json", "ndjson", "csv"] as const) {
    const content = await manyAs(format);
    const files = [fileOf(`stop.${format}`, content), fileOf(`stop.${format}.gz`, gzipSync(content))];
    for (const file of files) {
      const { records } = openRecords(file);
      assert.equal((await records.next()).done, false);
      if (process.platform === "linux") assert.ok(isOpen(file));
      assert.equal((await records.return(undefined)).done, true);
      if (process.platform === "linux") assert.ok(!isOpen(file));
    }
  }
});

test("standard input is NDJSON, gzipped or not, of unknown size", async () => {
  const open = new URL("../../src/ingest/formats/open.ts", import.meta.url).href;
  const script = `
    const { openRecords } = await import(${JSON.stringify(open)});
    const { totalBytes, records } = openRecords("-");
    const found = [];
    try {
      for await (const batch of records) found.push(...batch);
    } catch (error) {
      found.push(error.message);
    }
    console.log(JSON.stringify({ found, total: String(totalBytes) }));
  `;
  const input = async (content: Uint8Array | string): Promise<unknown> => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.end(content);
    return JSON.parse(await text(child.stdout));
  };
  const found = [
    { line: 1, value: { id: 1 } },
    { line: 2, value: { id: 2 } },
  ];
  assert.deepEqual(await input('{"id":1}\n{"id":2}'), { found, total: "undefined" });
  assert.deepEqual(await input(gzipSync('{"id":1}\n{"id":2}')), { found, total: "undefined" });
  assert.deepEqual(await input(gzipSync('{"id":1}\n{"id":2}').subarray(0, 15)), {
    found: ["cannot read standard input: its gzip data is truncated"],
    total: "undefined",
  });
});
