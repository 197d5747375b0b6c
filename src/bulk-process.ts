// The program of a process that writes one bulk file and ends, so that neither its work nor its memory burdens the server.
import { writeBulkFile } from "./bulk/write.ts";
import { errorMessage, printError } from "./commands/command.ts";
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
  /** The setting, if one was provided. */
  readonly statementSeconds: string | undefined;
};

process.once("message", async (job: BulkJob) => {
  try {
    await write(job);
  } catch (error) {
    // The server only learns that there is no file.
    printError(`cannot write the bulk file of ${job.resource}: ${errorMessage(error)}`);
  }
  process.disconnect?.();
});
// A server that was killed waits for nothing.
process.once("disconnect", () => process.exit());

async function write({ database, resource, format, file, statementSeconds }: BulkJob): Promise<void> {
  const config = configure({ database, "statement-seconds": statementSeconds }, {});
  const store = await openStore(config, "must exist");
  try {
    const written = await writeBulkFile(store, resourceByName(resource), format, file);
    process.send?.(written);
  } finally {
    await store.close();
  }
}
