// Runs tests on every store.
import { after, describe, test as nodeTest } from "node:test";
import { type Api, type ApiOptions, startApi, testNow } from "../clients/api.ts";
import { waitUntil } from "../wait-until.ts";
import { emptyPostgres, emptySqlite, postgresDatabase, type StoreName, sqliteDatabase, stores } from "./stores.ts";

export type StoreTest = (name: string, run: (api: Api) => Promise<void>, options?: ApiOptions) => void;

const databases = { sqlite: sqliteDatabase, postgres: postgresDatabase } as const;

/**
 * Each test gets a new service on an empty database.
 *
 *     onEveryStore("keys", (test) => {
 *       test("a revoked key is rejected", async (api) => { … });
 *     });
 */
export function onEveryStore(title: string, define: (test: StoreTest, store: StoreName) => void): void {
  for (const store of stores) {
    describe(`${title} [${store}]`, () => {
      define((name, run, options) => {
        nodeTest(name, async () => {
          const service = await startOn(store, options);
          try {
            await run(service.api);
          } finally {
            await service.stop();
          }
        });
      }, store);
    });
  }
}

/** The part of a service for tests that only import and read records. */
export type ReadApi = Omit<Api, "store" | "file" | "log" | "key" | "clock" | "stream" | "port" | "drain" | "close">;

export type ReadTest = (name: string, run: (api: ReadApi) => Promise<void>) => void;

export type SharingTest = (name: string, run: (api: Api) => Promise<void>) => void;

/**
 * The tests share a service, since starting one takes longer than most tests; each finds its database empty.
 *
 *     readingEveryStore("dividends", (test) => {
 *       test("a yield is compared as a number", async (api) => { … });
 *     });
 */
export function readingEveryStore(title: string, define: (test: ReadTest, store: StoreName) => void): void {
  sharingEveryStore(title, define);
}

/**
 * For tests that also write, create keys, or move the clock: the database is emptied and the clock reset after each. Keys,
 * logs, and metrics remain.
 */
export function sharingEveryStore(title: string, define: (test: SharingTest, store: StoreName) => void): void {
  for (const store of stores) {
    describe(`${title} [${store}]`, () => {
      let started: Promise<Service> | undefined;
      after(async () => (await started)?.stop());
      define((name, run) => {
        nodeTest(name, async () => {
          started ??= startOn(store);
          const service = await started;
          try {
            await run(service.api);
          } finally {
            await service.empty();
          }
        });
      }, store);
    });
  }
}

type Service = { readonly api: Api; empty(): Promise<void>; stop(): Promise<void> };

async function startOn(store: StoreName, options?: ApiOptions): Promise<Service> {
  const database = await databases[store]();
  const api = await startApi({ database: database.name, ...options });
  return {
    api,
    empty: async () => {
      api.clock.now = testNow;
      const identity = await (store === "sqlite" ? emptySqlite(database.name) : emptyPostgres());
      await waitUntil(
        async () => (await api.store.state()).databaseId === identity,
        "the service sees the empty database",
      );
    },
    stop: async () => {
      await api.close();
      await database.release();
    },
  };
}
