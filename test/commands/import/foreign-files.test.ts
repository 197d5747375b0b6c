// Files in other programs' forms, each imported with one command, on both databases: responses, a data frame's CSV with an
// index column and other names, and Parquet.
import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { Api } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwire, bellwireWrites, fileOf } from "../support/bellwire.ts";

const run = (api: Api, ...args: string[]) => bellwire([...args, "--database", api.file]);

/** Other processes' imports become visible within a second. */
async function list(api: Api, path: string, count: number): Promise<Record<string, unknown>[]> {
  let found: Record<string, unknown>[] = [];
  await waitUntil(async () => {
    const body = await api.get(path);
    found = Array.isArray(body) ? body : Object.values(body).flat();
    return found.length === count;
  }, `${count} records at ${path}`);
  return found;
}

onEveryStore("foreign files", (test) => {
  const rating = (id: string, more: object = {}) => ({
    id,
    date: "2024-11-05",
    time: "09:30",
    ticker: "ACME",
    action_company: "upgrades",
    importance: "3",
    pt_current: 230.5,
    updated: "Tue, 5 Nov 2024 14:30:00 GMT",
    ...more,
  });

  test("responses: under a key, as data, as an array, compressed, in one command", async (api) => {
    const files = [
      fileOf("page-1.json.gz", gzipSync(JSON.stringify({ ratings: [rating("a"), rating("b", { sector: "Energy" })] }))),
      fileOf("page-2.json.zst", zstdCompressSync(JSON.stringify({ ok: true, data: [rating("c", { gics: 45 })] }))),
      fileOf("page-3.json", JSON.stringify([rating("d", { importance: 3, importance_rank: 7 })])),
    ];
    const { status, stdout, stderr } = await run(api, "import", "ratings", ...files);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, /^read 4, created 4, updated 0, unchanged 0, refused 0$/m);
    const found = await list(api, "/api/v2.1/calendar/ratings", 4);
    for (const each of found) {
      assert.equal(each.action_company, "Upgrades");
      assert.equal(each.time, "09:30:00");
      assert.equal(each.pt_current, "230.5");
      assert.equal(each.importance, 3);
      assert.equal(each.updated, 1_730_817_000);
      assert.equal("sector" in each, false);
    }
    const exported = (await bellwireWrites(["export", "ratings", "--database", api.file])).trimEnd().split("\n");
    assert.deepEqual(
      exported
        .map((line) => JSON.parse(line))
        .map(({ id, sector, gics, importance_rank }) => [id, sector, gics, importance_rank]),
      [
        ["a", undefined, undefined, undefined],
        ["b", "Energy", undefined, undefined],
        ["c", undefined, "45", undefined],
        ["d", undefined, undefined, "7"],
      ],
    );
    const again = fileOf("export.ndjson", exported.join("\n"));
    assert.match((await run(api, "import", "ratings", again)).stdout, /^read 4, .* unchanged 4, refused 0$/m);
  });

  test("a data frame's CSV with an index and other names, without IDs; importing it again changes nothing", async (api) => {
    const file = fileOf(
      "articles.csv",
      [
        ",headline,when,symbol,score",
        '0,"Stocks, up",2020-06-05 10:30:54-04:00,A,0.5',
        '1,Stocks down,2020-06-03 10:45:20-04:00,"[""AA"", ""B""]",',
        "2,Nothing new,2020-06-03 10:45:20-04:00,,1",
        "",
      ].join("\n"),
    );
    const args = [
      "import",
      "news",
      file,
      "--map",
      "title=headline",
      "--map",
      "created=when",
      "--map",
      "tickers=symbol",
    ];
    const more = ["--ignore", "score", "--id-from", "title,created"];
    const { status, stdout, stderr } = await run(api, ...args, ...more);
    assert.equal(stderr, `${file}: the column "Unnamed: 0" has no name and is ignored\n`);
    assert.deepEqual([status, stdout], [0, "read 3, created 3, updated 0, unchanged 0, refused 0\n"]);
    const [first] = await list(api, "/api/v2/news", 3);
    assert.deepEqual(
      [first?.title, first?.created, first?.stocks],
      ["Stocks, up", "Fri, 05 Jun 2020 10:30:54 -0400", [{ name: "A" }]],
    );
    assert.equal((await list(api, "/api/v2/news?tickers=B", 1))[0]?.title, "Stocks down");
    assert.match((await run(api, ...args, ...more)).stdout, /created 0, updated 0, unchanged 3/);
    const revised = await run(api, ...args, ...more, "--set", "author=Dana Whitlock");
    assert.match(revised.stdout, /created 0, updated 3, unchanged 0/);
  });

  test("news whose derived ID is that of another item in the database gets another one, the same every time", async (api) => {
    const titles = ["Title 27673", "Title 36379"];
    const files = titles.map((title, at) =>
      fileOf(`colliding-${at}.csv`, `title,created\n${title},2024-11-05T14:30:00Z\n`),
    );
    const [first = "", second = ""] = files;
    for (const [file, outcome] of [
      [first, /created 1, updated 0, unchanged 0/],
      [second, /created 1, updated 0, unchanged 0/],
      [second, /created 0, updated 0, unchanged 1/],
      [first, /created 0, updated 0, unchanged 1/],
    ] as const)
      assert.match((await run(api, "import", "news", file, "--id-from", "title")).stdout, outcome);
    const found = await list(api, "/api/v2/news", 2);
    assert.deepEqual(found.map(({ title }) => title).sort(), titles);
  });

  test("a Parquet file with typed columns", async (api) => {
    const at = (text: string) => new Date(`${text}Z`);
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: "sym", data: ["ACME", "BOLT"], type: "STRING" },
        { name: "report_time", data: [at("2024-11-05T21:05:00"), at("2024-11-06T13:00:00")], type: "TIMESTAMP" },
        { name: "eps", data: [1.99, Number.NaN], type: "DOUBLE" },
        { name: "eps_est", data: [1.85, 0.4], type: "DOUBLE" },
        { name: "period", data: ["Q3", "Q3"], type: "STRING" },
        { name: "period_year", data: [2024n, 2024n], type: "INT64" },
        { name: "date_confirmed", data: [1, 0], type: "INT32" },
        { name: "__index_level_0__", data: [0n, 1n], type: "INT64" },
      ],
    });
    const file = fileOf("earnings.parquet", Buffer.from(parquet));
    const map = ["ticker=sym", "date=report_time:date", "time=report_time:time"].flatMap((each) => ["--map", each]);
    const args = ["import", "earnings", file, ...map, "--set", "currency=USD", "--id-from", "ticker,date,period"];
    const { status, stdout } = await run(api, ...args);
    assert.deepEqual([status, stdout], [0, "read 2, created 2, updated 0, unchanged 0, refused 0\n"]);
    const found = await list(api, "/api/v2.1/calendar/earnings", 2);
    assert.deepEqual(
      found.map(({ ticker, date, time, eps, eps_est, period_year, currency }) =>
        [ticker, date, time, eps, eps_est, period_year, currency].join(" "),
      ),
      ["BOLT 2024-11-06 08:00:00  0.4 2024 USD", "ACME 2024-11-05 16:05:00 1.99 1.85 2024 USD"],
    );
    assert.match(String(found[0]?.id), /^[0-9a-f]{24}$/);
    assert.match((await run(api, ...args)).stdout, /created 0, updated 0, unchanged 2/);
  });
});
