// The Benchmark interface and shared helpers: medians and tables.
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

/** A temporary directory. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const { folder, remove } = temporaryFolder();
  try {
    return await work(folder);
  } finally {
    remove();
  }
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
