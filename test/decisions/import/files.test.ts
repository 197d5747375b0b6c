// Import files: CSV rules, and invalid records reported by line while valid ones are stored.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bellwire, fileOf } from "../../commands/support/bellwire.ts";
import { type Api, startApi } from "../../support/clients/api.ts";

/** Runs the import command on the database of a running service. */
async function imported(
  resource: string,
  name: string,
  content: string,
  work: (api: Api, run: { status: number | null; stdout: string; stderr: string }, file: string) => Promise<void>,
): Promise<void> {
  const api = await startApi();
  try {
    const file = fileOf(name, content);
    await work(api, await bellwire(["import", resource, file, "--database", api.file]), file);
  } finally {
    await api.close();
  }
}

describe("CSV", () => {
  test("has a header of field names in any order, quoting, empty cells for unknown values, and JSON for lists and objects", () =>
    imported(
      "news",
      "news.csv",
      [
        "title,id,created,author,stocks,tags,regions,importance,original_id",
        '"Sales, up ""a lot""",1,2024-11-05T14:30:00Z,"Dana ',
        'Whitlock","[{""name"":""BRK.B"",""primary"":true}]",[],"[""CAN""]",high,',
        'plain,2,1730817000,,,"[{""name"":""AI""}]",,,41234500',
        "",
      ].join("\r\n"),
      async (api, { status, stdout }) => {
        assert.equal(status, 0);
        assert.match(stdout, /created 2\b.*refused 0\b/);
        const [second, first] = await api.get("/api/v2/news");
        assert.deepEqual(
          [first.title, first.author, first.stocks, first.tags, "original_id" in first],
          ['Sales, up "a lot"', "Dana \r\nWhitlock", [{ name: "BRK.B" }], [], false],
        );
        assert.deepEqual(
          [second.title, second.author, second.stocks, second.tags, second.original_id, second.created],
          ["plain", "", [], [{ name: "AI" }], 41_234_500, "Tue, 05 Nov 2024 09:30:00 -0500"],
        );
        for (const query of ["primaryTickers=brk.b", "region=ca", "importance=high"]) {
          assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [1], query);
        }
      },
    ));

  test("parses integers, booleans, decimals, and objects according to their type", () =>
    imported(
      "ratings",
      "ratings.csv",
      'id,date,importance,pt_current,ratings_accuracy,updated,ticker\na,2024-11-05,3,230.00,"{""smart_score"":""71.20""}",1730817000,AAPL\n7,2024-11-04,,,,,\n',
      async (api, { status }) => {
        assert.equal(status, 0);
        const { ratings } = await api.get("/api/v2.1/calendar/ratings?fields=*");
        const [a, b] = ratings;
        assert.deepEqual(
          [a.importance, a.pt_current, a.ratings_accuracy, a.updated],
          [3, "230.00", { smart_score: "71.20" }, 1_730_817_000],
        );
        assert.deepEqual([b.id, b.importance, b.pt_current, b.ratings_accuracy, b.ticker], ["7", 0, "", {}, ""]);
      },
    ));

  test("rejects cells of the wrong type and unknown columns, by name", () =>
    imported(
      "dividends",
      "dividends.csv",
      "id,date,confirmed,frequency\na,2024-11-05,true,4\nb,2024-11-05,perhaps,often\nc,2024-11-05,false,1\n",
      async (api, { status, stderr }, file) => {
        assert.equal(status, 1);
        const [line = ""] = stderr.split("\n").filter((each) => each.includes("refused"));
        assert.ok(line.startsWith(`${file}:3: `), line);
        assert.match(line, /confirmed: expected true or false, got "perhaps"/);
        assert.match(line, /frequency: expected an integer, got "often"/);
        const { dividends } = await api.get("/api/v2.2/calendar/dividends");
        assert.deepEqual(
          dividends.map(({ id, confirmed, frequency }: Record<string, unknown>) => [id, confirmed, frequency]).sort(),
          [
            ["a", true, 4],
            ["c", false, 1],
          ],
        );
      },
    ));
});

describe("an invalid record", () => {
  const bad = '{"id":"b","date":"today","pt_current":"5,0","colour":"red"}';

  for (const [name, content, line] of [
    ["lines.ndjson", `{"id":"a","date":"2024-11-05"}\n\n${bad}\n{"id":"c","date":"2024-11-05"}\n`, 3],
    ["array.json", `[\n  {"id":"a","date":"2024-11-05"},\n\n  ${bad},\n  {"id":"c","date":"2024-11-05"}\n]\n`, 4],
  ] as const) {
    test(`in ${name} is reported with its line and every reason; valid records are stored; the exit status is 1`, () =>
      imported("ratings", name, content, async (api, { status, stdout, stderr }, file) => {
        assert.equal(status, 1);
        const reported = stderr.split("\n").filter((each) => each.startsWith(`${file}:${line}: `));
        assert.equal(reported.length, 1, stderr);
        for (const reason of [/date: expected a day/, /pt_current: expected a decimal/, /colour: no such attribute/]) {
          assert.match(reported[0] ?? "", reason);
        }
        assert.match(stdout, /^read 3, created 2, updated 0, unchanged 0, refused 1$/m);
        assert.deepEqual((await api.ids("/api/v2.1/calendar/ratings")).sort(), ["a", "c"]);
      }));
  }

  test("that isn't JSON is reported with its line, and the following lines are read", () =>
    imported(
      "ratings",
      "broken.ndjson",
      '{"id":"a","date":"2024-11-05"\n{"id":"c","date":"2024-11-05"}\nnull\n',
      async (api, { status, stderr }, file) => {
        assert.equal(status, 1);
        assert.ok(stderr.includes(`${file}:1: `), stderr);
        assert.ok(stderr.includes(`${file}:3: `), stderr);
        assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings"), ["c"]);
      },
    ));
});
