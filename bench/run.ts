// `npm run bench`: runs the benchmarks, prints a table, writes bench/results/NAME.json. Figures are ratios of one run.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Benchmark, type Options, UsageError } from "./benchmark.ts";
import { bulkBenchmark } from "./bulk/bulk.ts";
import { exportBenchmark } from "./export.ts";
import { fuzzBenchmark } from "./fuzz/fuzz.ts";
import { growthBenchmark } from "./growth.ts";
import { loadBenchmark } from "./load/load.ts";
import { pageBenchmark } from "./page.ts";
import { findingsBenchmark } from "./soak/findings/findings.ts";
import { soakBenchmark } from "./soak/soak.ts";
import { streamsBenchmark } from "./streams/streams.ts";

const benchmarks: readonly Benchmark[] = [
  bulkBenchmark,
  loadBenchmark,
  growthBenchmark,
  soakBenchmark,
  findingsBenchmark,
  fuzzBenchmark,
  pageBenchmark,
  streamsBenchmark,
  exportBenchmark,
];

const usage = `npm run bench -- [FLAGS]

${benchmarks.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`).join("\n")}

  --only NAME          run only this benchmark
  --quick              small sizes and short rounds: three minutes in total
  --rounds N           number of rounds; in each, all contenders take turns
  --records N          fuzz: requests to send
  --workload LIST      load: workloads, such as A,B,"T rare"; a single letter selects all that start with it
  --contenders LIST    load: contenders, such as bare,bellwire,handler
  --scenario LIST      findings: numbers of scenarios, such as 1,3
  --seconds N          load: length of a run; soak: of each half of a round; findings: of one measurement
  --connections N      load: connections of the driver
  --ratings N, --news N, --earnings N
                       load: records of the data, created on first use in bench/.data;
                       bulk: records to import into empty tables; growth: --ratings is the larger size
  --name NAME          name of the result file, bench/results/NAME.json; by default that of the benchmark
  --help

BELLWIRE_BENCH_CLI=FILE serves and imports with the src/cli.js or dist/src/cli.js of another checkout, to compare two versions of the source.`;

const numbers = ["rounds", "records", "seconds", "connections", "ratings", "news", "earnings"] as const;
const texts = ["only", "workload", "contenders", "scenario", "name"] as const;

type Flags = {
  readonly [Name in (typeof numbers)[number] | (typeof texts)[number]]?: string;
} & { readonly quick?: boolean; readonly help?: boolean };

const write = (text: string): void => void process.stdout.write(`${text}\n`);

function readFlags(): Flags {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries([...numbers, ...texts].map((name) => [name, text])),
      quick: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  return values as Flags;
}

function optionsOf(flags: Flags): Options {
  const numberOf = (name: (typeof numbers)[number]): number | undefined => {
    const value = flags[name];
    if (value !== undefined && !/^[1-9]\d{0,8}$/.test(value)) {
      throw new UsageError(`--${name}: expected a number from 1, got "${value}"`);
    }
    return value === undefined ? undefined : Number(value);
  };
  return {
    ...(Object.fromEntries(numbers.map((name) => [name, numberOf(name)])) as Pick<Options, (typeof numbers)[number]>),
    quick: flags.quick ?? false,
    workloads: flags.workload?.split(",").map((each) => each.trim()),
    scenarios: flags.scenario?.split(",").map((each) => each.trim()),
    contenders: flags.contenders?.split(",").map((each) => each.trim()),
    say: (line) => write(`  ${line}`),
  };
}

const machine = {
  cores: cpus().length,
  processor: cpus()[0]?.model ?? "",
  memoryBytes: totalmem(),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
};

async function main(): Promise<number> {
  let flags: Flags;
  let options: Options;
  try {
    flags = readFlags();
    options = optionsOf(flags);
  } catch (error) {
    write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  const chosen = benchmarks.filter(({ name, fullOnly }) =>
    flags.only === undefined ? !(options.quick && fullOnly) : flags.only === name,
  );
  if (flags.help || chosen.length === 0) {
    write(usage);
    return flags.help ? 0 : 2;
  }
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  let missed = 0;
  for (const { name, about, run } of chosen) {
    write(`${name}: ${about}`);
    const at = new Date().toISOString();
    const { sizes, text, figures, ...result } = await run(options);
    write(`\n${name}\n${text}\n`);
    const label = chosen.length === 1 ? flags.name : flags.name && `${flags.name}-${name}`;
    const file = join(folder, `${label ?? name}.json`);
    writeFileSync(file, `${JSON.stringify({ name, at, machine, sizes, ...(figures as object) }, null, 2)}\n`);
    missed += result.missed;
  }
  return missed > 0 ? 1 : 0;
}

// Signals run the exit handlers, which stop child processes.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  write(error.message);
  process.exitCode = 2;
}
