// Records of an upstream → the store. A bad record is counted and told, and stops nothing; what is unknown here is left
// out and counted.

import type { Field } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { accept, printRefusal } from "../core/record/validate.ts";
import type { Incoming, Store } from "../store/store.ts";
import { idOf, type List } from "./lists/walk.ts";

export type Counts = { created: number; updated: number; unchanged: number; removed: number; refused: number };

export const noCounts = (): Counts => ({ created: 0, updated: 0, unchanged: 0, removed: 0, refused: 0 });

export type Refusal = { readonly id: string; readonly reasons: string; readonly at: number };

/** What became of an upstream's records, kept with the place of the mirror. */
export type Tally = {
  counts: Counts;
  /** Attributes that are unknown here, with how many records had them. */
  dropped: Record<string, number>;
  /** The last ones. */
  refusals: Refusal[];
};

export const noTally = (): Tally => ({ counts: noCounts(), dropped: {}, refusals: [] });

const mostRefusals = 20;
const mostDropped = 50;

export type Take = {
  readonly store: Store;
  /** Rows of one transaction: while it is written, a server in the same process answers nothing. */
  readonly batchSize: number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onRefused: (resource: Resource, refusal: Refusal) => void;
  readonly onTaken: (count: number) => void;
};

export function listOf(resource: Resource, most: number = resource.intake.size.most): List {
  const { path, envelope, intake } = resource;
  return {
    path,
    size: { name: intake.size.name, most },
    expected: envelope === "array" ? "list" : `object with a list under "${envelope.key}"`,
    recordsOf: (body) => {
      const records = envelope === "array" ? body : memberOf(body, envelope.key);
      return Array.isArray(records) ? records : undefined;
    },
  };
}

export function memberOf(body: unknown, key: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, key)
    ? (body as Record<string, unknown>)[key]
    : undefined;
}

/** Writes records of a page; `tally` counts what became of them. */
export async function take(
  { store, batchSize, now, onRefused, onTaken }: Take,
  resource: Resource,
  records: readonly unknown[],
  tally: Tally,
): Promise<void> {
  const rows: Incoming[] = [];
  for (const record of records) {
    const { value, dropped } = known(resource, record);
    for (const name of dropped) {
      if (Object.hasOwn(tally.dropped, name) || Object.keys(tally.dropped).length < mostDropped)
        tally.dropped[name] = (tally.dropped[name] ?? 0) + 1;
    }
    const accepted = accept(resource, value, now());
    if ("row" in accepted) rows.push(accepted);
    else {
      const reasons = accepted.refusals.map(printRefusal).join("; ");
      const refusal = { id: plain(idOf(record) ?? ""), reasons: reasons.slice(0, 500), at: now() };
      tally.counts.refused++;
      tally.refusals = [...tally.refusals.filter(({ id }) => id !== refusal.id), refusal].slice(-mostRefusals);
      onRefused(resource, refusal);
    }
  }
  for (let at = 0; at < rows.length; at += batchSize) {
    const outcomes = await store.put(resource, rows.slice(at, at + batchSize));
    for (const outcome of outcomes) tally.counts[outcome]++;
    onTaken(outcomes.length);
    await new Promise(setImmediate);
  }
}

/** A name from elsewhere that may be shown on a terminal. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, "?").slice(0, 100);

/** The record with the attributes that are known here, and the names of the others. */
function known(resource: Resource, record: unknown): { value: unknown; dropped: readonly string[] } {
  const dropped = new Set<string>();
  const value = knownOf(record, resource.fields, "", dropped);
  return { value, dropped: [...dropped] };
}

function knownOf(value: unknown, fields: Readonly<Record<string, Field>>, at: string, dropped: Set<string>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) dropped.add(plain(`${at}${name}`));
    else if (field.members !== undefined && Array.isArray(member)) {
      const { members } = field;
      out[name] = member.map((item) => knownOf(item, members, `${at}${name}.`, dropped));
    } else out[name] = member;
  }
  return out;
}
