// `npm run bench`: runs the benchmarks, prints a table, writes bench/results/NAME.json. Figures are ratios of one run.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Benchmark, median, type Options, printTable, type Result } from "./benchmark.ts";
import { importBenchmark } from "./import.ts";

const benchmarks: readonly Benchmark[] = [importBenchmark];

const usage = `npm run bench -- [--quick] [--only NAME] [--records N] [--rounds N]
${benchmarks.map(({ name, about }) => `  ${name}: ${about}`).join("\n")}`;

const write = (text: string): void => void process.stdout.write(`${text}\n`);

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: "boolean" },
        only: { type: "string" },
        records: { type: "string" },
        rounds: { type: "string" },
        help: { type: "boolean" },
      },
    });
    return values;
  } catch (error) {
    write(`${(error as Error).message}\n${usage}`);
    return undefined;
  }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`expected a number from 1, got "${text}"`);
  return Number(text);
}

function report(name: string, { measurements }: Result): void {
  const rows = measurements.map(({ what, yardstick, seconds, yardstickSeconds, ratio, target }) => [
    what,
    `${median(seconds).toFixed(2)} s`,
    yardstick,
    `${median(yardstickSeconds).toFixed(2)} s`,
    ratio.toFixed(2),
    spread(seconds.map((each, round) => (yardstickSeconds[round] ?? 0) / each)),
    target === undefined ? "" : `${target.toFixed(2)} ${ratio >= target ? "reached" : "MISSED"}`,
  ]);
  write(`\n${name}\n${printTable(["", "median", "yardstick", "median", "ratio", "rounds", "target"], rows)}\n`);
}

const spread = (ratios: readonly number[]): string =>
  `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;

async function main(): Promise<number> {
  const flags = readFlags();
  if (flags === undefined) return 2;
  const chosen = benchmarks.filter(({ name }) => flags.only === undefined || flags.only === name);
  if (flags.help || chosen.length === 0) {
    write(usage);
    return flags.help ? 0 : 2;
  }
  const options: Options = {
    quick: flags.quick ?? false,
    records: numberOf(flags.records),
    rounds: numberOf(flags.rounds),
    say: (line) => write(`  ${line}`),
  };
  const machine = {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? "",
    memoryBytes: totalmem(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  let missed = 0;
  for (const { name, about, run } of chosen) {
    write(`${name}: ${about}`);
    const at = new Date().toISOString();
    const result = await run(options);
    report(name, result);
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ name, at, machine, ...result }, null, 2)}\n`);
    missed += result.measurements.filter(({ ratio, target }) => target !== undefined && ratio < target).length;
  }
  return missed > 0 ? 1 : 0;
}

process.exitCode = await main();
