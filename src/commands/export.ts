// `export`: writes all records of a resource in import form.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { UsageError } from "../config.ts";
import { exported } from "../core/record/encoding.ts";
import { type FormatName, formatOf, knownExtensions } from "../ingest/formats/format.ts";
import { writeRecords } from "../ingest/formats/write.ts";
import type { Command } from "./command.ts";
import { withStore } from "./shared/open-store.ts";
import { resourceByName } from "./shared/resource-by-name.ts";

export const exportCommand: Command = {
  maxArgs: 1,
  settings: ["database"],
  options: {
    format: { value: "json|ndjson|csv", help: "output format [ndjson]" },
    output: {
      value: "FILE",
      help: "file to write instead of standard output; its extension selects the format, and .gz compresses",
    },
  },
  run: async ({ args: [name], config, options }) => {
    const resource = resourceByName(name);
    const output = options.output as string | undefined;
    const target = outputFormat(output, options.format as string | undefined);
    return withStore(
      config,
      async (store) => {
        const { rendering } = await store.state();
        async function* records() {
          for await (const row of store.scan(resource)) yield exported(resource, row, rendering);
        }
        const chunks = Readable.from(writeRecords(records(), target.format, Object.keys(resource.fields)));
        const sink = output === undefined ? process.stdout : createWriteStream(output);
        try {
          await (target.gzip ? pipeline(chunks, createGzip(), sink) : pipeline(chunks, sink));
        } catch (error) {
          // The reader of a pipe, such as head, may stop early.
          if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
        }
        return 0;
      },
      "must exist",
    );
  },
};

function outputFormat(output: string | undefined, format: string | undefined): { format: FormatName; gzip: boolean } {
  if (format !== undefined && !["json", "ndjson", "csv"].includes(format)) {
    throw new UsageError(`--format: expected one of json, ndjson, csv, got "${format}"`);
  }
  const byName = output === undefined ? undefined : formatOf(output);
  if (output !== undefined && byName === undefined && format === undefined) {
    throw new UsageError(`--output: expected a name ending in ${knownExtensions}, or --format; got "${output}"`);
  }
  return {
    format: (format as FormatName | undefined) ?? byName?.format ?? "ndjson",
    gzip: byName?.gzip ?? output?.endsWith(".gz") ?? false,
  };
}
