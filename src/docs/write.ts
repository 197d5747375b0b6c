// `npm run docs`: writes the reference pages into docs/reference; with --check it only names those that are out of date.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalog } from "../resources/catalog.ts";
import { extensions } from "../resources/lists/extensions.ts";
import { referencePages } from "./reference.ts";

const directory = fileURLToPath(new URL("../../docs/reference/", import.meta.url));

/** Files that differ from what the catalogue says: changed, missing, or no longer made. */
export async function staleFiles(pages: ReadonlyMap<string, string>, folder = directory): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const present = await readdir(folder);
  const gone = present.filter((file) => file.endsWith(".md") && !pages.has(file));
  const changed: string[] = [];
  for (const [file, text] of pages) {
    if (!present.includes(file) || (await readFile(join(folder, file), "utf8")) !== text) changed.push(file);
  }
  return [...changed, ...gone].sort();
}

async function main(): Promise<void> {
  const pages = referencePages(catalog, extensions);
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
