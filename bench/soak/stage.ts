// A server on a copy of the data, with keys for well-behaved and abusive clients.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoRecord } from "../../demo/demo.ts";
import { loadDemo } from "../../src/commands/serve/load-demo.ts";
import { importRecords } from "../../src/ingest/import.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { news } from "../../src/resources/news.ts";
import type { Store } from "../../src/store/store.ts";
import { startBellwire } from "../contenders/bellwire.ts";
import { copyDatabase } from "../load/stage.ts";
import { companies } from "../records/companies.ts";
import { keptIn, loose, makeOnce, quickSizes, readThrough, schema, sqliteData } from "../records/database.ts";
import { newsRecords } from "../records/news.ts";
import { tickersFor } from "../records/ratings.ts";
import { vocabulary } from "../records/vocabulary.ts";
import { temporaryFolder } from "../temporary.ts";
import type { AbuseKeys } from "./abusers/abuse.ts";
import type { Target } from "./raw-client.ts";

type Say = (line: string) => void;

export type StageData = {
  readonly file: string;
  readonly tickers?: readonly string[];
  /** A common word in its news. */
  readonly commonWord?: string;
};

export type Stage = {
  readonly url: string;
  readonly pid: number;
  readonly database: string;
  readonly folder: string;
  /** Abusers connect from a separate local address, if available. */
  readonly target: Target;
  readonly keys: AbuseKeys & { readonly good: string };
  readonly tickers: readonly string[];
  readonly commonWord: string;
  stop(): Promise<void>;
};

type StageOptions = { readonly flags?: readonly string[]; readonly nodeFlags?: readonly string[] };

export async function startStage(
  {
    file,
    tickers = companies(tickersFor(quickSizes.ratings)).map(({ ticker }) => ticker),
    commonWord = vocabulary.common.words[0] as string,
  }: StageData,
  { flags = [], nodeFlags = [] }: StageOptions = {},
): Promise<Stage> {
  const { folder, remove } = temporaryFolder();
  const database = join(folder, "soak.db");
  copyDatabase(file, database);
  const keys = { good: generateKey(), read: generateKey(), write: generateKey() };
  await inStore(database, async (store) => {
    const add = (name: keyof typeof keys, scopes: ("read" | "write" | "replicate")[]) =>
      store.addKey({ name: `soak ${name}`, hash: hashKey(keys[name]), scopes, expires: "", created: 1 });
    await add("good", ["read"]);
    await add("read", ["read", "replicate"]);
    await add("write", ["write"]);
  });
  const { url, pid, stop } = await startBellwire(database, flags, [], nodeFlags);
  const target = {
    host: "127.0.0.1",
    port: Number(new URL(url).port),
    ...(process.platform === "linux" ? { localAddress: "127.0.0.2" } : {}),
  };
  return {
    url,
    pid,
    database,
    folder,
    target,
    keys,
    tickers,
    commonWord,
    stop: async () => {
      await stop();
      remove();
    },
  };
}

async function inStore(file: string, work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = openSqlite({ file });
  await store.prepare();
  await work(store).finally(() => store.close());
}

/** Cached data: the file and the tickers of its news. */
async function keptData(name: string, tickers: () => readonly string[], fill: (store: Store) => Promise<unknown>) {
  const folder = join(keptIn, `${name}-${schema()}`);
  if (!existsSync(folder)) {
    mkdirSync(keptIn, { recursive: true });
    await makeOnce(folder, async (making) => {
      mkdirSync(making);
      await inStore(join(making, "bellwire.db"), fill);
      writeFileSync(join(making, "tickers.json"), JSON.stringify(tickers()));
    });
  }
  const file = join(folder, "bellwire.db");
  await readThrough(file);
  return { file, tickers: JSON.parse(readFileSync(join(folder, "tickers.json"), "utf8")) as string[] };
}

export const benchData = (say: Say): Promise<StageData> => sqliteData(quickSizes, say);

export const demoData = async (): Promise<StageData> => {
  const { companyRows } = await import("../../demo/companies/companies.ts");
  const data = await keptData("demo", () => companyRows.map(([ticker]) => ticker), loadDemo);
  return { ...data, commonWord: "the" };
};

/** Data with selective filters: many news items, few of them for each region. */
export const largeNews = 101_290;

export const largeNewsData = (): Promise<StageData> => {
  const count = tickersFor(largeNews);
  function* records(): Generator<DemoRecord> {
    let place = 0;
    for (const record of newsRecords(largeNews, count)) {
      yield place++ % 1000 === 0 ? { ...record, regions: ["URY"] } : record;
    }
  }
  return keptData(
    `news-${largeNews}`,
    () => companies(count).map(({ ticker }) => ticker),
    (store) =>
      importRecords(store, news, loose(records()), {
        now: Math.floor(Date.now() / 1000),
        onRefused: (_line, reasons) => {
          throw new Error(`a news item was refused: ${reasons.join("; ")}`);
        },
      }),
  );
};
