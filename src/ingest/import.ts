// Loose records → the store, in batches, with a count of what became of each.
import { accept, printRefusal } from "../core/accept.ts";
import type { Resource } from "../core/resource.ts";
import type { Json } from "../core/row.ts";
import type { Incoming, Store } from "../store/store.ts";
import type { Loose } from "./formats/format.ts";

export type Report = { read: number; created: number; updated: number; unchanged: number; refused: number };

export type ImportOptions = {
  /** Unix seconds: what `updated` is when a record does not say. */
  readonly now: number;
  readonly onRefused: (line: number, reasons: readonly string[]) => void;
  readonly onBatch?: (report: Readonly<Report>) => void;
};

/** One transaction holds this many records: long enough to be fast, short enough to let other writers in. */
const batchSize = 2000;

/** So many characters of text end a batch early: memory stays the same however long the records are. */
const batchText = 4 * 1024 * 1024;

/** An import of fewer records, or of less than a tenth of all, leaves the store as tidy as it was. */
const muchWritten = 1000;

/** Good records are kept whatever becomes of the others. */
export async function importRecords(
  store: Store,
  resource: Resource,
  records: AsyncIterable<readonly Loose[]> | Iterable<readonly Loose[]>,
  { now, onRefused, onBatch }: ImportOptions,
): Promise<Report> {
  const report: Report = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
  let batch: Incoming[] = [];
  let text = 0;
  let writing = Promise.resolve();
  /** Hands a batch to the store; the next one is read while this one is being written. */
  const flush = async () => {
    const full = batch;
    batch = [];
    text = 0;
    await writing;
    writing = store.put(resource, full).then((outcomes) => {
      for (const outcome of outcomes) report[outcome]++;
      onBatch?.(report);
    });
    // A failure is thrown by the next flush, or at the end.
    writing.catch(() => {});
  };
  for await (const found of records) {
    for (const loose of found) {
      report.read++;
      const accepted = "problem" in loose ? loose.problem : accept(resource, loose.value, now);
      if (typeof accepted === "object" && "row" in accepted) {
        batch.push(accepted);
        text += textOf(accepted.row);
        if (batch.length >= batchSize || text >= batchText) await flush();
        continue;
      }
      report.refused++;
      onRefused(loose.line, typeof accepted === "string" ? [accepted] : accepted.refusals.map(printRefusal));
    }
  }
  if (batch.length > 0) await flush();
  await writing;
  const written = report.created + report.updated;
  if (written >= muchWritten && written * 10 >= (await store.count(resource))) await store.settle(resource);
  return report;
}

/** Characters of all texts in a value, however deep they stand. */
function textOf(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 0;
  for (const member of Object.values(value)) length += textOf(member as Json);
  return length;
}

export const printReport = ({ read, created, updated, unchanged, refused }: Report): string =>
  `read ${read}, created ${created}, updated ${updated}, unchanged ${unchanged}, refused ${refused}`;
