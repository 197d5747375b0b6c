// `import`: imports files of records and prints a report.
import { UsageError } from "../config.ts";
import { openRecords } from "../ingest/formats/open.ts";
import { importRecords, printReport, type Report } from "../ingest/import.ts";
import { progress } from "../ingest/progress.ts";
import { type Command, print, printError } from "./command.ts";
import { tuneHeapForBulk } from "./shared/heap.ts";
import { withStore } from "./shared/open-store.ts";
import { resourceByName } from "./shared/resource-by-name.ts";

export const importCommand: Command = {
  maxArgs: Number.POSITIVE_INFINITY,
  settings: ["database"],
  run: async ({ args: [name, ...files], config }) => {
    const resource = resourceByName(name);
    if (files.length === 0) throw new UsageError("FILE: expected at least one file, or - for standard input");
    // hasOwn: a column may be named toString.
    const cells = (column: string, text: string) =>
      Object.hasOwn(resource.fields, column) ? resource.fields[column]?.fromCsv(text) : undefined;
    // Opened before the database: a mistyped name must leave nothing behind.
    tuneHeapForBulk();
    const opened = files.map((file) => ({ file, ...openCounted(file, cells) }));
    return withStore(config, async (store) => {
      const total: Report = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
      for (const { file, totalBytes, records, bytes } of opened) {
        const bar = progress(process.stderr, file, { totalBytes, phase: "reading" });
        const report = await importRecords(store, resource, records, {
          now: Math.floor(Date.now() / 1000),
          onRefused: (line, reasons) => printError(`${file}:${line}: refused: ${reasons.join("; ")}`),
          onBatch: (soFar) => bar.update({ bytes: bytes(), records: soFar.read }),
          bulk: {
            expected: (read) => (totalBytes === undefined ? undefined : (read * totalBytes) / Math.max(bytes(), 1)),
            onPhase: bar.phase,
          },
        }).finally(() => bar.end());
        for (const key of Object.keys(total) as (keyof Report)[]) total[key] += report[key];
        if (files.length > 1) print(`${file}: ${printReport(report)}`);
      }
      print(printReport(total));
      return total.refused > 0 ? 1 : 0;
    });
  },
};

function openCounted(file: string, cells: (column: string, text: string) => unknown) {
  let read = 0;
  try {
    const opened = openRecords(file, cells, (count) => {
      read += count;
    });
    return { ...opened, bytes: () => read };
  } catch (error) {
    throw new UsageError(`FILE: ${(error as Error).message}`);
  }
}
