// Validates parsed records and writes them to the store in batches, counting outcomes.

import type { Resource } from "../core/catalog/resource.ts";
import type { Json } from "../core/record/row.ts";
import { type FieldError, printFieldError, validateRecord } from "../core/record/validate.ts";
import type { IncomingRow, Store } from "../store/store.ts";
import type { ParsedRecord } from "./formats/format.ts";
import { timeSlice } from "./time-slice.ts";

export type Report = { read: number; created: number; updated: number; unchanged: number; refused: number };

/** A refused record, besides its line and the reasons as text. */
export type Rejection = {
  /** Position among the records, from 0. */
  readonly index: number;
  /** The parsed value; undefined when it could not be parsed. */
  readonly value: unknown;
  readonly refusals: readonly FieldError[];
};

/** An atomic import exceeded the memory limit; nothing was written. */
export class MemoryLimitError extends Error {}

export type ImportOptions = {
  /** Unix seconds; the default of `updated`. */
  readonly now: number;
  readonly onRefused: (line: number, reasons: readonly string[], refused: Rejection) => void;
  readonly onBatch?: (report: Readonly<Report>) => void;
  /** Records per transaction: enough to be fast, few enough to let other writers in. */
  readonly batchSize?: number;
  /** Accounts for buffered rows; `add` returns false when the limit is reached. */
  readonly memory?: { add(bytes: number): boolean; release(bytes: number): void };
  /** All or nothing: rows are buffered until the last record is read, and none is written if any was refused. */
  readonly atomic?: boolean;
};

/** Characters of text that end a batch early, so that long records don't take more memory. */
const maxBatchText = 4 * 1024 * 1024;

/** Approximate memory of a row besides its text. */
const rowBytes = 500;

/** The store is optimized after an import of at least this many records and a tenth of all. */
const optimizeThreshold = 1000;

/** Valid records are imported even if others are refused, unless the import is atomic. */
export async function importRecords(
  store: Store,
  resource: Resource,
  records: AsyncIterable<readonly ParsedRecord[]> | Iterable<readonly ParsedRecord[]>,
  { now, onRefused, onBatch, batchSize = 2000, atomic = false, memory }: ImportOptions,
): Promise<Report> {
  const report: Report = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
  let batch: IncomingRow[] = [];
  let text = 0;
  let writing = Promise.resolve();
  /** Starts writing a batch; the next one is read while this one is being written. */
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
    for (const record of found) {
      if (slice.isOver()) await slice.next();
      report.read++;
      const accepted = "problem" in record ? record.problem : validateRecord(resource, record.value, now);
      if (typeof accepted === "object" && "row" in accepted) {
        if (atomic && report.refused > 0) continue;
        const length = textLength(accepted.row);
        const hasRoom = memory?.add(rowBytes + length) ?? true;
        batch.push(accepted);
        text += length;
        if (atomic && !hasRoom) throw new MemoryLimitError();
        if (atomic) continue;
        if (batch.length >= batchSize || text >= maxBatchText || !hasRoom) await flush();
        continue;
      }
      report.refused++;
      if (atomic) {
        memory?.release(bytesOf(batch, text));
        batch = [];
        text = 0;
      }
      const unparsed = typeof accepted === "string";
      const refusals = unparsed ? [{ field: "", received: accepted, expected: "a record" }] : accepted.errors;
      const value = "value" in record ? record.value : undefined;
      const reasons = unparsed ? [accepted] : refusals.map(printFieldError);
      onRefused(record.line, reasons, { index: report.read - 1, value, refusals });
    }
  }
  if (batch.length > 0) await flush();
  await writing;
  const written = report.created + report.updated;
  if (written >= optimizeThreshold && written * 10 >= (await store.count(resource))) await store.optimize(resource);
  return report;
}

const bytesOf = (batch: readonly IncomingRow[], text: number): number => batch.length * rowBytes + text;

/** Characters of all strings in a value, at any depth. */
function textLength(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 0;
  for (const member of Object.values(value)) length += textLength(member as Json);
  return length;
}

export const printReport = ({ read, created, updated, unchanged, refused }: Report): string =>
  `read ${read}, created ${created}, updated ${updated}, unchanged ${unchanged}, refused ${refused}`;
