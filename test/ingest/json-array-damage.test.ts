// Malformed or truncated JSON arrays: all damage is reported with its line, and everything around it is read.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readJsonArray } from "../../src/ingest/formats/json-array.ts";
import { runs } from "../support/budget.ts";
import { all, inPieces, nastyText, pieceSizes, problems, values } from "./pieces.ts";

const read = (content: string | Uint8Array, sizes?: number[]) => all(readJsonArray(inPieces(content, sizes)));

/** The result must not depend on where the chunks end. */
async function readAnyway(content: string | Uint8Array): Promise<unknown[]> {
  const whole = await read(content);
  for (const size of [1, 2, 3, 7]) assert.deepEqual(await read(content, [size]), whole, `in chunks of ${size}`);
  return whole;
}

test("an element that is not JSON is a problem, and reading continues after the next comma", async () => {
  assert.deepEqual(
    await readAnyway('[{"id":1},\n{id:2},\n{"id":3} {},\n{"id":[4},\n{"id":5]},\ntru,\n{"id":7,\n"a":},\n{"id":8}]'),
    [
      { line: 1, value: { id: 1 } },
      { line: 2, problem: "not valid JSON: Expected property name or '}' at character 2" },
      { line: 3, problem: "not valid JSON: Unexpected non-whitespace character after the value at character 10" },
      { line: 4, problem: "not valid JSON: Expected ',' or ']' after array element at character 9" },
      { line: 5, problem: "not valid JSON: Expected ',' or '}' after property value at character 8" },
      { line: 6, problem: "not valid JSON: Unexpected end of JSON input" },
      { line: 7, problem: 'not valid JSON: Unexpected token \'}\', "{"id":7, "a":}"' },
      { line: 9, value: { id: 8 } },
    ],
  );
});

test("a malformed element of several lines is reported with its line in the file", async () => {
  assert.deepEqual(await readAnyway('[\n{\n"id": 1\n"a": 2\n},\n1]'), [
    { line: 2, problem: "not valid JSON: Expected ',' or '}' after property value on line 4" },
    { line: 6, value: 1 },
  ]);
});

test("an element that is not UTF-8 is a problem of only that element", async () => {
  const bytes = Buffer.concat([
    Buffer.from('[{"a":"'),
    Buffer.from("é", "latin1"),
    Buffer.from('"},\n{"a":"\uFFFD"}]'),
  ]);
  assert.deepEqual(await readAnyway(bytes), [
    { line: 1, problem: "not valid UTF-8 text" },
    { line: 2, value: { a: "\uFFFD" } },
  ]);
});

test("a missing quote loses one element if each starts on its own line", async () => {
  assert.deepEqual(await readAnyway('[\n{"id":1},\n{"id":"2},\n{"id":3},\n{"id":"4}\n]\n'), [
    { line: 2, value: { id: 1 } },
    {
      line: 3,
      problem: "not valid JSON: a line ends inside a string, so a closing quote is missing; reading resumes at line 4",
    },
    { line: 4, value: { id: 3 } },
    {
      line: 5,
      problem: "not valid JSON: a line ends inside a string, so a closing quote is missing; reading resumes at line 6",
    },
  ]);
});

test("after a missing quote, reading continues at the next element with the same indent", async () => {
  const content = JSON.stringify([{ id: "one", list: [{ a: 1 }] }, { id: "two" }, { id: "three" }], null, 2);
  assert.deepEqual(await readAnyway(content.replace('"one"', '"one')), [
    {
      line: 2,
      problem: "not valid JSON: a line ends inside a string, so a closing quote is missing; reading resumes at line 10",
    },
    { line: 10, value: { id: "two" } },
    { line: 13, value: { id: "three" } },
  ]);
});

test("a line break after a backslash is still a line break", async () => {
  assert.deepEqual(await readAnyway('[\n{"id":"\\\n"},\n{"id":2}\n]'), [
    {
      line: 2,
      problem: "not valid JSON: a line ends inside a string, so a closing quote is missing; reading resumes at line 4",
    },
    { line: 4, value: { id: 2 } },
  ]);
});

test("a missing quote in an element that shares its line ends the reading, with a problem", async () => {
  assert.deepEqual(await readAnyway('[{"id":"1},\n{"id":2}\n]'), [
    {
      line: 1,
      problem:
        "not valid JSON: a line ends inside a string, so a closing quote is missing; nothing after it could be read",
    },
  ]);
});

test("commas without a record are problems", async () => {
  assert.deepEqual(await readAnyway("[,1,\n,2,\n]"), [
    { line: 1, problem: "a comma with no record before it" },
    { line: 1, value: 1 },
    { line: 2, problem: "a comma with no record before it" },
    { line: 2, value: 2 },
    { line: 3, problem: "a comma with no record after it" },
  ]);
});

test("an empty file is a problem", async () => {
  const problem = "the file is empty: a JSON array of records was expected";
  assert.deepEqual(await readAnyway(""), [{ line: 1, problem }]);
  assert.deepEqual(await readAnyway("\n\n "), [{ line: 3, problem }]);
});

test("a file that is not an array is a problem, with a hint for NDJSON", async () => {
  assert.deepEqual(await readAnyway('\n{"id":1}\n{"id":2}\n'), [
    {
      line: 2,
      problem: "not a JSON array: [ was expected first; a file with one object on each line is named .ndjson",
    },
  ]);
  assert.deepEqual(await readAnyway('"text"'), [{ line: 1, problem: "not a JSON array: [ was expected first" }]);
});

test("a file truncated between elements yields those before, then a problem", async () => {
  const problem = "the file is truncated: the ] that ends the array is missing";
  for (const end of ["", ",", ",\n"]) {
    const line = end.endsWith("\n") ? 3 : 2;
    assert.deepEqual(await readAnyway(`[{"id":1},\n{"id":2}${end}`), [
      { line: 1, value: { id: 1 } },
      { line: 2, value: { id: 2 } },
      { line, problem },
    ]);
  }
  assert.deepEqual(await readAnyway("["), [{ line: 1, problem }]);
});

test("a file truncated within an element is reported with the line where that element starts", async () => {
  const problem =
    "the file ends inside the record that begins here: it is truncated, or a quote or bracket is not closed";
  for (const end of ['{"id":', '{"id":"x', '{"id":"\\', "[1", "12", "tru", '{"id":2,\n"a":[1]']) {
    assert.deepEqual(await readAnyway(`[{"id":1},\n${end}`), [
      { line: 1, value: { id: 1 } },
      { line: 2, problem },
    ]);
  }
});

test("anything after the end of the array is a problem, and is not read", async () => {
  const problem = "there is text after the ] that ends the array; it was not read";
  for (const end of ["[2]", "{}", ",", "]"]) {
    assert.deepEqual(await readAnyway(`[1]\n${end}`), [
      { line: 1, value: 1 },
      { line: 2, problem },
    ]);
  }
});

test("damaged text yields a problem exactly if JSON.parse rejects it", async () => {
  const list = fc.array(
    fc.dictionary(nastyText, fc.oneof(nastyText, fc.integer(), fc.array(nastyText, { maxLength: 2 }))),
    {
      maxLength: 5,
    },
  );
  const edit = fc.record({
    at: fc.nat(400),
    remove: fc.nat(3),
    insert: fc.constantFrom("", '"', "[", "]", "{", "}", ",", "\\", "\n", " ", "x", "\uFEFF", "\u00a0"),
  });
  const property = fc.asyncProperty(
    list,
    fc.nat(2),
    fc.array(edit, { maxLength: 3 }),
    pieceSizes,
    async (list, indent, edits, sizes) => {
      let text = JSON.stringify(list, null, indent);
      for (const { at, remove, insert } of edits) {
        const place = at % (text.length + 1);
        text = (text.slice(0, place) + insert + text.slice(place + remove)).toWellFormed();
      }
      const found = await read(text, sizes);
      let expected: unknown;
      try {
        expected = JSON.parse(text.replace(/^\uFEFF/, ""));
      } catch {
        expected = undefined;
      }
      if (Array.isArray(expected)) {
        assert.deepEqual(problems(found), []);
        assert.deepEqual(values(found), expected);
      } else {
        assert.ok(problems(found).length > 0, text);
      }
      assert.deepEqual(await read(text), found, "the same in one chunk");
    },
  );
  await fc.assert(property, { numRuns: runs(80, 400) });
});
