// JSON arrays: the same values as from JSON.parse, in any chunks.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readJsonArray } from "../../src/ingest/formats/json-array.ts";
import { runs } from "../support/budget.ts";
import { all, inPieces, pieceSizes, values } from "./pieces.ts";

const read = (content: string | Uint8Array, sizes?: number[]) => all(readJsonArray(inPieces(content, sizes)));

/** The result must not depend on where the chunks end. */
async function readAnyway(content: string | Uint8Array): Promise<unknown[]> {
  const whole = await read(content);
  for (const size of [1, 2, 3, 7]) assert.deepEqual(await read(content, [size]), whole, `in chunks of ${size}`);
  return whole;
}

test("each element is a record, with the line on which it starts", async () => {
  assert.deepEqual(await readAnyway('[\n  {"id": 1,\n   "a": [1, {"b": "]}"}]},\n\n  {"id": 2}, {"id": 3}\n]\n'), [
    { line: 2, value: { id: 1, a: [1, { b: "]}" }] } },
    { line: 5, value: { id: 2 } },
    { line: 5, value: { id: 3 } },
  ]);
});

test("elements may be of any kind", async () => {
  assert.deepEqual(values((await readAnyway('[1,"a, ]",null,[],{},[[1],[2]],-1.5e3,true]')) as never), [
    1,
    "a, ]",
    null,
    [],
    {},
    [[1], [2]],
    -1500,
    true,
  ]);
});

test("an empty array contains no records", async () => {
  for (const content of ["[]", " [ ] ", "\uFEFF[\r\n]\r\n"]) assert.deepEqual(await readAnyway(content), []);
});

test("a byte order mark and CRLF are skipped", async () => {
  assert.deepEqual(await readAnyway('\uFEFF[\r\n{"id":1},\r\n{"id":2}\r\n]\r\n'), [
    { line: 2, value: { id: 1 } },
    { line: 3, value: { id: 2 } },
  ]);
});

test("escaped quotes and backslashes don't end a string", async () => {
  const value = { a: 'x"],{\\', b: "\\\\", c: '\\"' };
  assert.deepEqual(await readAnyway(`[${JSON.stringify(value)},1]`), [
    { line: 1, value },
    { line: 1, value: 1 },
  ]);
});

test("an element of more than 16 MiB is a problem and is skipped, whatever the chunks", async () => {
  const long = `{"id":["${"x".repeat(16 * 1024 * 1024)}"]}`;
  for (const size of [65536, 64 * 1024 * 1024]) {
    assert.deepEqual(await read(`[1,\n${long},\n3]`, [size]), [
      { line: 1, value: 1 },
      { line: 2, problem: "larger than 16 MiB, or a quote or bracket is not closed; skipped" },
      { line: 3, value: 3 },
    ]);
  }
});

test("reading stops once the file is known not to be an array", async () => {
  let pulled = 0;
  async function* endless() {
    for (;;) {
      pulled++;
      yield Buffer.from("no array\n");
    }
  }
  assert.equal((await all(readJsonArray(endless()))).length, 1);
  assert.equal(pulled, 1);
});

test("any array of JSON values is parsed like JSON.parse does, however it is indented and split", async () => {
  const json = fc.jsonValue({ stringUnit: "binary", maxDepth: 3 });
  const property = fc.asyncProperty(
    fc.array(json),
    fc.integer({ min: 0, max: 3 }),
    pieceSizes,
    async (list, indent, sizes) => {
      const text = JSON.stringify(list, null, indent);
      const found = await read(text, sizes);
      assert.deepEqual(values(found), JSON.parse(text));
      assert.equal(found.length, list.length);
    },
  );
  await fc.assert(property, { numRuns: runs(60, 300) });
});
