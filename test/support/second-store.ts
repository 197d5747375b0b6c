// A second store on the database of a service, as another process would open it.
import assert from "node:assert/strict";
import type { Resource } from "../../src/core/resource.ts";
import { type Api, type Given, testNow } from "./api.ts";
import { rowsOf } from "./requests.ts";
import { openTestStore } from "./stores.ts";

/** Runs something beside a writer of new records. */
export async function withWriter(
  api: Api,
  resource: Resource,
  run: (write: (records: readonly Given[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  const store = await openTestStore(api.file, () => testNow);
  try {
    await run(async (records) => {
      const rows = rowsOf(resource, records).map((row) => ({ row, stamped: false }));
      assert.deepEqual(new Set(await store.put(resource, rows)), new Set(["created"]));
    });
  } finally {
    await store.close();
  }
}
