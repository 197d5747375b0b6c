// What is written is read back unchanged, in every format and in any chunks.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCsv } from "../../src/ingest/formats/csv.ts";
import { readJsonArray } from "../../src/ingest/formats/json-array.ts";
import { readJsonLines } from "../../src/ingest/formats/json-lines.ts";
import { writeRecords } from "../../src/ingest/formats/write.ts";
import { runs } from "../support/budget.ts";
import { all, inPieces, joined, nastyText, pieceSizes } from "./pieces.ts";

const two = [
  { id: 1, title: 'say "yes"', stocks: [{ name: "F" }], teaser: "", open: true },
  { id: 2, stocks: [], body: "a\nb", gone: null },
];

test("NDJSON is one compact object on each line", async () => {
  assert.equal(
    await joined(writeRecords(two, "ndjson", [])),
    '{"id":1,"title":"say \\"yes\\"","stocks":[{"name":"F"}],"teaser":"","open":true}\n' +
      '{"id":2,"stocks":[],"body":"a\\nb","gone":null}\n',
  );
});

test("JSON is an array with one element on each line", async () => {
  const records = [{ id: 1 }, { id: 2 }];
  assert.equal(await joined(writeRecords(records, "json", [])), '[\n{"id":1},\n{"id":2}\n]\n');
});

test("CSV has the requested columns, CRLF, JSON in cells for lists, and quotes if they are needed", async () => {
  assert.equal(
    await joined(writeRecords(two, "csv", ["id", "title", "stocks", "teaser", "open", "body", "gone"])),
    "id,title,stocks,teaser,open,body,gone\r\n" +
      '1,"say ""yes""","[{""name"":""F""}]",,true,,\r\n' +
      '2,,[],,,"a\nb",\r\n',
  );
});

test("an export without records is a complete file", async () => {
  assert.equal(await joined(writeRecords([], "json", ["id"])), "[]\n");
  assert.equal(await joined(writeRecords([], "ndjson", ["id"])), "");
  assert.equal(await joined(writeRecords([], "csv", ["id", "a,b"])), 'id,"a,b"\r\n');
});

test("a row with one empty cell is not an empty line, which would be skipped", async () => {
  const text = await joined(writeRecords([{ id: "" }, {}, { id: "1" }], "csv", ["id"]));
  assert.equal(text, 'id\r\n""\r\n""\r\n1\r\n');
  assert.deepEqual(await all(readCsv(inPieces(text))), [
    { line: 2, value: {} },
    { line: 3, value: {} },
    { line: 4, value: { id: "1" } },
  ]);
});

test("a column with the name of a method is as empty as any other", async () => {
  assert.equal(
    await joined(writeRecords([{ id: 1 }], "csv", ["id", "toString", "constructor"])),
    "id,toString,constructor\r\n1,,\r\n",
  );
});

test("text is produced in chunks of about 64 kB, from records that arrive one at a time", async () => {
  let input = 0;
  async function* records() {
    for (; input < 10_000; input++) yield { id: input, text: "x".repeat(100) };
  }
  const sizes: number[] = [];
  for await (const text of writeRecords(records(), "ndjson", [])) {
    if (sizes.length === 0) assert.ok(input < 1000, "the first chunk comes before the last record is read");
    sizes.push(text.length);
  }
  for (const size of sizes.slice(0, -1)) assert.ok(size >= 65_536 && size < 66_000, `${size}`);
});

test("any records written as NDJSON or JSON are read back with their lines", async () => {
  const record = fc.dictionary(nastyText, fc.oneof(nastyText, fc.jsonValue({ stringUnit: "binary", maxDepth: 2 })), {
    maxKeys: 5,
  });
  const property = fc.asyncProperty(fc.array(record, { maxLength: 12 }), pieceSizes, async (records, sizes) => {
    // -0 is written as 0, and __proto__ is a name like any other: the expectation is what JSON itself preserves.
    const copies: unknown[] = JSON.parse(JSON.stringify(records));
    const lines = await joined(writeRecords(records, "ndjson", []));
    assert.deepEqual(
      await all(readJsonLines(inPieces(lines, sizes))),
      copies.map((value, at) => ({ line: at + 1, value })),
    );
    const array = await joined(writeRecords(records, "json", []));
    assert.deepEqual(JSON.parse(array), copies);
    assert.deepEqual(
      await all(readJsonArray(inPieces(array, sizes))),
      copies.map((value, at) => ({ line: at + 2, value })),
    );
  });
  await fc.assert(property, { numRuns: runs(40, 200) });
});

test("any records of text written as CSV are read back with their lines", async () => {
  const columns = fc.uniqueArray(
    nastyText.filter(
      (name) => name.trim() !== "" && name !== "__proto__" && !/[\r\n]/.test(name) && !name.startsWith("\uFEFF"),
    ),
    { minLength: 1, maxLength: 5 },
  );
  const tables = columns.chain((names) => {
    const record = fc.record(Object.fromEntries(names.map((name) => [name, nastyText])), { requiredKeys: [] });
    return fc.tuple(fc.constant(names), fc.array(record, { maxLength: 8 }));
  });
  const property = fc.asyncProperty(tables, pieceSizes, async ([names, records], sizes) => {
    let line = 2;
    const expected = records.map((record) => {
      const value = Object.fromEntries(Object.entries(record).filter(([, text]) => text !== ""));
      const begins = line;
      line += 1 + Object.values(value).join("").split("\n").length - 1;
      return { line: begins, value };
    });
    const text = await joined(writeRecords(records, "csv", names));
    assert.deepEqual(await all(readCsv(inPieces(text, sizes))), expected);
  });
  await fc.assert(property, { numRuns: runs(40, 200) });
});
