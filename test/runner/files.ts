// Which test files run, and how they are grouped: one batch of files runs in one process.
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Names the files of a batch to its process, as JSON. */
export const filesVariable = "BELLWIRE_TEST_FILES";

/** Files that only `npm run test:long` runs. */
const longOnly = /\.long\.test\.ts$/;

/** A file with a larger budget in the long run imports this module. */
const usesBudget = /"\.\.\/support\/budget\.ts"/;

/**
 * Directories whose files need a process each: they start servers or browsers in top-level hooks, kill what they
 * start, or measure memory. All others share one, which saves loading the whole server for every file.
 */
const isolated = ["test/page", "test/postgres", "test/store", "test/mirror", "test/commands"];

/** So do files that start commands: what these leave running is ended by a hook of the module itself. */
const startsCommands = /(commands\/bellwire|page-commands)\.ts"/;

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
  const alone = files.filter(
    (file) => isolated.includes(dirname(file)) || startsCommands.test(readFileSync(file, "utf8")),
  );
  const shared = files.filter((file) => !alone.includes(file));
  const count = Math.ceil(shared.length / batchSize);
  // Dealt like cards: the files of one directory cost about the same.
  const dealt = Array.from({ length: count }, (_, batch) => shared.filter((_, index) => index % count === batch));
  return [...alone.map((file) => [file]), ...dealt];
}
