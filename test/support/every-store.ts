// Runs tests on every store: each test gets a service of its own, empty and fresh.
import { describe, test as nodeTest } from "node:test";
import { type Api, type ApiOptions, startApi } from "./api.ts";
import { postgresDatabase, type StoreName, sqliteDatabase, stores } from "./stores.ts";

export type StoreTest = (name: string, run: (api: Api) => Promise<void>, options?: ApiOptions) => void;

const databases = { sqlite: sqliteDatabase, postgres: postgresDatabase } as const;

/**
 *     onEveryStore("dividends", (test) => {
 *       test("a yield is compared as a number", async (api) => { … });
 *     });
 */
export function onEveryStore(title: string, define: (test: StoreTest, store: StoreName) => void): void {
  for (const store of stores) {
    describe(`${title} [${store}]`, () => {
      define((name, run, options) => {
        nodeTest(name, async () => {
          const database = await databases[store]();
          const api = await startApi({ database: database.name, ...options });
          try {
            await run(api);
          } finally {
            await api.close();
            await database.release();
          }
        });
      }, store);
    });
  }
}
