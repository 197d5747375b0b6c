// Turns a result row into a page: its records, and the position of the last one, from its key or its JSON.
import type { Table } from "../../core/catalog/extension.ts";
import type { Field } from "../../core/catalog/field.ts";
import { fieldOf } from "../../core/catalog/resource.ts";
import type { Plan, Position } from "../../core/query/plan.ts";
import { type MemberScanner, memberScanner, storedMembers, valueAt } from "../../core/record/json-scan.ts";
import type { Projection } from "../../core/record/projection.ts";
import type { Page, RecordPage, StoredRecord } from "../store.ts";
import { highOf, lowOf } from "./packed-key.ts";

/** A row as either database returns it: counts and keys may be text. */
export type ResultRow = Readonly<Record<string, unknown>> | undefined;

export function toPage(plan: Plan, result: ResultRow, reshape?: Projection): Page {
  const row = reshape === undefined ? result : projectPage(result, plan.resource, reshape);
  const records = row?.page as Page["records"];
  const count = Number(row?.found);
  const isUnprojected = hasOverride(row);
  const isFull = count >= plan.limit && plan.latestPer === undefined;
  if (isFull && row?.key !== undefined)
    return { records, count, isUnprojected, last: unpacked(BigInt(row.key as string)) };
  if (!isFull) return { records, count, isUnprojected, last: undefined };
  const tail = (row?.tail as string | undefined) ?? lastRecordJson(plan.resource, records);
  const last = positionOf(plan, tail, row?.place);
  return { records, count, isUnprojected, last };
}

const hasOverride = (row: ResultRow): boolean => Number(row?.overrides ?? 0) > 0;

/** Projects the page of a row, unless that was done or a record overrides a derived field. Adds the last stored record. */
export function projectPage(row: ResultRow, table: Table, { page }: Projection): ResultRow {
  if (row === undefined || row.tail !== undefined || hasOverride(row)) return row;
  const stored = row.page as string;
  return { ...row, page: page(stored), tail: lastRecordJson(table, stored) };
}

export function toRecordPage(plan: Plan, rows: readonly ResultRow[]): RecordPage {
  const records = rows as unknown as readonly StoredRecord[];
  const isFull = rows.length >= plan.limit && plan.latestPer === undefined;
  const last = isFull ? records.at(-1) : undefined;
  return { records, last: last && positionOf(plan, last.json, rows.at(-1)?.place) };
}

const unpacked = (key: bigint): Position => [highOf(key), lowOf(key)];

function positionOf({ resource, order, ranked }: Plan, json: string, place: unknown): Position {
  const { walk, columns } = positionReader(resource, order);
  walk.scan(json, 0);
  const values = columns.map(({ name, field, member }) => {
    const isPresent = walk.starts[member] !== -1;
    const stored = isPresent ? valueAt(json, walk.values[member] as number, walk.ends[member] as number) : undefined;
    const value = field.validate(stored, (expected) => {
      throw new Error(`can't determine the position of a stored ${resource.name} record: ${name} isn't ${expected}`);
    });
    return field.compareKey(value) as string | number;
  });
  return ranked ? [Number(place), ...values] : values;
}

/** Reads the position of a record in an order from its JSON. */
type PositionReader = {
  readonly walk: MemberScanner;
  /** The columns of the order, with their index in the scan's results. */
  readonly columns: readonly { readonly name: string; readonly field: Field; readonly member: number }[];
};

/** Keyed by identity: orders are created once, with the rules, not per request. */
const positionReaders = new WeakMap<Table, WeakMap<Plan["order"], PositionReader>>();

function positionReader(resource: Table, order: Plan["order"]): PositionReader {
  const byOrder = positionReaders.get(resource) ?? new WeakMap<Plan["order"], PositionReader>();
  let reader = byOrder.get(order);
  if (reader === undefined) {
    reader = newPositionReader(resource, order);
    byOrder.set(order, reader);
    positionReaders.set(resource, byOrder);
  }
  return reader;
}

function newPositionReader(resource: Table, order: Plan["order"]): PositionReader {
  const { stored, isFlat } = storedMembers(resource.fields);
  const names = order.map(({ column }) => column);
  return {
    walk: memberScanner(stored, new Set(names), isFlat),
    columns: names.map((name) => ({ name, field: fieldOf(resource, name), member: stored.indexOf(name) })),
  };
}

const separators = new Map<Table, string>();

/** The text between two records: each starts with the same name. Inside a string its quotes would be escaped. */
function recordSeparator(resource: Table): string {
  let separator = separators.get(resource);
  if (separator === undefined) {
    const [first] = storedMembers(resource.fields).stored;
    separator = `},{"${first}":`;
    separators.set(resource, separator);
  }
  return separator;
}

function lastRecordJson(resource: Table, joined: Page["records"]): string {
  const records = typeof joined === "string" ? joined : Buffer.from(joined.buffer, joined.byteOffset, joined.length);
  const last = records.lastIndexOf(recordSeparator(resource)) + 2;
  const from = last === 1 ? 0 : last;
  return typeof records === "string" ? records.slice(from) : records.toString("utf8", from);
}
