// `import` and `export`: every format, gzipped or not, standard input, and identical round trips.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { bellwire, bellwireWrites, fileOf, folder, freshDatabase, start } from "./support/bellwire.ts";

const record = {
  id: "a",
  date: "2024-11-05",
  cusip: "037833100",
  importance: 3,
  notes: 'two\nlines, "quoted"',
  pt_current: "230.00",
  ratings_accuracy: { smart_score: "71.20" },
  ticker: "brk.b",
  updated: 1_730_817_000,
};
const other = { id: "b", date: "2024-11-06", updated: 1_730_817_001 };

const exportOf = (resource: string, database: string, ...more: string[]): Promise<string> =>
  bellwireWrites(["export", resource, "--database", database, ...more]);

describe("export and import", () => {
  const lines = [record, other].map((each) => `${JSON.stringify(each)}\n`).join("");

  test("every format, gzipped or not, round-trips to the same records and the same export", async () => {
    const origin = freshDatabase();
    await bellwireWrites(["import", "ratings", fileOf("origin.ndjson", lines), "--database", origin]);
    const exported = await exportOf("ratings", origin);
    assert.deepEqual(
      exported
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
      [record, other],
    );
    const files = [
      "copy.json",
      "copy.ndjson",
      "copy.jsonl",
      "copy.csv",
      "copy.json.gz",
      "copy.ndjson.gz",
      "copy.csv.gz",
    ];
    for (const name of files) {
      const file = join(folder, name);
      assert.equal(await exportOf("ratings", origin, "--output", file), "");
      assert.equal(readFileSync(file)[0] === 0x1f, name.endsWith(".gz"), name);
    }
    const copy = freshDatabase();
    const report = await bellwireWrites(["import", "ratings", ...files, "--database", copy], { ownProcess: true });
    assert.equal(
      report,
      [
        "copy.json: read 2, created 2, updated 0, unchanged 0, refused 0",
        ...files.slice(1).map((name) => `${name}: read 2, created 0, updated 0, unchanged 2, refused 0`),
        "read 14, created 2, updated 0, unchanged 12, refused 0\n",
      ].join("\n"),
    );
    assert.equal(await exportOf("ratings", copy), exported);
  });

  test("--format selects the format of standard output", async () => {
    const database = freshDatabase();
    await bellwireWrites(["import", "ratings", "-", "--database", database], { input: lines });
    assert.deepEqual(JSON.parse(await exportOf("ratings", database, "--format", "json")), [record, other]);
    assert.match(await exportOf("ratings", database, "--format", "csv"), /^[a-z_]+(,[a-z_]+)+\r\n/);
    const wrong = await bellwire(["export", "ratings", "--format", "xml", "--database", database]);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /--format: expected one of json, ndjson, csv, parquet, got "xml"/);
  });

  test("a Parquet file with decimals as text round-trips to the same export; by default, decimals are numbers", async () => {
    const origin = freshDatabase();
    await bellwireWrites(["import", "ratings", "-", "--database", origin], { input: lines });
    const [exact, numbers] = [join(folder, "exact.parquet"), join(folder, "numbers.parquet")];
    assert.equal(await exportOf("ratings", origin, "--decimals", "text", "--output", exact), "");
    assert.equal(await exportOf("ratings", origin, "--format", "parquet", "--output", numbers), "");
    const [same, rounded] = [freshDatabase(), freshDatabase()];
    const created = "read 2, created 2, updated 0, unchanged 0, refused 0\n";
    assert.equal(await bellwireWrites(["import", "ratings", exact, "--database", same]), created);
    assert.equal(await exportOf("ratings", same), await exportOf("ratings", origin));
    assert.equal(await bellwireWrites(["import", "ratings", numbers, "--database", rounded]), created);
    assert.match(await exportOf("ratings", rounded), /"pt_current":"230"/);
  });

  test("options that don't fit Parquet are rejected", async () => {
    for (const [args, message] of [
      [["--decimals", "text"], "--decimals: only for Parquet; ndjson has every decimal as text"],
      [["--format", "parquet", "--decimals", "float"], '--decimals: expected one of double, text, got "float"'],
      [
        ["--format", "parquet", "--output", "ratings.gz"],
        '--output: Parquet is compressed already, expected a name without .gz; got "ratings.gz"',
      ],
    ] as const) {
      const { status, stderr } = await bellwire(["export", "ratings", ...args, "--database", freshDatabase()]);
      assert.equal(status, 2);
      assert.ok(stderr.includes(message), stderr);
    }
  });

  test("an export of news includes hidden attributes", async () => {
    const item = {
      body: "<p>b</p>",
      channels: [{ id: 3, name: "News" }],
      content_type: "story",
      created: "Tue, 05 Nov 2024 09:30:00 -0500",
      id: 1,
      importance: "high",
      regions: ["CAN"],
      stocks: [{ name: "F", primary: true }],
      title: "t",
      updated: "Tue, 05 Nov 2024 09:30:00 -0500",
    };
    const database = freshDatabase();
    await bellwireWrites(["import", "news", "-", "--database", database], { input: `${JSON.stringify(item)}\n` });
    assert.deepEqual(JSON.parse(await exportOf("news", database)), item);
  });

  test("an export without records is empty", async () => {
    const database = freshDatabase();
    await bellwireWrites(["import", "ratings", "-", "--database", database], { input: lines });
    assert.equal(await exportOf("earnings", database), "");
    assert.equal(await exportOf("earnings", database, "--format", "json"), "[]\n");
  });

  test("truncated output of an export is tolerated, as by head", async () => {
    const database = freshDatabase();
    const input = ["a", "b", "c"]
      .map((id) => JSON.stringify({ ...record, id, notes: "n".repeat(1_000_000) }))
      .join("\n");
    await bellwireWrites(["import", "ratings", "-", "--database", database], { input });
    const run = start(["export", "ratings", "--database", database]);
    await run.until("stdout", /^\{/);
    run.child.stdout.destroy();
    const { status, stderr } = await run.finished;
    assert.deepEqual([status, stderr], [0, ""]);
  });
});

describe("import", () => {
  test("reads NDJSON from standard input, gzipped or not", async () => {
    const database = freshDatabase();
    const args = ["import", "earnings", "-", "--database", database];
    const line = (id: string) => `{"id":"${id}","date":"2024-11-05"}\n`;
    assert.match(await bellwireWrites(args, { input: line("a") + line("b") }), /^read 2, created 2/);
    assert.match(
      await bellwireWrites(args, { input: gzipSync(line("a") + line("c")) }),
      /^read 2, created 1, .*unchanged 1/,
    );
  });

  test("imports several files, reports each and the total, and a second run changes nothing", async () => {
    const one = fileOf("one.json", JSON.stringify([{ id: "a", date: "2024-11-05" }]));
    const two = fileOf("two.ndjson.gz", gzipSync('{"id":"b","date":"2024-11-05"}\n{"id":"b","date":"2024-11-06"}\n'));
    const args = ["import", "dividends", one, two, "--database", freshDatabase()];
    assert.equal(
      await bellwireWrites(args),
      `${one}: read 1, created 1, updated 0, unchanged 0, refused 0\n` +
        `${two}: read 2, created 1, updated 1, unchanged 0, refused 0\n` +
        "read 3, created 2, updated 1, unchanged 0, refused 0\n",
    );
    const again = await bellwire(args.toSpliced(3, 1));
    assert.deepEqual(
      [again.status, again.stdout, again.stderr],
      [0, "read 1, created 0, updated 0, unchanged 1, refused 0\n", ""],
    );
  });

  test("reports an unreadable file in one line without a stack trace, and creates no database", async () => {
    const database = freshDatabase();
    const good = fileOf("good.json", '[{"id":"a","date":"2024-11-05"}]');
    for (const [file, output] of [
      [join(folder, "none.json"), /none\.json.*no such file/],
      [fileOf("records.txt", ""), /records\.txt.*\.json, \.ndjson, \.jsonl, \.csv or \.tsv/],
      [folder, /is a directory/],
    ] as const) {
      const run = await bellwire(["import", "ratings", good, file, "--database", database]);
      assert.deepEqual([run.status, run.stdout], [2, ""], file);
      assert.match(run.stderr, /^bellwire: [^\n]+\n$/);
      assert.match(run.stderr, output);
    }
    assert.equal(existsSync(database), false);
    const damaged = await bellwire(["import", "ratings", fileOf("damaged.json.gz", "x"), "--database", database]);
    assert.equal(damaged.status, 1);
    assert.match(damaged.stderr, /^bellwire: [^\n]*damaged\.json\.gz[^\n]*gzip[^\n]*\n$/);
    assert.match((await bellwire(["import", "ratings", "--database", database])).stderr, /FILE: expected/);
  });

  test("an unwritable file is reported in one line without a stack trace", async () => {
    const database = freshDatabase();
    await bellwireWrites(["import", "ratings", "-", "--database", database], { input: JSON.stringify(other) });
    const output = join(folder, "no", "such", "folder.json");
    const run = await bellwire(["export", "ratings", "--output", output, "--database", database]);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /^bellwire: [^\n]*folder\.json[^\n]*\n$/);
    const unknown = await bellwire(["export", "ratings", "--output", "x.xlsx", "--database", database]);
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /--output: expected .*x\.xlsx/);
  });
});
