// `npm run docs`: writes the reference pages into docs/reference; with --check, only lists outdated ones.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalog } from "../resources/catalog.ts";
import { compatTable } from "../resources/compat/compat.ts";
import { extensions } from "../resources/lists/extensions.ts";
import { referencePages } from "./reference.ts";

const directory = fileURLToPath(new URL("../../docs/reference/", import.meta.url));

/** Files that are outdated, missing, or obsolete. */
export async function staleFiles(pages: ReadonlyMap<string, string>, target = directory): Promise<string[]> {
  await mkdir(target, { recursive: true });
  const present = await readdir(target);
  const gone = present.filter((file) => file.endsWith(".md") && !pages.has(file));
  const changed: string[] = [];
  for (const [file, text] of pages) {
    if (!present.includes(file) || (await readFile(join(target, file), "utf8")) !== text) changed.push(file);
  }
  return [...changed, ...gone].sort();
}

async function main(): Promise<void> {
  const pages = referencePages(catalog, extensions, compatTable);
  const stale = await staleFiles(pages);
  if (process.argv.includes("--check")) {
    for (const file of stale) process.stdout.write(`docs/reference/${file} is out of date: run npm run docs\n`);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const file of stale) {
    const text = pages.get(file);
    if (text === undefined) await rm(join(directory, file));
    else await writeFile(join(directory, file), text);
    process.stdout.write(`${text === undefined ? "removed" : "wrote"} docs/reference/${file}\n`);
  }
}

if (import.meta.main) await main();
