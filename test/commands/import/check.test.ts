// `import --check`, rejections, and errors in headers and flags.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import { bellwire, fileOf, freshDatabase } from "../support/bellwire.ts";

const articles = [
  ",headline,when,symbol,score",
  "0,One,2020-06-05 10:30:54,A,0.5",
  "1,Two,2020-06-03 10:45:20,AA,",
  "2,Three,yesterday,B,1",
  "",
].join("\n");

describe("import --check", () => {
  test("shows columns, rejections, records as served, and a command, and writes nothing", async () => {
    const database = freshDatabase();
    const file = fileOf("articles.csv", articles.replace("2,Three,yesterday,B,1\n", ""));
    const { status, stdout } = await bellwire(["import", "news", file, "--check", "--database", database]);
    assert.equal(status, 1);
    assert.equal(existsSync(database), false);
    assert.match(stdout, /headline +text +"One" +title\n/);
    assert.match(stdout, /when +timestamp without a time zone +"2020-06-05 10:30:54" +created\n/);
    assert.match(stdout, /Unnamed: 0 +integer +"0" +ignored\n/);
    assert.match(stdout, /0 of 2 records/);
    assert.match(stdout, /\{"author":"",.*"created":"Fri, 05 Jun 2020 06:30:54 -0400".*"stocks":\[\{"name":"A"\}\]/);
    const flags =
      "--map title=headline --map created=when --map stocks=symbol --ignore score --id-from title,created --stamps-in UTC";
    assert.ok(stdout.includes(`bellwire import news ${file} ${flags}\n`), stdout);
    assert.match(stdout, /replace UTC if it isn't that one/);

    const proposed = ["import", "news", file, ...flags.split(" "), "--database", database];
    const checked = await bellwire([...proposed, "--check"]);
    assert.deepEqual([checked.status, /Proposed/.test(checked.stdout)], [0, false]);
    assert.match((await bellwire(proposed)).stdout, /^read 2, created 2/);
  });

  test("reports what would be rejected and why, from standard input too", async () => {
    const input = `{"id":"a","date":"2024-11-05"}\n{"id":"b","date":"x"}\n`;
    const { status, stdout } = await bellwire(["import", "ratings", "-", "--check"], { input });
    assert.equal(status, 1);
    assert.match(stdout, /-:2: refused: date: expected a day as YYYY-MM-DD, got "x"/);
    assert.match(stdout, /1 of 2 records/);
    assert.match(stdout, /"date":"2024-11-05",.*"id":"a"/);
  });

  test("proposes a split of timestamps for calendars", async () => {
    const file = fileOf("ratings.csv", "Symbol;When;Firm;Price Target\nF;2024-11-05T14:30:00Z;Harbor;230\n");
    const { stdout } = await bellwire(["import", "ratings", file, "--check"]);
    assert.match(
      stdout,
      /--map ticker=Symbol --map date=When:date --map analyst=Firm --map 'pt_current=Price Target' --map time=When:time --id-from ticker,date,analyst\n/,
    );
    assert.match(stdout, /"date":"2024-11-05",.*"time":"09:30:00"/);
  });
});

describe("rejections", () => {
  test("because of the header are reported once, however many records there are", async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `${at},Title ${at},2020-06-05`).join("\n");
    const file = fileOf("many.csv", `,headline,date\n${rows}\n`);
    const { status, stdout, stderr } = await bellwire(["import", "news", file, "--database", freshDatabase()]);
    assert.deepEqual([status, stdout], [1, "read 5000, created 0, updated 0, unchanged 0, refused 5000\n"]);
    assert.deepEqual(stderr.trimEnd().split("\n"), [
      `${file}: the column "Unnamed: 0" has no name and is ignored`,
      `${file}:1: header line: news has no attributes "headline", "date": map each with --map FIELD=COLUMN, or drop it with --ignore COLUMN; --check proposes flags`,
      `${file}:1: header line: no column for created, id, title, which are required`,
      `${file}: refused 5,000 records because of the header`,
    ]);
  });

  test("don't happen for rows without a value in the unknown column", async () => {
    const file = fileOf("partly.csv", "id,date,extra\na,2024-11-05,\nb,2024-11-05,x\nc,05.11.2024,x\n");
    const { stdout, stderr } = await bellwire(["import", "ratings", file, "--database", freshDatabase()]);
    assert.match(stdout, /^read 3, created 1, .*refused 2/);
    assert.match(stderr, /partly\.csv:4: refused: date: expected a day as YYYY-MM-DD, got "05\.11\.2024"\n/);
    assert.match(stderr, /partly\.csv: refused 1 record because of the header/);
  });

  test("of one kind are counted after the tenth", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `{"id":"${at}","date":"2024-11-05","importance":${at + 6}}`);
    const input = [...lines, '{"id":"x","date":"x"}', "not json"].join("\n");
    const { stderr } = await bellwire(["import", "ratings", "-", "--database", freshDatabase()], { input });
    const found = stderr.trimEnd().split("\n");
    assert.equal(found.length, 13);
    assert.match(found[9] ?? "", /^-:10: refused: importance: expected an integer from 0 to 5, got 15$/);
    assert.match(found[10] ?? "", /^-:31: refused: date: /);
    assert.match(found[11] ?? "", /^-:32: refused: not valid JSON/);
    assert.equal(found[12], "-: refused 20 more records like the last: importance: expected an integer from 0 to 5");
  });

  test("in a JSON file give the number and the ID of the record", async () => {
    const file = fileOf("line.json", '{"ratings":[{"id":"a","date":"2024-11-05"},{"id":"b","date":"x"},{"date":"x"}]}');
    const { stderr } = await bellwire(["import", "ratings", file, "--database", freshDatabase()]);
    assert.match(stderr, /line\.json:1: record 2 \(id "b"\): refused: date: /);
    assert.match(stderr, /line\.json:1: record 3: refused: .*id: expected a value/);
  });

  test("that a flag would prevent come with a hint, once", async () => {
    const input = '{"id":"a","date":"2024-11-05 10:30:00"}\n{"id":"b","date":"2024-11-06 10:30:00"}\n';
    const calendar = await bellwire(["import", "ratings", "-", "--database", freshDatabase()], { input });
    assert.match(calendar.stderr, /\n-: hint: --map date=COLUMN:date reads the day of a timestamp\n$/);
    const item = '{"id":1,"title":"t","created":"2024-11-05 10:30:00"}\n';
    const news = await bellwire(["import", "news", "-", "--database", freshDatabase()], { input: item });
    assert.match(news.stderr, /\n-: hint: --stamps-in ZONE reads timestamps that have no time zone\n$/);
  });

  test("include CUSIPs in exponent notation, which have lost their digits", async () => {
    const file = fileOf("cusip.csv", "id,date,cusip\na,2024-11-05,3.07833E+08\nb,2024-11-05,68389E101\n");
    const { stdout, stderr } = await bellwire(["import", "ratings", file, "--database", freshDatabase()]);
    assert.match(stdout, /created 1, .*refused 1/);
    assert.match(stderr, /:2: refused: cusip: .*not in exponent notation, got "3\.07833E\+08"/);
  });
});

describe("mapping flags", () => {
  test("that name columns the file doesn't have are reported, and nothing is read", async () => {
    const file = fileOf("named.csv", "sym,date\nF,2024-11-05\n");
    for (const [flag, value, name] of [
      ["--map", "ticker=symbol", "symbol"],
      ["--id-from", "sym,dat", "dat"],
    ] as const) {
      const { status, stderr } = await bellwire([
        "import",
        "ratings",
        file,
        flag,
        value,
        "--database",
        freshDatabase(),
      ]);
      assert.equal(status, 1);
      assert.equal(
        stderr,
        `${file}:1: refused: header line: ${flag} names "${name}", but the columns are "sym", "date"; nothing was read\n`,
      );
    }
  });

  test("may be in a file, and report what --ignore-unknown drops once", async () => {
    const mapping = fileOf(
      "mapping.json",
      '{"map":{"ticker":"sym"},"ignore-unknown":true,"id-from":["ticker","date"]}',
    );
    const file = fileOf(
      "mapped.ndjson",
      '{"sym":"F","date":"2024-11-05","a":1}\n{"sym":"GM","date":"2024-11-05","a":1,"b":2}\n',
    );
    const args = ["import", "ratings", file, "--mapping", mapping, "--database", freshDatabase()];
    const { status, stdout, stderr } = await bellwire(args);
    assert.deepEqual([status, stdout], [0, "read 2, created 2, updated 0, unchanged 0, refused 0\n"]);
    assert.equal(stderr, "ignored unknown attributes, with the number of records: a (2), b (1)\n");
    const missing = await bellwire(["import", "ratings", file, "--mapping", "none.json"]);
    assert.deepEqual([missing.status, missing.stdout], [2, ""]);
    assert.match(missing.stderr, /^bellwire: --mapping: cannot read "none\.json"/);
  });

  test("are rejected before anything is read", async () => {
    const database = freshDatabase();
    const run = await bellwire(["import", "ratings", "-", "--map", "tikcer=x", "--database", database]);
    assert.equal(run.status, 2);
    assert.match(run.stderr, /^bellwire: --map: ratings has no field "tikcer"/);
    assert.equal(existsSync(database), false);
  });
});
