// The import command on large files of calendar records and news: its memory, and its time relative to SQLite inserting
// the finished rows into the same tables with the same indexes.
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DemoRecord } from "../demo/demo.ts";
import type { Resource } from "../src/core/catalog/resource.ts";
import { validateRecord } from "../src/core/record/validate.ts";
import { openSqlite } from "../src/open-sqlite.ts";
import { news } from "../src/resources/news.ts";
import { ratings } from "../src/resources/ratings.ts";
import { packKey } from "../src/store/rows/packed-key.ts";
import { passagesOf } from "../src/store/rows/row-encoding.ts";
import { searchText } from "../src/store/sqlite/dialect.ts";
import {
  type Benchmark,
  inFolder,
  type Measurement,
  measurement,
  printMeasurements,
  printTable,
  timed,
} from "./benchmark.ts";
import { usageOf } from "./driver/machine.ts";
import { newsRecords } from "./records/news.ts";
import { ratingsRecords, tickersFor } from "./records/ratings.ts";

type Bulk = { readonly resource: Resource; readonly count: number; readonly records: () => Generator<DemoRecord> };

/** Tables that an import fills, except the search index, which can't be read back. */
const tables: Readonly<Record<string, readonly string[]>> = {
  ratings: ["ratings", "ratings_count", "change"],
  news: ["news", "news_text", "news_link", "news_count", "change"],
};

export const bulkBenchmark: Benchmark = {
  name: "bulk",
  about: "the import command on large files: memory from beginning to end, time against SQLite's own insert",
  fullOnly: true,
  run: (options) =>
    inFolder(async (folder) => {
      const calendar = options.ratings ?? (options.quick ? 20_000 : 500_000);
      const items = options.news ?? (options.quick ? 5_000 : 100_000);
      const bulks: Bulk[] = [
        { resource: ratings, count: calendar, records: () => ratingsRecords(calendar) },
        { resource: news, count: items, records: () => newsRecords(items, tickersFor(calendar)) },
      ];
      const measurements: Measurement[] = [];
      const memory: string[][] = [];
      for (const bulk of bulks) {
        const { name } = bulk.resource;
        const file = join(folder, `${name}.ndjson`);
        await pipeline(Readable.from(lines(bulk.records())), createWriteStream(file));
        const database = join(folder, `${name}.db`);
        const { seconds, rss } = await imported(name, file, database);
        const plain = await inserted(bulk, database, join(folder, `${name}-plain.db`));
        options.say(`${name}: import ${seconds.toFixed(1)} s, insert ${plain.toFixed(1)} s`);
        measurements.push(measurement(`${bulk.count} ${name}`, "insert of the rows", [seconds], [plain]));
        const quarter = Math.max(...rss.slice(0, Math.ceil(rss.length / 4)));
        const all = Math.max(...rss);
        memory.push([name, ...[quarter, all].map((bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`)]);
      }
      const table = printTable(["", "most memory in the first quarter", "in all"], memory);
      const sizes = Object.fromEntries(bulks.map(({ resource, count }) => [resource.name, count]));
      return {
        sizes,
        text: `${printMeasurements(measurements)}\n\n${table}`,
        missed: 0,
        figures: { measurements, memory },
      };
    }),
};

function* lines(records: Iterable<DemoRecord>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** Runs the command, and samples its memory ten times a second. */
async function imported(name: string, file: string, database: string): Promise<{ seconds: number; rss: number[] }> {
  const rss: number[] = [];
  const seconds = await timed(async () => {
    const cli = join(import.meta.dirname, "..", "src", "cli.js");
    const args = [cli, "import", name, file, "--database", database];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const timer = setInterval(() => rss.push(usageOf([child.pid ?? 0])?.rssBytes ?? 0), 100);
    const status = await new Promise((resolve) => child.once("exit", resolve));
    clearInterval(timer);
    if (status !== 0) throw new Error(`the import of ${name} ended with status ${status}`);
  });
  return { seconds, rss };
}

/** Seconds for one transaction that inserts the rows of the import's database. */
async function inserted({ resource, records }: Bulk, from: string, to: string): Promise<number> {
  await openSqlite({ file: to }).close();
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(to);
  target.exec("pragma synchronous = full; pragma wal_autocheckpoint = 4000; pragma cache_size = -32768");
  // Created in advance, so that it isn't measured.
  const searched = Object.keys(resource.searchFields).length === 0 ? [] : [...searchRows(resource, records())];
  const seconds = await timed(() => {
    target.exec("begin");
    for (const table of tables[resource.name] ?? []) {
      const rows = source.prepare(`select * from ${table}`);
      rows.setReturnArrays(true);
      rows.setReadBigInts(true);
      insertAll(target, table, rows.iterate() as unknown as Iterable<SQLInputValue[]>);
    }
    const places = Object.keys(resource.searchFields).join(", ");
    insertAll(target, `${resource.name}_search (rowid, ${places})`, searched);
    target.exec("commit");
  });
  source.close();
  target.close();
  return seconds;
}

function insertAll(db: DatabaseSync, into: string, rows: Iterable<SQLInputValue[]>): void {
  let insert: StatementSync | undefined;
  for (const row of rows) {
    insert ??= db.prepare(`insert into ${into} values (${row.map(() => "?").join(", ")})`);
    // Packed keys don't fit a double, and the result contains the last one.
    insert.setReadBigInts(true);
    insert.run(...row);
  }
}

function* searchRows(resource: Resource, records: Iterable<DemoRecord>): Generator<SQLInputValue[]> {
  for (const record of records) {
    const accepted = validateRecord(resource, record, 1_740_000_000);
    if (!("row" in accepted)) throw new Error("a record of the benchmark was refused");
    const { row } = accepted;
    yield [packKey(Number(row.created), Number(row.id)), ...passagesOf(resource, row).map(searchText)];
  }
}
