// Loose records → the store, in batches, with a count of what became of each.

import type { Resource } from "../core/catalog/resource.ts";
import type { Json } from "../core/record/row.ts";
import { accept, printRefusal, type Refusal } from "../core/record/validate.ts";
import type { IncomingRow, Store } from "../store/store.ts";
import type { Loose } from "./formats/format.ts";
import { timeSlice } from "./time-slice.ts";

export type Report = { read: number; created: number; updated: number; unchanged: number; refused: number };

/** What a report may say of a record that was refused besides its line and the reasons in words. */
export type Refused = {
  /** Its place among the records, from 0. */
  readonly index: number;
  /** As it was read; undefined where it could not be. */
  readonly value: unknown;
  readonly refusals: readonly Refusal[];
};

/** An import that is all or nothing found no room for its rows; nothing was written. */
export class NoMemoryError extends Error {}

export type ImportOptions = {
  /** Unix seconds: what `updated` is when a record does not say. */
  readonly now: number;
  readonly onRefused: (line: number, reasons: readonly string[], refused: Refused) => void;
  readonly onBatch?: (report: Readonly<Report>) => void;
  /** Records to a transaction: enough to be fast, few enough to let other writers in. */
  readonly batchSize?: number;
  /** Where the memory of rows is counted while they are held; `add` returns false when there is no more room. */
  readonly memory?: { add(bytes: number): boolean; release(bytes: number): void };
  /** All or nothing: rows are held until the last record is read, and none is written when any was refused. */
  readonly atomic?: boolean;
};

/** So many characters of text end a batch early: memory stays the same however long the records are. */
const batchText = 4 * 1024 * 1024;

/** Roughly what a row takes in memory beside its texts. */
const rowBytes = 500;

/** An import of fewer records, or of less than a tenth of all, leaves the store as tidy as it was. */
const muchWritten = 1000;

/** Good records are kept whatever becomes of the others, unless it is to be all or nothing. */
export async function importRecords(
  store: Store,
  resource: Resource,
  records: AsyncIterable<readonly Loose[]> | Iterable<readonly Loose[]>,
  { now, onRefused, onBatch, batchSize = 2000, atomic = false, memory }: ImportOptions,
): Promise<Report> {
  const report: Report = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
  let batch: IncomingRow[] = [];
  let text = 0;
  let writing = Promise.resolve();
  /** Hands a batch to the store; the next one is read while this one is being written. */
  const flush = async () => {
    const full = batch;
    const bytes = bytesOf(batch, text);
    batch = [];
    text = 0;
    await writing;
    writing = store.put(resource, full).then((outcomes) => {
      memory?.release(bytes);
      for (const outcome of outcomes) report[outcome]++;
      onBatch?.(report);
    });
    // A failure is thrown by the next flush, or at the end.
    writing.catch(() => {});
  };
  const slice = timeSlice();
  for await (const found of records) {
    for (const loose of found) {
      if (slice.isOver()) await slice.next();
      report.read++;
      const accepted = "problem" in loose ? loose.problem : accept(resource, loose.value, now);
      if (typeof accepted === "object" && "row" in accepted) {
        if (atomic && report.refused > 0) continue;
        const length = textOf(accepted.row);
        const hasRoom = memory?.add(rowBytes + length) ?? true;
        batch.push(accepted);
        text += length;
        if (atomic && !hasRoom) throw new NoMemoryError();
        if (atomic) continue;
        if (batch.length >= batchSize || text >= batchText || !hasRoom) await flush();
        continue;
      }
      report.refused++;
      if (atomic) {
        memory?.release(bytesOf(batch, text));
        batch = [];
        text = 0;
      }
      const unread = typeof accepted === "string";
      const refusals = unread ? [{ field: "", given: accepted, expected: "a record" }] : accepted.refusals;
      const value = "value" in loose ? loose.value : undefined;
      const reasons = unread ? [accepted] : refusals.map(printRefusal);
      onRefused(loose.line, reasons, { index: report.read - 1, value, refusals });
    }
  }
  if (batch.length > 0) await flush();
  await writing;
  const written = report.created + report.updated;
  if (written >= muchWritten && written * 10 >= (await store.count(resource))) await store.optimize(resource);
  return report;
}

const bytesOf = (batch: readonly IncomingRow[], text: number): number => batch.length * rowBytes + text;

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
