// CSV: quoting by RFC 4180, lines counted as in an editor, and recovery after an unbalanced quote.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { delimiterOf, readCsv } from "../../src/ingest/formats/csv.ts";
import { runs } from "../support/budget.ts";
import { all, inPieces, nastyText, pieceSizes } from "./pieces.ts";

const read = (content: string | Uint8Array, sizes?: number[], delimiter?: string) =>
  all(readCsv(inPieces(content, sizes), { delimiter }));

/** The result must not depend on where the chunks end. */
async function readAnyway(content: string | Uint8Array): Promise<unknown[]> {
  const whole = await read(content);
  for (const size of [1, 2, 3, 7]) assert.deepEqual(await read(content, [size]), whole, `in chunks of ${size}`);
  return whole;
}

test("each row is a record with the names of the header, and an empty cell is omitted", async () => {
  assert.deepEqual(await readAnyway('id,date,notes\n1,2024-01-02,\n2,,"a, b"\n'), [
    { line: 2, value: { id: "1", date: "2024-01-02" } },
    { line: 3, value: { id: "2", notes: "a, b" } },
  ]);
});

test("the last row needs no line break, and lines may end with CRLF or LF", async () => {
  assert.deepEqual(await readAnyway('id,"date"\r\n1,"x"\n2,"y"\r\n3,"z"'), [
    { line: 2, value: { id: "1", date: "x" } },
    { line: 3, value: { id: "2", date: "y" } },
    { line: 4, value: { id: "3", date: "z" } },
  ]);
});

test("a byte order mark is skipped, also before a quoted name", async () => {
  assert.deepEqual(await readAnyway('\uFEFF"id",date\n1,x\n'), [{ line: 2, value: { id: "1", date: "x" } }]);
});

test("a record has the line number where it starts: quoted cells may span lines, and blank lines count", async () => {
  assert.deepEqual(await readAnyway('\nid,notes\r\n\r\n1,"a\r\nb\nc"\r\n\n\n2,"say ""yes"""\r\n3,x'), [
    { line: 4, value: { id: "1", notes: "a\r\nb\nc" } },
    { line: 9, value: { id: "2", notes: 'say "yes"' } },
    { line: 10, value: { id: "3", notes: "x" } },
  ]);
});

test("blanks around a cell belong to it", async () => {
  assert.deepEqual(await readAnyway("id,notes\n1, a \n"), [{ line: 2, value: { id: "1", notes: " a " } }]);
});

test("a row with the wrong number of cells is a problem with both numbers", async () => {
  assert.deepEqual(await readAnyway("id,a,b\n1,x,y\n2\n3,x,y,z\n4,x,y\n"), [
    { line: 2, value: { id: "1", a: "x", b: "y" } },
    { line: 3, problem: "1 cell where the header has 3" },
    { line: 4, problem: "4 cells where the header has 3" },
    { line: 5, value: { id: "4", a: "x", b: "y" } },
  ]);
});

test("a header with a duplicate name is one problem and nothing is read", async () => {
  assert.deepEqual(await readAnyway("\nid,date,id\n1,2,3\n4,5,6\n"), [
    { line: 2, problem: 'header line: the column "id" appears twice; nothing was read' },
  ]);
});

test("a column without a name gets the name that pandas gives it", async () => {
  assert.deepEqual(await readAnyway(",id, \n0,a,x\n1,b,\n"), [
    { line: 2, value: { "Unnamed: 0": "0", id: "a", "Unnamed: 2": "x" } },
    { line: 3, value: { "Unnamed: 0": "1", id: "b" } },
  ]);
});

test("the delimiter is the most frequent one in the header, outside of quotes", async () => {
  for (const [header, delimiter] of [
    ["id,date", ","],
    ["id;date", ";"],
    ["id\tdate", "\t"],
    ["id|date", "|"],
    ["id", ","],
    ['"a;b;c",d', ","],
    ["a,b;c", ","],
    ["a b;c d;e", ";"],
  ] as const)
    assert.equal(delimiterOf(`${header}\n;;;;;,`), delimiter, header);
  const found = [{ line: 2, value: { id: "1", notes: "a, b" } }];
  assert.deepEqual(await readAnyway("id;notes\n1;a, b\n"), found);
  assert.deepEqual(await readAnyway("id\tnotes\n1\ta, b\n"), found);
  assert.deepEqual(await read("id,notes\n1,x\n", undefined, "\t"), [{ line: 2, value: { "id,notes": "1,x" } }]);
});

test("an unusable header is one problem and nothing is read", async () => {
  assert.deepEqual(await readAnyway('id,da"te\n1,2\n'), [
    {
      line: 1,
      problem: "header line: an unquoted cell contains a quote; enclose the whole cell in quotes; nothing was read",
    },
  ]);
  assert.deepEqual(await readAnyway("id,__proto__\n1,2\n"), [
    { line: 1, problem: 'header line: a column cannot be named "__proto__"; nothing was read' },
  ]);
  assert.deepEqual(await readAnyway("id,date\r1,2\r3,4\r"), [
    {
      line: 1,
      problem: "header line: a column name contains a line break; lines end with LF or CRLF; nothing was read",
    },
  ]);
  assert.deepEqual(await readAnyway(Buffer.from("id,prénom\n1,2\n", "latin1")), [
    { line: 1, problem: "header line: not valid UTF-8 text; nothing was read" },
  ]);
});

test("a file without a header is a problem, one without rows is not", async () => {
  const problem = "the file is empty: a header line with column names was expected";
  for (const content of ["", "\uFEFF", "\n\r\n"]) assert.deepEqual(await readAnyway(content), [{ line: 1, problem }]);
  for (const content of ["id,date", "id,date\r\n"]) assert.deepEqual(await readAnyway(content), []);
});

test("a row that is not UTF-8 is a problem of only that row", async () => {
  const bytes = Buffer.concat([Buffer.from("id,a\n1,é\n2,"), Buffer.from("é", "latin1"), Buffer.from("\n3,\uFFFD\n")]);
  assert.deepEqual(await readAnyway(bytes), [
    { line: 2, value: { id: "1", a: "é" } },
    { line: 3, problem: "not valid UTF-8 text" },
    { line: 4, value: { id: "3", a: "\uFFFD" } },
  ]);
});

test("an unbalanced quote is a problem of its row, and the next rows are read", async () => {
  assert.deepEqual(await readAnyway('id,a\n1,x\n2,5" pipe\n3,"a"b\n\n4,"x\ny"\n5,z\n'), [
    { line: 2, value: { id: "1", a: "x" } },
    { line: 3, problem: "an unquoted cell contains a quote; enclose the whole cell in quotes" },
    {
      line: 4,
      problem: 'a quoted cell continues after its closing quote; a quote inside a quoted cell is doubled ("")',
    },
    { line: 6, value: { id: "4", a: "x\ny" } },
    { line: 8, value: { id: "5", a: "z" } },
  ]);
});

test("a quote that is never closed loses only its own row, not the rest of the file", async () => {
  assert.deepEqual(await readAnyway('id,a\n1,x\n\n2,"y\n3,z\n4,w'), [
    { line: 2, value: { id: "1", a: "x" } },
    { line: 4, problem: "a quote is never closed" },
    { line: 5, value: { id: "3", a: "z" } },
    { line: 6, value: { id: "4", a: "w" } },
  ]);
  assert.deepEqual(await readAnyway('id,a\n1,"x'), [{ line: 2, problem: "a quote is never closed" }]);
});

test("a row of more than 16 MiB is a problem and is skipped", async () => {
  const problem = "larger than 16 MiB, or a quote is not closed; skipped";
  assert.deepEqual(await read(`id,a\n1,${"x".repeat(17 * 1024 * 1024)}\n2,y\n`), [
    { line: 2, problem },
    { line: 3, value: { id: "2", a: "y" } },
  ]);
});

test("a quote that is not closed within 16 MiB loses only its own row", async () => {
  const rows = 4000;
  const long = "y".repeat(4400);
  const found = await read(`id,a\n1,"x\n${`2,${long}\n`.repeat(rows)}`);
  assert.deepEqual(found[0], { line: 2, problem: "larger than 16 MiB, or a quote is not closed; skipped" });
  assert.equal(found.length, 1 + rows);
  assert.deepEqual(found.at(-1), { line: rows + 2, value: { id: "2", a: long } });
});

test("any text is read to its end without an exception, and the same in any chunks", async () => {
  const text = fc.array(fc.oneof(nastyText, fc.constantFrom('"', ",", "\n", "\r\n", "1,2\n", '"a","b"\r\n')), {
    maxLength: 20,
  });
  const property = fc.asyncProperty(text, pieceSizes, async (parts, sizes) => {
    const content = `id,a\n${parts.join("")}`;
    const found = await read(content, sizes);
    assert.deepEqual(await read(content), found);
    const lines = content.split("\n").length;
    let last = 1;
    for (const { line } of found) {
      assert.ok(line > last && line <= lines, `line ${line} after ${last} of ${lines}`);
      last = line;
    }
  });
  await fc.assert(property, { numRuns: runs(40, 200) });
});
