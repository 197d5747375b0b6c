// `export`: writes all records of a resource in import form.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress } from "node:zlib";
import { UsageError } from "../config.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { exported } from "../core/record/encoding.ts";
import type { Compression } from "../ingest/formats/decompress.ts";
import { type FormatName, formatOf, type TextFormat } from "../ingest/formats/format.ts";
import type { DecimalType } from "../ingest/formats/parquet/columns.ts";
import { writeRecords } from "../ingest/formats/write.ts";
import type { Store } from "../store/store.ts";
import type { Command } from "./command.ts";
import { withStore } from "./shared/open-store.ts";
import { resourceByName } from "./shared/resource-by-name.ts";

const formats = ["json", "ndjson", "csv", "parquet"] as const satisfies readonly FormatName[];
const decimalTypes = ["double", "text"] as const satisfies readonly DecimalType[];

export const exportCommand: Command = {
  maxArgs: 1,
  settings: ["database"],
  options: {
    format: { value: formats.join("|"), help: "output format [ndjson]" },
    decimals: {
      value: decimalTypes.join("|"),
      help: "column type of decimals in Parquet: numbers, or text that keeps every digit [double]",
    },
    output: {
      value: "FILE",
      help: "file to write instead of standard output; its extension selects the format, and .gz or .zst compresses",
    },
  },
  run: async ({ args: [name], config, options }) => {
    const resource = resourceByName(name);
    const output = options.output as string | undefined;
    const target = outputFormat(output, options.format as string | undefined);
    const decimals = decimalType(target.format, options.decimals as string | undefined);
    return withStore(
      config,
      async (store) => {
        const chunks = Readable.from(
          target.format === "parquet"
            ? await parquetOf(store, resource, decimals)
            : textOf(store, resource, target.format),
        );
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

async function* textOf(store: Store, resource: Resource, format: TextFormat): AsyncGenerator<string> {
  const { rendering } = await store.state();
  async function* records() {
    for await (const row of store.scan(resource)) yield exported(resource, row, rendering);
  }
  yield* writeRecords(records(), format, Object.keys(resource.fields));
}

/** Loaded lazily, because few exports need it. */
async function parquetOf(store: Store, resource: Resource, decimals: DecimalType): Promise<AsyncIterable<Uint8Array>> {
  const { parquetColumns } = await import("../ingest/formats/parquet/columns.ts");
  const { writeParquet } = await import("../ingest/formats/parquet/write.ts");
  return writeParquet(store.scan(resource), parquetColumns(resource.fields, decimals));
}

const compressors = { gzip: createGzip, zstd: createZstdCompress };

type Output = { readonly format: FormatName; readonly compression: Compression | undefined };

function outputFormat(output: string | undefined, format: string | undefined): Output {
  if (format !== undefined && !isOneOf(formats, format)) {
    throw new UsageError(`--format: expected one of ${formats.join(", ")}, got "${format}"`);
  }
  const byName = output === undefined ? undefined : formatOf(output);
  const isWritable = byName !== undefined && byName.delimiter === undefined;
  if (output !== undefined && !isWritable && format === undefined) {
    const expected = ".json, .ndjson, .jsonl, or .csv, each also with .gz or .zst, or .parquet";
    throw new UsageError(`--output: expected a name ending in ${expected}, or --format; got "${output}"`);
  }
  const [, ending] = /\.(gz|zst)$/i.exec(output ?? "") ?? [];
  if (format === "parquet" && ending !== undefined) {
    throw new UsageError(
      `--output: Parquet is compressed already, expected a name without .${ending}; got "${output}"`,
    );
  }
  return {
    format: format ?? byName?.format ?? "ndjson",
    compression: ending === undefined ? undefined : ending.toLowerCase() === "gz" ? "gzip" : "zstd",
  };
}

function decimalType(format: FormatName, decimals: string | undefined): DecimalType {
  if (decimals === undefined) return "double";
  if (!isOneOf(decimalTypes, decimals)) {
    throw new UsageError(`--decimals: expected one of ${decimalTypes.join(", ")}, got "${decimals}"`);
  }
  if (format !== "parquet") throw new UsageError(`--decimals: only for Parquet; ${format} has every decimal as text`);
  return decimals;
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value);
