// What a run prints at its end: counts, the slowest files, and a final line that scripts can parse.
import { isBrowserSkip, isFailedBySkips, skippedSummary } from "../support/browser/probe.ts";
import type { BatchResult } from "./batch.ts";
import type { Result } from "./reporter.ts";

export type Totals = { passed: number; failed: number; skipped: number };

export function totalsOf(batches: readonly BatchResult[]): Totals {
  const results = batches.flatMap((batch) => batch.results);
  const count = (outcome: Result["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  // A process that crashed, or could not load a file, may not have reported any failed test.
  const crashed = batches.filter((batch) => !batch.ok && !batch.results.some(({ outcome }) => outcome === "failed"));
  return { passed: count("passed"), failed: count("failed") + crashed.length, skipped: count("skipped") };
}

export function storeCounts(batches: readonly BatchResult[]): string {
  const on = (store: Result["store"]) =>
    batches.flatMap((batch) => batch.results).filter((result) => result.store === store && result.outcome === "passed");
  return `tests of the store and the endpoints: ${on("sqlite").length} on SQLite, ${on("postgres").length} on PostgreSQL`;
}

export function slowestFiles(batches: readonly BatchResult[], most: number): string {
  const times = new Map<string, number>();
  for (const { file, milliseconds } of batches.flatMap((batch) => batch.results))
    times.set(file, (times.get(file) ?? 0) + milliseconds);
  const slowest = [...times].sort(([, a], [, b]) => b - a).slice(0, most);
  const lines = slowest.map(([file, milliseconds]) => `${(milliseconds / 1000).toFixed(1).padStart(8)} s  ${file}`);
  return [`slowest files:`, ...lines].join("\n");
}

/** One line for a finished batch. */
export function batchLine({ files, results, ok, milliseconds }: BatchResult): string {
  const [first = ""] = files;
  const rest = files.length > 1 ? ` and ${files.length - 1} more files` : "";
  return `${ok ? "✔" : "✖"} ${first}${rest}: ${results.length} tests, ${(milliseconds / 1000).toFixed(1)} s`;
}

/** The output of a failed batch, from its list of failures on. */
export function failureText({ output }: BatchResult): string {
  const start = output.indexOf("✖ failing tests:");
  return start === -1 ? output : output.slice(start);
}

export const closingLine = ({ passed, failed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** The message about tests skipped for lack of a browser; undefined if there were none. */
export async function browserSkips(
  batches: readonly BatchResult[],
): Promise<{ readonly line: string; readonly isFailure: boolean } | undefined> {
  const results = batches.flatMap((batch) => batch.results);
  const count = results.filter(({ reason }) => isBrowserSkip(reason)).length;
  return count === 0 ? undefined : { line: await skippedSummary(count), isFailure: isFailedBySkips(count) };
}
