// Which test files run, and how they are grouped: one batch of files runs in one process.
import { globSync, lstatSync, readFileSync } from "node:fs";

/** Names the files of a batch to its process, as JSON. */
export const filesVariable = "BELLWIRE_TEST_FILES";

/** Files that only `npm run test:long` runs. */
const longOnly = /\.long\.test\.ts$/;

/** A file with a larger budget in the long run imports this module. */
const usesBudget = /"(\.\.\/)+support\/budget\.ts"/;

/**
 * Files that need a process to themselves: they kill what they start, measure memory, or share a scratch directory that the
 * first of them would remove. All others share one, which saves
 * loading the whole server for every file.
 */
const isolated = /^test\/(postgres\/processes|store\/durability\/(kill|processes)|deploy\/\w+\.long)\.test\.ts$/;

/** Files that start commands share a process with each other, and so the one that runs their commands. */
const startsCommands = /\/(bellwire|page-commands)\.ts"/;

/** Files with tests in a browser, which share processes of their own: each launches one. */
const usesBrowser = /\/(browser|browser-test)\.ts"/;

/** As many as cores on a small machine: more would launch more browsers to no gain. */
const browserBatches = 2;

/** Small enough to balance the load over the cores, large enough to make the loading cheap. */
const batchSize = 36;

export type Selection = { readonly patterns: readonly string[]; readonly long: boolean };

export function selectFiles({ patterns, long }: Selection): string[] {
  const named = patterns.length > 0;
  const files = globSync(named ? patterns.map(within) : [within("test")]).map((file) => file.replaceAll("\\", "/"));
  const wanted = named ? files : files.filter((file) => (long ? isLong(file) : !longOnly.test(file)));
  return [...new Set(wanted)].sort();
}

/** A directory stands for its tests. */
const within = (pattern: string): string =>
  lstatSync(pattern, { throwIfNoEntry: false })?.isDirectory() ? `${pattern}/**/*.test.ts` : pattern;

const isLong = (file: string): boolean => longOnly.test(file) || usesBudget.test(readFileSync(file, "utf8"));

/** The long-running ones first, so that no core is idle at the end. */
export function batchesOf(files: readonly string[]): string[][] {
  const groups = Map.groupBy(files, groupOf);
  const of = (group: Group): string[] => groups.get(group) ?? [];
  return [
    ...dealt(of("browser"), browserBatches),
    ...dealt(of("commands")),
    ...of("alone").map((file) => [file]),
    ...dealt(of("shared")),
  ];
}

type Group = "browser" | "commands" | "alone" | "shared";

function groupOf(file: string): Group {
  const source = readFileSync(file, "utf8");
  if (isolated.test(file)) return "alone";
  if (startsCommands.test(source)) return "commands";
  return usesBrowser.test(source) ? "browser" : "shared";
}

/** Dealt like cards: the files of one directory cost about the same. */
const dealt = (files: readonly string[], count = Math.ceil(files.length / batchSize)): string[][] =>
  Array.from({ length: count }, (_, batch) => files.filter((_, index) => index % count === batch)).filter(
    (batch) => batch.length > 0,
  );
