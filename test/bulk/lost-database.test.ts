// A bulk file that can't be served, since the database is lost just then, isn't left open.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bulkFiles } from "../../src/bulk/files.ts";
import { writeBulkFile } from "../../src/bulk/write.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { StoreError } from "../../src/store/store.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

/** How many files of a directory the process has open. */
const openIn = (directory: string): number =>
  readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return readlinkSync(join("/proc/self/fd", descriptor)).startsWith(realpathSync(directory));
    } catch {
      return false;
    }
  }).length;

onEveryStore("a bulk file", (test) => {
  test("is not left open when the database is lost before it is served", async (api) => {
    const directory = mkdtempSync(join(tmpdir(), "bellwire-"));
    let reads = 0;
    const state = () => {
      if (reads-- === 0) throw new StoreError("the database is lost");
      return api.store.state();
    };
    const files = bulkFiles({
      ...{ directory, maxAgeSeconds: 0, now: () => api.clock.now },
      store: { ...api.store, state },
      write: (resource, format, file) => writeBulkFile(api.store, resource, format, file),
    });
    reads = -1;
    const { handle } = await files.get(ratings, "parquet");
    await handle.close();
    reads = 1;
    await assert.rejects(async () => files.get(ratings, "parquet"), /the database is lost/);
    if (process.platform === "linux") assert.equal(openIn(directory), 0);
    rmSync(directory, { recursive: true });
  });
});
