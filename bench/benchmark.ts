// The Benchmark interface and shared helpers: interleaved rounds, medians, ratios, and tables.
import { temporaryFolder } from "./temporary.ts";

/** A usage error: shown without a stack. */
export class UsageError extends Error {}

export type Options = {
  /** The smallest sizes and rounds that are still meaningful. */
  readonly quick: boolean;
  /** By flag; undefined for the benchmark's default. */
  readonly records: number | undefined;
  readonly rounds: number | undefined;
  readonly seconds: number | undefined;
  readonly connections: number | undefined;
  readonly ratings: number | undefined;
  readonly news: number | undefined;
  readonly earnings: number | undefined;
  /** Workloads and contenders of the load benchmark; undefined for all. */
  readonly workloads: readonly string[] | undefined;
  readonly contenders: readonly string[] | undefined;
  /** Scenario numbers of the findings; undefined for all. */
  readonly scenarios: readonly string[] | undefined;
  readonly say: (line: string) => void;
};

/** One row of the table: a measurement and its baseline from the same round. */
export type Measurement = {
  readonly what: string;
  readonly yardstick: string;
  /** Per round. */
  readonly seconds: readonly number[];
  readonly yardstickSeconds: readonly number[];
  /** Speed relative to the baseline: the median over the rounds. */
  readonly ratio: number;
  readonly target: number | undefined;
};

export type Result = {
  readonly sizes: Readonly<Record<string, number>>;
  /** Printed output. */
  readonly text: string;
  /** Missed targets. */
  readonly missed: number;
  /** All figures, for the results file. */
  readonly figures: unknown;
};

export type Benchmark = {
  /** Skipped in a quick run, unless named. */
  readonly fullOnly?: boolean;
  readonly name: string;
  readonly about: string;
  readonly run: (options: Options) => Promise<Result>;
};

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Duration in seconds. */
export async function timed(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Speed relative to the baseline, per round: noise affects both halves of a round alike. */
export function measurement(
  what: string,
  yardstick: string,
  seconds: readonly number[],
  yardstickSeconds: readonly number[],
  target?: number,
): Measurement {
  const ratio = median(seconds.map((each, round) => (yardstickSeconds[round] ?? 0) / each));
  return { what, yardstick, seconds, yardstickSeconds, ratio, target };
}

/** Runs contenders in alternating order, round after round. Returns the seconds of each. */
export async function interleaved<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number>>>,
  say: (line: string) => void,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const seconds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const took = await contenders[name]();
      seconds[name].push(took);
      say(`round ${round + 1} of ${rounds}: ${name} ${took.toFixed(2)} s`);
    }
  }
  return seconds;
}

/** A temporary directory. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const { folder, remove } = temporaryFolder();
  try {
    return await work(folder);
  } finally {
    remove();
  }
}

export function printMeasurements(measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ what, yardstick, seconds, yardstickSeconds, ratio, target }) => [
    what,
    `${median(seconds).toFixed(2)} s`,
    yardstick,
    `${median(yardstickSeconds).toFixed(2)} s`,
    ratio.toFixed(2),
    spread(seconds.map((each, round) => (yardstickSeconds[round] ?? 0) / each)),
    target === undefined ? "" : `${target.toFixed(2)} ${ratio >= target ? "reached" : "MISSED"}`,
  ]);
  return printTable(["", "median", "yardstick", "median", "ratio", "rounds", "target"], rows);
}

export const spread = (ratios: readonly number[]): string =>
  `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;

/** Right-aligns numbers. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        /^[\d.–-]/.test(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [head, widths.map((width) => "─".repeat(width)), ...rows].map(line).join("\n");
}
