// Bulk files of a server: where they are, and the processes that write them.
import { fork } from "node:child_process";
import { dirname, extname, join } from "node:path";
import { type BulkFiles, bulkFiles, type WriteBulk } from "../../bulk/files.ts";
import type { WrittenFile } from "../../bulk/write.ts";
import type { BulkJob } from "../../bulk-process.ts";
import type { Config } from "../../config.ts";
import { isPostgres } from "../../settings/setting.ts";
import { type Store, StoreError } from "../../store/store.ts";

/** `.ts` in a checkout, `.js` in the package. */
const program = new URL(`../../bulk-process${extname(import.meta.url)}`, import.meta.url);

export function servedBulkFiles(config: Config, store: Store, now: () => number, signal: AbortSignal): BulkFiles {
  const database = config.get("database");
  return bulkFiles({
    directory: config.get("bulk-directory") || join(isPostgres(database) ? "data" : dirname(database), "bulk"),
    maxAgeSeconds: Number(config.get("bulk-minutes")) * 60,
    store,
    now,
    write: forkedWriter({ database, statementSeconds: config.provided("statement-seconds") }, signal),
  });
}

/** Writes each file in a process that ends with the server. */
const forkedWriter =
  (settings: Pick<BulkJob, "database" | "statementSeconds">, signal: AbortSignal): WriteBulk =>
  async ({ name }, format, file) => {
    const child = fork(program, { signal, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    // Aborted, with the server; it is closed in any case.
    child.on("error", () => {});
    child.send({ ...settings, resource: name, format, file } satisfies BulkJob);
    let written: WrittenFile | undefined;
    child.once("message", (message: WrittenFile) => {
      written = message;
    });
    await new Promise((resolve) => child.once("close", resolve));
    if (written === undefined) throw new StoreError(`the bulk file of ${name} could not be written`);
    return written;
  };
