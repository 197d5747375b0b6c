// Responses as files: records are found inside them, in any chunks, on one line or many.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileInput, type InputInfo } from "../../src/ingest/formats/format.ts";
import { readJsonArray } from "../../src/ingest/formats/json-array.ts";
import { readRecords } from "../../src/ingest/formats/records.ts";
import { all, inPieces, values } from "./pieces.ts";

const inputKind = { ...fileInput, envelopeKeys: ["ratings", "data"] };

/** The result must not depend on where the chunks end. */
async function read(content: string, info: InputInfo = {}): Promise<unknown[]> {
  const whole = await all(readJsonArray(inPieces(content), inputKind, info));
  for (const size of [1, 2, 3, 7])
    assert.deepEqual(await all(readJsonArray(inPieces(content, [size]), inputKind)), whole, `in chunks of ${size}`);
  return whole;
}

const lines = (content: string) =>
  all(readRecords({ name: "x", format: "ndjson", inputKind, info: {} }, inPieces(content)));

describe("a response in a JSON file", () => {
  const a = { id: "a" };
  const b = { id: "b", notes: 'a "quoted" ] } [ {' };

  test("contains its records under the name of the resource or a general one", async () => {
    for (const content of [
      { ratings: [a, b] },
      { ok: true, data: [a, b] },
      { data: { total: 2, ratings: [a, b] }, ok: true },
      { meta: { ratings: [1, { data: [2] }], text: 'x"[]{}\\' }, list: [[], {}], ratings: [a, b], next: null },
      [a, b],
    ])
      assert.deepEqual(values((await read(JSON.stringify(content))) as never), [a, b], JSON.stringify(content));
  });

  test("is recognized as another program's, an array is not", async () => {
    const info: InputInfo = {};
    await read('[{"id":"a"}]', info);
    assert.equal(info.values, undefined);
    await read('{"data":[{"id":"a"}]}', info);
    assert.equal(info.values, "foreign");
  });

  test("gives each record its line", async () => {
    const content = '{\n "ok": true,\n "ratings": [\n  {"id":"a"},\n  {"id":"b"}\n ]\n}\n';
    assert.deepEqual(await read(content), [
      { line: 4, value: { id: "a" } },
      { line: 5, value: { id: "b" } },
    ]);
  });

  test("may be followed by the next one", async () => {
    assert.deepEqual(await read('{"ratings":[{"id":"a"}]}\n{"ratings":[]}{"data":[{"id":"c"}]}'), [
      { line: 1, value: { id: "a" } },
      { line: 2, value: { id: "c" } },
    ]);
  });

  test("without a list of records is one problem with what was found and what was expected", async () => {
    assert.deepEqual(await read('{"id":"a","ticker":"F"}'), [
      {
        line: 1,
        problem:
          'an object without a list of records: an array, or a list under one of "ratings", "data" was expected, but it has "id", "ticker"; a file with one object on each line is named .ndjson',
      },
    ]);
  });

  test("that is truncated or followed by something else is a problem after its records", async () => {
    assert.deepEqual(await read('{"ratings":[{"id":"a"}],"x":'), [
      { line: 1, value: { id: "a" } },
      { line: 1, problem: "the file is truncated: the } that ends the response is missing" },
    ]);
    assert.deepEqual(await read('{"ratings":[{"id":"a"}]} x'), [
      { line: 1, value: { id: "a" } },
      { line: 1, problem: "there is text after the } that ends the response; it was not read" },
    ]);
  });
});

test("a line of NDJSON may be a response or an array", async () => {
  assert.deepEqual(await lines('{"ratings":[{"id":"a"},{"id":"b"}]}\n{"id":"c"}\n[{"id":"d"}]\n'), [
    { line: 1, value: { id: "a" } },
    { line: 1, value: { id: "b" } },
    { line: 2, value: { id: "c" } },
    { line: 3, value: { id: "d" } },
  ]);
});

test("sent over HTTP is never searched for records", async () => {
  const source = { name: "the body", format: "json" } as const;
  assert.match(JSON.stringify(await all(readRecords(source, inPieces('{"ratings":[]}')))), /not a JSON array/);
});
