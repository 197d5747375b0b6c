// The program of a process that writes one bulk file and ends, so that neither its work nor its memory burdens the server.
import { writeBulkFile } from "./bulk/write.ts";
import { openStore } from "./commands/shared/open-store.ts";
import { resourceByName } from "./commands/shared/resource-by-name.ts";
import { configure } from "./config.ts";
import type { BulkFormat } from "./core/output/bulk.ts";

/** The database may contain a password, so it isn't an argument. */
export type BulkJob = {
  readonly database: string;
  readonly resource: string;
  readonly format: BulkFormat;
  readonly file: string;
};

process.once("message", async ({ database, resource, format, file }: BulkJob) => {
  const store = await openStore(configure({ database }, {}), "must exist");
  try {
    const written = await writeBulkFile(store, resourceByName(resource), format, file);
    process.send?.(written);
  } finally {
    await store.close();
    process.disconnect?.();
  }
});
// A server that was killed waits for nothing.
process.once("disconnect", () => process.exit());
