// Compressed files: intact, truncated, damaged, or not gzipped at all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { ParsedRecord } from "../../src/ingest/formats/format.ts";
import { fileOf, many, manyAs, read } from "./files.ts";
import { problems, values } from "./pieces.ts";

for (const format of ["json", "ndjson", "csv"] as const) {
  test(`a truncated gzipped .${format} file yields the records before the cut, then a problem`, async () => {
    const gzipped = gzipSync(await manyAs(format));
    for (const share of [0.3, 0.9, 0.999]) {
      const found = await read(fileOf(`cut.${format}.gz`, gzipped.subarray(0, gzipped.length * share)));
      const before = values(found);
      assert.ok(before.length > many.length * (share - 0.05), `${before.length} records of a share of ${share}`);
      assert.deepEqual(before, many.slice(0, before.length));
      const last = found.at(-2);
      assert.deepEqual(problems(found), [
        { line: last!.line, problem: "the gzip data is truncated: nothing after the record that begins here was read" },
      ]);
      assert.deepEqual(found.at(-1), problems(found)[0]);
    }
  });

  test(`a damaged gzipped .${format} file yields the records before the damage, then a problem`, async () => {
    const gzipped = gzipSync(await manyAs(format));
    const place = Math.floor(gzipped.length * 0.9);
    gzipped.fill(0xff, place, place + 100);
    const found = await read(fileOf(`damaged.${format}.gz`, gzipped));
    const damage = found.findIndex(
      (loose) => "problem" in loose && loose.problem.startsWith("the gzip data is damaged"),
    );
    assert.equal(damage, found.length - 1);
    assert.ok(values(found).length > 0);
  });
}

test("a gzipped file with a wrong checksum is reported as damaged", async () => {
  const gzipped = gzipSync('{"id":1}\n{"id":2}\n');
  gzipped[gzipped.length - 6]! ^= 1;
  const found = await read(fileOf("checksum.ndjson.gz", gzipped)).catch((error: Error) => error);
  if (found instanceof Error) assert.match(found.message, /checksum\.ndjson\.gz": its gzip data is damaged$/);
  else assert.match(problems(found).at(-1)!.problem, /^the gzip data is damaged/);
});

test("gzipped data in several members is read as one, and padding after it is skipped", async () => {
  const parts = [gzipSync('{"id":1}\n{"id":'), gzipSync("2}\n"), Buffer.alloc(1_000_000)];
  const expected: ParsedRecord[] = [
    { line: 1, value: { id: 1 } },
    { line: 2, value: { id: 2 } },
  ];
  assert.deepEqual(await read(fileOf("parts.ndjson.gz", Buffer.concat(parts))), expected);
  assert.deepEqual(await read(fileOf("two-parts.ndjson.gz", Buffer.concat(parts.slice(0, 2)))), expected);
});

test("gzipped data is recognized by its first bytes, also if the name doesn't say so", async () => {
  assert.deepEqual(await read(fileOf("gzipped.ndjson", gzipSync('{"id":1}\n'))), [{ line: 1, value: { id: 1 } }]);
});

test("an empty gzipped file is rejected by name", async () => {
  const gzipped = gzipSync(await manyAs("ndjson"));
  await assert.rejects(
    read(fileOf("early.ndjson.gz", gzipped.subarray(0, 30))),
    /^Error: cannot read ".*early\.ndjson\.gz": its gzip data is truncated$/,
  );
  gzipped.fill(0xff, 10, 200);
  await assert.rejects(
    read(fileOf("bad.ndjson.gz", gzipped)),
    /^Error: cannot read ".*bad\.ndjson\.gz": its gzip data is damaged$/,
  );
});

test("a file named .gz that isn't gzipped is rejected by name", async () => {
  for (const content of ['{"id":1}\n', ""]) {
    await assert.rejects(
      read(fileOf("plain.ndjson.gz", content)),
      /^Error: cannot read ".*plain\.ndjson\.gz": its name ends in \.gz, but it does not hold gzip data$/,
    );
  }
});
