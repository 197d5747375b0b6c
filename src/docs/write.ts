// `npm run docs`: writes what is generated from the catalog: docs/reference, parts of the clients, and the builders of the
// test kit. With --check, only lists outdated files.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalog } from "../resources/catalog.ts";
import { compatTable } from "../resources/compat/compat.ts";
import { extensions } from "../resources/lists/extensions.ts";
import { clientCatalog } from "./client-types.ts";
import { pythonClient } from "./python-client.ts";
import { recordBuilders } from "./record-builders.ts";
import { referencePages } from "./reference.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const directory = join(root, "docs/reference");

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

const python = "clients/python/bellwire.py";

/** Generated files besides the reference, by path. */
const generatedSources = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ["client/catalog.ts", clientCatalog(catalog, extensions)],
    ["testing/records.ts", recordBuilders(catalog)],
    [python, pythonClient(await readFile(join(root, python), "utf8"), catalog, extensions)],
  ]);

/** Paths of outdated files. */
export async function staleSources(): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of await generatedSources())
    if ((await readFile(join(root, path), "utf8").catch(() => "")) !== text) stale.push(path);
  return stale;
}

async function main(): Promise<void> {
  const pages = referencePages(catalog, extensions, compatTable);
  const files = new Map([
    ...[...pages].map(([file, text]) => [`docs/reference/${file}`, text] as const),
    ...(await generatedSources()),
  ]);
  const stale = [...(await staleFiles(pages)).map((file) => `docs/reference/${file}`), ...(await staleSources())];
  if (process.argv.includes("--check")) {
    for (const path of stale) process.stdout.write(`${path} is out of date: run npm run docs\n`);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const path of stale) {
    const text = files.get(path);
    if (text === undefined) await rm(join(root, path));
    else await writeFile(join(root, path), text);
    process.stdout.write(`${text === undefined ? "removed" : "wrote"} ${path}\n`);
  }
}

if (import.meta.main) await main();
