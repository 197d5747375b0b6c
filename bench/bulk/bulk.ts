// The import command on large files, relative to the database's own insert of the same finished rows: into empty and
// large tables, on SQLite and PostgreSQL, with its CPU time and peak memory.
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DemoRecord } from "../../demo/demo.ts";
import { resourceByName } from "../../src/commands/shared/resource-by-name.ts";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { type Benchmark, inFolder, median, printTable } from "../benchmark.ts";
import { recordsOf, type Sizes } from "../records/database.ts";
import type { Comparison, Cost } from "./cost.ts";
import { comparePostgres } from "./postgres.ts";
import { compareSqlite } from "./sqlite.ts";

/** A file that fills the empty tables, and one that adds a fifth to them. */
export type Load = {
  readonly resource: Resource;
  readonly first: LoadFile;
  readonly more: LoadFile;
};

export type LoadFile = { readonly path: string; readonly count: number; records(): Iterable<DemoRecord> };

const fullSizes: Sizes = { ratings: 300_000, news: 100_000, earnings: 200_000 };
const quickSizes: Sizes = { ratings: 10_000, news: 2000, earnings: 10_000 };

export const bulkBenchmark: Benchmark = {
  name: "bulk",
  about: "the import command, against the database's own insert of the finished rows",
  run: (options) =>
    inFolder(async (folder) => {
      const { quick, say } = options;
      const rounds = options.rounds ?? 1;
      const defaults = quick ? quickSizes : fullSizes;
      const sizes = {
        ratings: options.ratings ?? defaults.ratings,
        news: options.news ?? defaults.news,
        earnings: options.earnings ?? defaults.earnings,
      };
      const loads = await writeLoads(sizes, folder);
      const results: Comparison[][] = [];
      for (let round = 0; round < rounds; round++) {
        const comparisons = [
          ...(await compareSqlite(loads, folder, say)),
          ...(await comparePostgres(loads, folder, say)),
        ];
        results.push(comparisons);
      }
      // The start of the process outweighs everything else in a quick run.
      const rows = (results[0] ?? []).map((_, index) =>
        summarize(
          results.flatMap((round) => round[index] ?? []),
          !quick,
        ),
      );
      const missed = rows.filter((row) => row.at(-1)?.endsWith("MISSED")).length;
      return { sizes: { ...sizes, rounds }, text: printTable(head, rows), missed, figures: { rounds: results } };
    }),
};

async function writeLoads(sizes: Sizes, folder: string): Promise<Load[]> {
  const totals = Object.fromEntries(
    Object.entries(sizes).map(([name, count]) => [name, count + Math.ceil(count / 5)]),
  ) as Sizes;
  const generators = recordsOf(totals);
  const loads: Load[] = [];
  for (const name of ["ratings", "earnings", "news"] as const) {
    const file = (path: string, from: number, to: number): LoadFile => ({
      path: join(folder, path),
      count: to - from,
      records: () =>
        generators[name]()
          .drop(from)
          .take(to - from),
    });
    const first = file(`${name}.ndjson`, 0, sizes[name]);
    const more = file(`${name}-more.ndjson`, sizes[name], totals[name]);
    for (const { path, records } of [first, more])
      await pipeline(Readable.from(lines(records())), createWriteStream(path));
    loads.push({ resource: resourceByName(name), first, more });
  }
  return loads;
}

function* lines(records: Iterable<DemoRecord>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

const head = [
  "",
  "records",
  "per second",
  "CPU s",
  "memory",
  "baseline",
  "per second",
  "CPU s",
  "ratio",
  "by CPU",
  "target",
];

/** The medians of one comparison over all rounds. */
function summarize(rounds: readonly Comparison[], judge: boolean): string[] {
  const [{ what, records, baseline, target }] = rounds as [Comparison];
  const medianOf = (value: (round: Comparison) => number) => median(rounds.map(value));
  const columns = (cost: (round: Comparison) => Cost) => [
    medianOf((round) => records / cost(round).seconds).toFixed(0),
    medianOf((round) => cost(round).cpuSeconds).toFixed(1),
  ];
  const ratio = medianOf(({ imported, plain }) => plain.seconds / imported.seconds);
  return [
    what,
    String(records),
    ...columns(({ imported }) => imported),
    `${(Math.max(...rounds.map(({ imported }) => imported.peakBytes)) / 2 ** 20).toFixed(0)} MB`,
    baseline,
    ...columns(({ plain }) => plain),
    ratio.toFixed(2),
    medianOf(({ imported, plain }) => plain.cpuSeconds / imported.cpuSeconds).toFixed(2),
    target === undefined ? "" : `${target.toFixed(2)}${judge ? (ratio >= target ? " reached" : " MISSED") : ""}`,
  ];
}
