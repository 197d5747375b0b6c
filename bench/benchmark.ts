// What a benchmark is, and what all of them share: rounds that take turns, medians, ratios, a table.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Options = {
  /** Sizes and rounds as small as still says something. */
  readonly quick: boolean;
  /** Sizes by flag; undefined: the benchmark's own. */
  readonly records: number | undefined;
  readonly rounds: number | undefined;
  readonly say: (line: string) => void;
};

/** One line of the table: what was measured, against its yardstick of the same round. */
export type Measurement = {
  readonly what: string;
  readonly yardstick: string;
  /** Of each round. */
  readonly seconds: readonly number[];
  readonly yardstickSeconds: readonly number[];
  /** Speed as a share of the yardstick's: the median over the rounds. */
  readonly ratio: number;
  readonly target: number | undefined;
};

export type Result = {
  readonly sizes: Readonly<Record<string, number>>;
  readonly measurements: readonly Measurement[];
};

export type Benchmark = {
  readonly name: string;
  readonly about: string;
  readonly run: (options: Options) => Promise<Result>;
};

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Seconds that something takes. */
export async function timed(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Speed of the thing as a share of its yardstick's, round by round: machines are noisy, and both halves of a round alike. */
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

/** Runs contenders in turn, round after round; every other round in the opposite order. Gives the seconds of each. */
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

/** A folder that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Columns as wide as their longest cell; numbers to the right. */
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
