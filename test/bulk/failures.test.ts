// A bulk file that can't be written: the reason is reported, and nothing remains that would prevent the next attempt.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { bulkFiles } from "../../src/bulk/files.ts";
import { writeBulkFile } from "../../src/bulk/write.ts";
import type { BulkJob } from "../../src/bulk-process.ts";
import { servedBulkFiles } from "../../src/commands/bulk/served-files.ts";
import { configure } from "../../src/config.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { type Store, StoreError } from "../../src/store/store.ts";
import { endAfterFile } from "../support/processes.ts";

const now = () => 1_730_800_000;

describe("a bulk file that can't be written [sqlite]", () => {
  let folder = "";
  let database = "";
  let store: Store;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "bellwire-"));
    database = join(folder, "records.db");
    store = openSqlite({ file: database });
    await store.prepare();
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  test("leaves no lock behind, and fails with its own error, even if what was written can't be removed", async () => {
    const directory = join(folder, "locked");
    let attempts = 0;
    const files = bulkFiles({
      ...{ directory, maxAgeSeconds: 0, store, now },
      write: async (resource, format, file) => {
        if (++attempts > 1) return writeBulkFile(store, resource, format, file);
        mkdirSync(file);
        throw new StoreError("the database is lost");
      },
    });
    await assert.rejects(files.get(ratings, "parquet"), /the database is lost/);
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.endsWith(".lock")),
      [],
    );
    const { handle } = await files.get(ratings, "parquet");
    await handle.close();
  });

  test("is unavailable while the server stops, which is no fault", async () => {
    const config = configure({ database, "bulk-directory": join(folder, "stopped") }, {});
    const files = servedBulkFiles(config, store, now, AbortSignal.abort());
    await assert.rejects(files.get(ratings, "parquet"), StoreError);
  });

  test("is reported by the process that was to write it", async () => {
    const program = new URL("../../src/bulk-process.ts", import.meta.url);
    const child = fork(program, { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
    endAfterFile(child);
    const file = join(folder, "missing", "file");
    const job = { database, resource: "ratings", format: "parquet", file, statementSeconds: undefined } as const;
    child.send(job satisfies BulkJob);
    const [errors] = await Promise.all([text(child.stderr ?? assert.fail()), once(child, "close")]);
    assert.match(errors, /^cannot write the bulk file of ratings: ENOENT: no such file or directory, open '.*'\n$/);
  });
});
