// NDJSON: every line by itself, whatever is around it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readJsonLines } from "../../src/ingest/formats/json-lines.ts";
import { all, inPieces } from "./pieces.ts";

const read = (content: string | Uint8Array, sizes?: number[]) => all(readJsonLines(inPieces(content, sizes)));

test("each line is a record, with its line number", async () => {
  assert.deepEqual(await read('{"id":1}\n{"id":2}\n'), [
    { line: 1, value: { id: 1 } },
    { line: 2, value: { id: 2 } },
  ]);
});

test("the last line needs no line break", async () => {
  assert.deepEqual(await read('{"id":1}\n{"id":2}'), [
    { line: 1, value: { id: 1 } },
    { line: 2, value: { id: 2 } },
  ]);
});

test("blank lines are skipped, but counted", async () => {
  assert.deepEqual(await read('\n  \n{"id":1}\r\n\r\n\t\n{"id":2}\n\n'), [
    { line: 3, value: { id: 1 } },
    { line: 6, value: { id: 2 } },
  ]);
});

test("lines may end with CRLF, also if a chunk ends between the two", async () => {
  for (const size of [1, 2, 3, 9, 10]) {
    assert.deepEqual(await read('{"id":1}\r\n{"id":2}\r\n', [size]), [
      { line: 1, value: { id: 1 } },
      { line: 2, value: { id: 2 } },
    ]);
  }
});

test("a byte order mark is skipped, also in chunks of one byte", async () => {
  const marked = '\uFEFF{"id":1}\n';
  assert.deepEqual(await read(marked), [{ line: 1, value: { id: 1 } }]);
  assert.deepEqual(await read(marked, [1]), [{ line: 1, value: { id: 1 } }]);
  assert.deepEqual(await read("\uFEFF"), []);
});

test("a character may span chunks", async () => {
  assert.deepEqual(await read('{"name":"Crédit 漢 😀"}\n', [1]), [{ line: 1, value: { name: "Crédit 漢 😀" } }]);
});

test("an empty file contains no records", async () => {
  assert.deepEqual(await read(""), []);
});

test("a line that is not JSON is a problem with a reason, and the next lines are read", async () => {
  assert.deepEqual(await read('{"id":1}\n{id:2}\n{"id":3} {}\n{"id":4,\n{"id":tru}\n{"id":6}\n'), [
    { line: 1, value: { id: 1 } },
    { line: 2, problem: "not valid JSON: Expected property name or '}' at character 2" },
    { line: 3, problem: "not valid JSON: Unexpected non-whitespace character after the value at character 10" },
    { line: 4, problem: "not valid JSON: Expected double-quoted property name at character 9" },
    { line: 5, problem: 'not valid JSON: Unexpected token \'}\', "{"id":tru}"' },
    { line: 6, value: { id: 6 } },
  ]);
});

test("the reason is one short line", async () => {
  const [found] = await read(`{"a":\t${"\t".repeat(500)}tru${"\u2028\u0001x".repeat(500)}\n`);
  assert.ok(found !== undefined && "problem" in found);
  assert.ok(found.problem.length < 200, found.problem);
  assert.doesNotMatch(found.problem, /[\p{Cc}\u2028]/u);
});

test("a line that is not UTF-8 is a problem of only that line", async () => {
  const latin1 = Buffer.from('{"name":"Crédit"}\n', "latin1");
  const bytes = Buffer.concat([Buffer.from('{"id":1}\n'), latin1, Buffer.from('{"id":"\uFFFD"}\n')]);
  for (const size of [1, 5, 1000]) {
    assert.deepEqual(await read(bytes, [size]), [
      { line: 1, value: { id: 1 } },
      { line: 2, problem: "not valid UTF-8 text" },
      { line: 3, value: { id: "\uFFFD" } },
    ]);
  }
});

test("a line of more than 16 MiB is a problem and is skipped, whatever the chunks", async () => {
  const long = `{"id":"${"x".repeat(16 * 1024 * 1024)}"}`;
  const content = `{"id":1}\n${long}\n{"id":3}\n${long}`;
  const problem = "larger than 16 MiB, or a quote or bracket is not closed; skipped";
  for (const size of [65536, 64 * 1024 * 1024]) {
    assert.deepEqual(await read(content, [size]), [
      { line: 1, value: { id: 1 } },
      { line: 2, problem },
      { line: 3, value: { id: 3 } },
      { line: 4, problem },
    ]);
  }
});

test("a line across many small chunks is read in full", async () => {
  const value = { text: "é".repeat(10_000) };
  assert.deepEqual(await read(`${JSON.stringify(value)}\n`, [3]), [{ line: 1, value }]);
});

test("a chunk that completes lines yields one batch, and others yield none", async () => {
  const sizes: number[] = [];
  for await (const batch of readJsonLines(inPieces("1\n2\n3\n4444\n5\n", [6, 2, 20]))) sizes.push(batch.length);
  assert.deepEqual(sizes, [3, 2]);
});
