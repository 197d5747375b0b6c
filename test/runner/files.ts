// Which test files run, and how they are grouped: one batch of files runs in one process.
import { globSync, readFileSync } from "node:fs";

/** Names the files of a batch to its process, as JSON. */
export const filesVariable = "BELLWIRE_TEST_FILES";

/** Files that only `npm run test:long` runs. */
const longOnly = /\.long\.test\.ts$/;

/** A file with a larger budget in the long run imports this module. */
const usesBudget = /"\.\.\/support\/budget\.ts"/;

/**
 * Files that need a process to themselves: they start servers in top-level hooks, kill what they start, or measure memory.
 * All others share one, which saves loading the whole server for every file.
 */
const isolated = /^test\/(commands\/|postgres\/processes\.test\.ts$|store\/(kill|processes)\.test\.ts$)/;

/** So do files that start commands: what these leave running is ended by a hook of the module itself. */
const startsCommands = /(commands\/bellwire|page-commands)\.ts"/;

/** Files with tests in a browser, which share processes of their own: each launches one. */
const usesBrowser = /\/(browser|browser-test)\.ts"/;

/** As many as cores on a small machine: more would launch more browsers to no gain. */
const browserBatches = 2;

/** Small enough to balance the load over the cores, large enough to make the loading cheap. */
const batchSize = 8;

export type Selection = { readonly patterns: readonly string[]; readonly long: boolean };

export function selectFiles({ patterns, long }: Selection): string[] {
  const named = patterns.length > 0;
  const files = globSync(named ? [...patterns] : ["test/**/*.test.ts"]).map((file) => file.replaceAll("\\", "/"));
  const wanted = named ? files : files.filter((file) => (long ? isLong(file) : !longOnly.test(file)));
  return [...new Set(wanted)].sort();
}

const isLong = (file: string): boolean => longOnly.test(file) || usesBudget.test(readFileSync(file, "utf8"));

/** The long-running ones first, so that no core is idle at the end. */
export function batchesOf(files: readonly string[]): string[][] {
  const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  const matching = (pattern: RegExp) => (file: string) => pattern.test(sources.get(file) ?? "");
  const startsCommand = matching(startsCommands);
  const alone = files.filter((file) => isolated.test(file) || startsCommand(file));
  const together = files.filter((file) => !alone.includes(file));
  const inBrowser = together.filter(matching(usesBrowser));
  const shared = together.filter((file) => !inBrowser.includes(file));
  return [
    ...dealt(inBrowser, browserBatches),
    ...alone.map((file) => [file]),
    ...dealt(shared, Math.ceil(shared.length / batchSize)),
  ];
}

/** Dealt like cards: the files of one directory cost about the same. */
const dealt = (files: readonly string[], count: number): string[][] =>
  Array.from({ length: count }, (_, batch) => files.filter((_, index) => index % count === batch)).filter(
    (batch) => batch.length > 0,
  );
