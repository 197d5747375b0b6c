// Writes upstream records to the store. Invalid records are counted, reported, and skipped; unknown attributes are
// dropped and counted.

import type { Field } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { printFieldError, validateRecord } from "../core/record/validate.ts";
import type { IncomingRow, Store } from "../store/store.ts";
import { type ListEndpoint, listUnder, type PageSizes, recordId } from "./lists/scan.ts";

export type Counts = { created: number; updated: number; unchanged: number; removed: number; refused: number };

const zeroCounts = (): Counts => ({ created: 0, updated: 0, unchanged: 0, removed: 0, refused: 0 });

export type Refusal = { readonly id: string; readonly reasons: string; readonly at: number };

/** Outcome of ingesting an upstream's records, stored with the checkpoint. */
export type Tally = {
  counts: Counts;
  /** Number of records by unknown attribute. */
  dropped: Record<string, number>;
  /** The most recent ones. */
  refusals: Refusal[];
};

export const newTally = (): Tally => ({ counts: zeroCounts(), dropped: {}, refusals: [] });

const maxRefusals = 20;
const maxDropped = 50;

export type IngestOptions = {
  readonly store: Store;
  /** Rows per transaction: other writers wait while it runs. */
  readonly batchSize: number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onRefused: (resource: Resource, refusal: Refusal) => void;
  readonly onIngested: (count: number) => void;
};

export const listEndpoint = ({ path, intake }: Resource, pageSizes: PageSizes): ListEndpoint => ({
  path,
  size: intake.size,
  pageSizes,
  ...listUnder(...intake.keys),
});

/** Writes the records of a page and adds the outcome to `tally`. */
export async function ingestRecords(
  { store, batchSize, now, onRefused, onIngested }: IngestOptions,
  resource: Resource,
  records: readonly unknown[],
  tally: Tally,
): Promise<void> {
  const rows: IncomingRow[] = [];
  for (const record of records) {
    const { value, dropped } = knownAttributes(resource, record);
    for (const name of dropped) {
      if (Object.hasOwn(tally.dropped, name) || Object.keys(tally.dropped).length < maxDropped)
        tally.dropped[name] = (tally.dropped[name] ?? 0) + 1;
    }
    const accepted = validateRecord(resource, value, now());
    if ("row" in accepted) rows.push(accepted);
    else {
      const reasons = accepted.errors.map(printFieldError).join("; ");
      const refusal = { id: printable(recordId(record) ?? ""), reasons: reasons.slice(0, 500), at: now() };
      tally.counts.refused++;
      tally.refusals = [...tally.refusals.filter(({ id }) => id !== refusal.id), refusal].slice(-maxRefusals);
      onRefused(resource, refusal);
    }
  }
  for (let at = 0; at < rows.length; at += batchSize) {
    const outcomes = await store.put(resource, rows.slice(at, at + batchSize));
    for (const outcome of outcomes) tally.counts[outcome]++;
    onIngested(outcomes.length);
    await new Promise(setImmediate);
  }
}

/** Converts text in place of a number or a flag, as some upstreams send it; empty text means unknown. */
export function fromText(field: Field, value: unknown): unknown {
  if (typeof value !== "string" || field.column !== "integer") return value;
  return value === "" ? null : field.fromCsv(value);
}

/** Makes foreign text safe to print on a terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, "?").slice(0, 100);

/** The record reduced to known attributes, and the names of the dropped ones. */
function knownAttributes(resource: Resource, record: unknown): { value: unknown; dropped: readonly string[] } {
  const dropped = new Set<string>();
  const value = pickKnown(record, resource.fields, "", dropped);
  return { value, dropped: [...dropped] };
}

function pickKnown(
  value: unknown,
  fields: Readonly<Record<string, Field>>,
  prefix: string,
  dropped: Set<string>,
): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) dropped.add(printable(`${prefix}${name}`));
    else if (field.members !== undefined && Array.isArray(member)) {
      const { members } = field;
      out[name] = member.map((item) => pickKnown(item, members, `${prefix}${name}.`, dropped));
    } else out[name] = fromText(field, member);
  }
  return out;
}
