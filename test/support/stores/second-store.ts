// A second store on the database of a service, as another process would open it.
import assert from "node:assert/strict";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { type Api, type RecordInput, testNow } from "../clients/api.ts";
import { rowsOf } from "../requests/requests.ts";
import { openTestStore } from "./stores.ts";

/** Runs a function with a concurrent writer. */
export async function withWriter(
  api: Api,
  resource: Resource,
  run: (
    write: (records: readonly RecordInput[]) => Promise<void>,
    remove: (records: readonly RecordInput[]) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const store = await openTestStore(api.file, () => testNow);
  try {
    await run(
      async (records) => {
        const rows = rowsOf(resource, records).map((row) => ({ row, stamped: false }));
        assert.deepEqual(new Set(await store.put(resource, rows)), new Set(["created"]));
      },
      async (records) => {
        const ids = records.map(({ id }) => String(id));
        assert.equal(await store.remove(resource, ids), ids.length);
      },
    );
  } finally {
    await store.close();
  }
}
