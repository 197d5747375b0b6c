// The benchmark data in a SQLite file, created once by the regular import and cached in bench/.data.
import { hash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { DemoRecord } from "../../demo/demo.ts";
import type { ParsedRecord } from "../../src/ingest/formats/format.ts";
import { importRecords } from "../../src/ingest/import.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { Store } from "../../src/store/store.ts";
import { earningsRecords } from "./earnings.ts";
import { newsRecords } from "./news.ts";
import { ratingsRecords, tickersFor } from "./ratings.ts";

/** Incremented when the records change for the same sizes, to invalidate cached files. */
const version = 2;

export type Sizes = { readonly ratings: number; readonly news: number; readonly earnings: number };

export const fullSizes: Sizes = { ratings: 1_000_000, news: 300_000, earnings: 300_000 };
export const quickSizes: Sizes = { ratings: 100_000, news: 30_000, earnings: 30_000 };

/** The data's location, and a key for it. */
export type BenchData = {
  readonly folder: string;
  readonly file: string;
  readonly token: string;
  readonly sizes: Sizes;
};

export const keptIn = join(import.meta.dirname, "..", ".data");

type Say = (line: string) => void;

export function recordsOf(sizes: Sizes): Readonly<Record<keyof Sizes, () => Generator<DemoRecord>>> {
  const tickers = tickersFor(sizes.ratings);
  return {
    ratings: () => ratingsRecords(sizes.ratings),
    news: () => newsRecords(sizes.news, tickers),
    earnings: () => earningsRecords(sizes.earnings, tickers),
  };
}

/** `within` is the directory with data of all sizes. */
export async function sqliteData(sizes: Sizes, say: Say, within = keptIn): Promise<BenchData> {
  const counts = `${sizes.ratings}-${sizes.news}-${sizes.earnings}`;
  const folder = join(within, `v${version}-${schema()}-${counts}`);
  if (!existsSync(folder)) {
    mkdirSync(within, { recursive: true });
    await makeOnce(folder, async (making) => {
      mkdirSync(making);
      const store = openSqlite({ file: join(making, database) });
      const token = generateKey();
      await fill(store, sizes, token, say).finally(() => store.close());
      writeFileSync(join(making, "token"), token);
    });
  }
  const file = join(folder, database);
  await readThrough(file);
  return { folder, file, token: readFileSync(join(folder, "token"), "utf8"), sizes };
}

const database = "bellwire.db";

/** Loads a file into the page cache, so that no server is measured on a cold disk. */
export async function readThrough(file: string): Promise<void> {
  for await (const _piece of createReadStream(file, { highWaterMark: 4 * 1024 * 1024 }));
}

/** Identifies the schema: data with another one is invalid. */
export function schema(): string {
  const folder = join(import.meta.dirname, "..", "..", "src", "store", "migrations");
  const files = readdirSync(folder).sort();
  return hash("sha1", files.map((file) => readFileSync(join(folder, file), "utf8")).join(""), "hex").slice(0, 8);
}

/**
 * Creates a file or directory under a temporary name, and renames it when complete. If several benchmarks do so
 * concurrently, the first one wins.
 */
export async function makeOnce(path: string, make: (making: string) => Promise<void> | void): Promise<void> {
  const making = `${path}.making-${process.pid}`;
  const discard = () => rmSync(making, { recursive: true, force: true });
  process.once("exit", discard);
  try {
    await make(making);
    if (!existsSync(path)) renameSync(making, path);
  } finally {
    discard();
    process.removeListener("exit", discard);
  }
}

/** Imports all records and adds the key. */
export async function fill(store: Store, sizes: Sizes, token: string, say: Say): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await store.addKey({ name: "bench", hash: hashKey(token), licenses: ["cusip"], expires: "", created: now });
  for (const [name, records] of Object.entries(recordsOf(sizes))) {
    const resource = catalog.find((each) => each.name === name);
    if (resource === undefined) throw new Error(`no resource is named ${name}`);
    const count = sizes[name as keyof Sizes];
    const start = performance.now();
    const refused: string[] = [];
    const report = await importRecords(store, resource, loose(records()), {
      now,
      onRefused: (_line, reasons) => refused.push(reasons.join("; ")),
    });
    if (report.created !== count) {
      throw new Error(`of ${count} ${name} ${report.created} were created, ${report.refused} refused: ${refused[0]}`);
    }
    say(`imported ${count} ${name} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}

export function* loose(records: Iterable<DemoRecord>): Generator<ParsedRecord[]> {
  let batch: ParsedRecord[] = [];
  let line = 0;
  for (const value of records) {
    batch.push({ line: ++line, value });
    if (batch.length === 500) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}
