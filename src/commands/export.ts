// `export`: writes all records of a resource in import form.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress } from "node:zlib";
import { UsageError } from "../config.ts";
import { exported } from "../core/record/encoding.ts";
import type { Compression } from "../ingest/formats/decompress.ts";
import { formatOf, type TextFormat } from "../ingest/formats/format.ts";
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
      help: "file to write instead of standard output; its extension selects the format, and .gz or .zst compresses",
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
          const compress = target.compression && compressors[target.compression]();
          await (compress ? pipeline(chunks, compress, sink) : pipeline(chunks, sink));
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

const compressors = { gzip: createGzip, zstd: createZstdCompress };

type Output = { readonly format: TextFormat; readonly compression: Compression | undefined };

function outputFormat(output: string | undefined, format: string | undefined): Output {
  if (format !== undefined && !["json", "ndjson", "csv"].includes(format)) {
    throw new UsageError(`--format: expected one of json, ndjson, csv, got "${format}"`);
  }
  const byName = output === undefined ? undefined : formatOf(output);
  const isWritable = byName !== undefined && byName.format !== "parquet" && byName.delimiter === undefined;
  if (output !== undefined && !isWritable && format === undefined) {
    const expected = ".json, .ndjson, .jsonl or .csv, each also with .gz or .zst";
    throw new UsageError(`--output: expected a name ending in ${expected}, or --format; got "${output}"`);
  }
  const [, ending] = /\.(gz|zst)$/i.exec(output ?? "") ?? [];
  return {
    format: (format ?? byName?.format ?? "ndjson") as TextFormat,
    compression: ending === undefined ? undefined : ending.toLowerCase() === "gz" ? "gzip" : "zstd",
  };
}
