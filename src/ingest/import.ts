// Validates parsed records and writes them to the store in batches, counting outcomes.

import type { Resource } from "../core/catalog/resource.ts";
import type { Json } from "../core/record/row.ts";
import { type FieldError, printFieldError, validateRecord } from "../core/record/validate.ts";
import type { IncomingRow, LoadResult, OnPhase, Store } from "../store/store.ts";
import { type BatchWriter, loadWriter, putWriter } from "./batch-writer.ts";
import type { ParsedRecord } from "./formats/format.ts";
import { type TimeSlice, timeSlice } from "./time-slice.ts";

export type Report = { read: number; created: number; updated: number; unchanged: number; refused: number };

/** A rejected record, besides its line and the reasons as text. */
export type Rejection = {
  /** Position among the records, from 0. */
  readonly index: number;
  /** The parsed value; undefined when it could not be parsed. */
  readonly value: unknown;
  readonly refusals: readonly FieldError[];
};

/** An atomic import exceeded the memory limit; nothing was written. */
export class MemoryLimitError extends Error {}

type ImportOptions = {
  /** Unix seconds; the default of `updated`. */
  readonly now: number;
  readonly onRefused: (line: number, reasons: readonly string[], refused: Rejection) => void;
  /** Called after every full batch. */
  readonly onBatch?: (report: Readonly<Report>) => void;
  /** Records per batch, which is a transaction unless it's part of a load. */
  readonly batchSize?: number;
  /** Accounts for buffered rows; `add` returns false when the limit is reached. */
  readonly memory?: { add(bytes: number): boolean; release(bytes: number): void };
  /** Allows a load, which other writers wait for. */
  readonly bulk?: Bulk;
  /** All or nothing: rows are buffered until the last record is read, and none is written if any was rejected. */
  readonly atomic?: boolean;
};

type Bulk = {
  /** Estimates the number of records from how many were read so far; undefined if unknown. */
  readonly expected: (read: number) => number | undefined;
  readonly onPhase?: OnPhase;
};

/** Records of a batch, and characters of text that end it early, so that long records don't take more memory. */
const putLimits = { records: 2000, text: 1024 * 1024 } as const;
/** Several batches of a load are in memory at a time. */
export const loadLimits = { records: 1000, text: 512 * 1024 } as const;

/** Approximate memory of a row besides its text. */
const rowBytes = 500;

/** The store is optimized after an import of at least this many records and a tenth of all. */
const optimizeThreshold = 1000;

/** Valid records are imported even if others are rejected, unless the import is atomic. */
export async function importRecords(
  store: Store,
  resource: Resource,
  records: AsyncIterable<readonly ParsedRecord[]> | Iterable<readonly ParsedRecord[]>,
  options: ImportOptions,
): Promise<Report> {
  const report: Report = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
  const slice = timeSlice();
  const batches = new Batches(store, resource, report, options, slice);
  try {
    for await (const found of records) {
      for (const record of found) {
        if (slice.isOver()) await slice.next();
        report.read++;
        const accepted = "problem" in record ? record.problem : validateRecord(resource, record.value, options.now);
        if (typeof accepted === "object" && "row" in accepted) {
          if (options.atomic && report.refused > 0) continue;
          if (batches.add(accepted)) await batches.flush();
        } else {
          report.refused++;
          if (options.atomic) batches.discard();
          reject(record, accepted, report.read - 1, options.onRefused);
        }
      }
    }
    await batches.end();
  } catch (error) {
    // What isn't committed is lost even if this fails, as it does when the database is: the first error is the cause.
    await batches.abort().catch(() => {});
    throw error;
  }
  const written = report.created + report.updated;
  const isBulk = written >= optimizeThreshold && !batches.isOptimized;
  if (isBulk && written * 10 >= (await store.count(resource))) await store.optimize(resource);
  return report;
}

/** Reports a record that could not be parsed or is invalid. */
export function reject(
  record: ParsedRecord,
  problem: string | { readonly errors: readonly FieldError[] },
  index: number,
  onRefused: ImportOptions["onRefused"],
): void {
  const value = "value" in record ? record.value : undefined;
  if (typeof problem === "string") {
    const refusals = [{ field: "", received: problem, expected: "a record" }];
    onRefused(record.line, [problem], { index, value, refusals });
  } else onRefused(record.line, problem.errors.map(printFieldError), { index, value, refusals: problem.errors });
}

/** Groups valid records into batches and writes them; how is decided with the first full batch. */
class Batches {
  readonly #store: Store;
  readonly #resource: Resource;
  readonly #report: Report;
  readonly #options: ImportOptions;
  readonly #slice: TimeSlice;
  #writer: BatchWriter;
  #isDecided: boolean;
  #limits: { readonly records: number; readonly text: number };
  #count = 0;
  #text = 0;
  /** Rows before the decision. */
  #undecided: IncomingRow[] = [];
  /** Bytes of the batches that aren't written yet, oldest first. */
  readonly #held: number[] = [];

  constructor(store: Store, resource: Resource, report: Report, options: ImportOptions, slice: TimeSlice) {
    this.#store = store;
    this.#resource = resource;
    this.#report = report;
    this.#options = options;
    this.#slice = slice;
    this.#writer = putWriter(store, resource, (outcomes) => this.#onWritten(outcomes));
    this.#isDecided = options.bulk === undefined;
    this.#limits = { ...putLimits, records: options.batchSize ?? putLimits.records };
  }

  /** Returns whether the batch is full. */
  add(row: IncomingRow): boolean {
    const { memory, atomic } = this.#options;
    const length = textLength(row.row);
    const hasRoom = memory?.add(rowBytes + length) ?? true;
    if (this.#isDecided) this.#writer.add(row);
    else this.#undecided.push(row);
    this.#count++;
    this.#text += length;
    if (atomic && !hasRoom) throw new MemoryLimitError();
    return !atomic && (this.#count >= this.#limits.records || this.#text >= this.#limits.text || !hasRoom);
  }

  async flush(): Promise<void> {
    if (!this.#isDecided) await this.#decide();
    this.#held.push(this.#bytes());
    this.#count = 0;
    this.#text = 0;
    await this.#writer.flush();
    this.#options.onBatch?.(this.#report);
  }

  /** Discards the batch of an atomic import. */
  discard(): void {
    this.#options.memory?.release(this.#bytes());
    this.#count = 0;
    this.#text = 0;
    this.#writer = putWriter(this.#store, this.#resource, (outcomes) => this.#onWritten(outcomes));
  }

  async end(): Promise<void> {
    this.#isDecided = true;
    for (const row of this.#undecided) this.#writer.add(row);
    this.#held.push(this.#bytes());
    await this.#writer.end();
  }

  abort(): Promise<void> {
    return this.#writer.abort();
  }

  get isOptimized(): boolean {
    return this.#writer.isOptimized;
  }

  async #decide(): Promise<void> {
    const { bulk } = this.#options;
    const rows = this.#undecided;
    this.#undecided = [];
    this.#isDecided = true;
    const expected = { records: bulk?.expected(this.#report.read), text: this.#text / rows.length };
    const load = await loadWriter(
      this.#store,
      this.#resource,
      expected,
      (outcomes) => this.#onWritten(outcomes),
      bulk?.onPhase,
    );
    this.#writer = load ?? this.#writer;
    if (load !== undefined) this.#limits = loadLimits;
    for (const row of rows) {
      if (this.#slice.isOver()) await this.#slice.next();
      this.#writer.add(row);
    }
  }

  #onWritten(outcomes: Readonly<LoadResult>): void {
    for (const name of ["created", "updated", "unchanged"] as const) this.#report[name] += outcomes[name];
    this.#options.memory?.release(this.#held.shift() ?? 0);
  }

  #bytes(): number {
    return this.#count * rowBytes + this.#text;
  }
}

/** Characters of all strings in a value, at any depth. */
export function textLength(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 0;
  if (Array.isArray(value)) for (const member of value) length += textLength(member);
  else for (const name in value) length += textLength((value as Readonly<Record<string, Json>>)[name] ?? null);
  return length;
}

export const printReport = ({ read, created, updated, unchanged, refused }: Report): string =>
  `read ${read}, created ${created}, updated ${updated}, unchanged ${unchanged}, refused ${refused}`;
