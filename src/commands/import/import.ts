// `import`: imports files of records and prints a report.
import { UsageError } from "../../config.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { type OpenedRecords, openRecords } from "../../ingest/formats/open.ts";
import { importRecords, printReport, type Report } from "../../ingest/import.ts";
import type { HeaderCheck } from "../../ingest/mapping/header.ts";
import { hintFor } from "../../ingest/mapping/hints.ts";
import { Mapper } from "../../ingest/mapping/mapper.ts";
import { envelopeKeys, readMapped } from "../../ingest/mapping/read.ts";
import { progress } from "../../ingest/progress.ts";
import { RejectionReporter } from "../../ingest/rejections.ts";
import { type Command, print, printError } from "../command.ts";
import { tuneHeapForBulk } from "../shared/heap.ts";
import { withStore } from "../shared/open-store.ts";
import { resourceByName } from "../shared/resource-by-name.ts";
import { mappingOptions, readMapping } from "./mapping-flags.ts";

export type OpenedFile = OpenedRecords & {
  readonly file: string;
  /** Bytes read so far. */
  readonly bytes: () => number;
};

export const importCommand: Command = {
  maxArgs: Number.POSITIVE_INFINITY,
  settings: ["database"],
  options: {
    check: {
      help: "read everything, write nothing: show the columns, what would be rejected and why, the first records as they would be served, and flags for what is not recognized",
    },
    ...mappingOptions,
  },
  run: async ({ args: [name, ...files], config, options }) => {
    const resource = resourceByName(name);
    if (files.length === 0) throw new UsageError("FILE: expected at least one file, or - for standard input");
    const mapping = readMapping(resource, options);
    // Opened before the database: a mistyped name must leave nothing behind.
    const opened = files.map((file) => openCounted(file, resource));
    tuneHeapForBulk();
    if (options.check === true) return (await import("./check.ts")).checkFiles(resource, opened, options);
    const mapper = new Mapper(resource, mapping);
    return withStore(config, async (store) => {
      const total: Report = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
      for (const each of opened) {
        const { file, totalBytes, bytes } = each;
        const bar = progress(process.stderr, file, { totalBytes, phase: "reading" });
        const rejections = reporterOf(resource, each, printError);
        const onHeader = ({ problems, attributes, notices }: HeaderCheck) => {
          for (const notice of notices) printError(`${file}: ${notice}`);
          rejections.header(problems, attributes);
        };
        const records = readMapped(resource, mapping, mapper, each, onHeader, store);
        const report = await importRecords(store, resource, records, {
          now: Math.floor(Date.now() / 1000),
          onRefused: rejections.add.bind(rejections),
          onBatch: (soFar) => bar.update({ bytes: bytes(), records: soFar.read }),
          bulk: {
            expected: (read) => (totalBytes === undefined ? undefined : (read * totalBytes) / Math.max(bytes(), 1)),
            onPhase: bar.phase,
          },
        }).finally(() => bar.end());
        rejections.end();
        for (const key of Object.keys(total) as (keyof Report)[]) total[key] += report[key];
        if (files.length > 1) print(`${file}: ${printReport(report)}`);
      }
      reportDropped(mapper);
      print(printReport(total));
      return total.refused > 0 ? 1 : 0;
    });
  },
};

function openCounted(file: string, resource: Resource): OpenedFile {
  let read = 0;
  const onBytes = (count: number) => {
    read += count;
  };
  try {
    return { file, ...openRecords(file, { onBytes, envelopeKeys: envelopeKeys(resource) }), bytes: () => read };
  } catch (error) {
    throw new UsageError(`FILE: ${(error as Error).message}`);
  }
}

export const reporterOf = (resource: Resource, opened: OpenedFile, print: (line: string) => void): RejectionReporter =>
  new RejectionReporter({
    file: opened.file,
    locate: () => locationIn(opened),
    print,
    hint: (error) => hintFor(resource, error),
  });

function locationIn({ format: { format }, info }: OpenedRecords): "line" | "record" | "both" {
  if (format === "parquet") return "record";
  return format === "json" || info.values === "foreign" ? "both" : "line";
}

/** Names each attribute that --ignore-unknown dropped. */
export function reportDropped({ dropped }: Mapper): void {
  if (dropped.size === 0) return;
  const counts = [...dropped].map(([name, count]) => `${name} (${count.toLocaleString("en")})`);
  printError(`ignored unknown attributes, with the number of records: ${counts.join(", ")}`);
}
