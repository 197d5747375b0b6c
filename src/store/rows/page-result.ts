// Where a page ends: the position of its last record, read from its key or its own JSON. No other row is looked at.
import type { Table } from "../../core/catalog/extension.ts";
import type { Field } from "../../core/catalog/field.ts";
import { fieldOf } from "../../core/catalog/resource.ts";
import type { Plan, Position } from "../../core/query/plan.ts";
import { storedIn, valueIn, type Walk, walkOver } from "../../core/record/json-scan.ts";
import type { Reshape } from "../../core/record/projection.ts";
import type { Page, RecordPage, StoredRecord } from "../store.ts";
import { highOf, lowOf } from "./packed-key.ts";

/** A row as either database gives it: counts and keys may be text. */
export type Given = Readonly<Record<string, unknown>> | undefined;

export function pageOf(plan: Plan, given: Given, reshape?: Reshape): Page {
  const row = reshape === undefined ? given : reshaped(given, plan.resource, reshape);
  const records = row?.page as Page["records"];
  const count = Number(row?.found);
  const told = tellsItself(row);
  const isFull = count >= plan.limit && plan.newestOf === undefined;
  if (isFull && row?.key !== undefined)
    return { records, count, isUnprojected: told, last: unpacked(BigInt(row.key as string)) };
  if (!isFull) return { records, count, isUnprojected: told, last: undefined };
  const tail = (row?.tail as string | undefined) ?? lastJson(plan.resource, records);
  const last = positionOf(plan, tail, row?.place);
  return { records, count, isUnprojected: told, last };
}

const tellsItself = (row: Given): boolean => Number(row?.told ?? 0) > 0;

/** A row with its page reshaped, where it can be and was not yet; its last record stays beside it as it is kept. */
export function reshaped(row: Given, table: Table, { page }: Reshape): Given {
  if (row === undefined || row.tail !== undefined || tellsItself(row)) return row;
  const kept = row.page as string;
  return { ...row, page: page(kept), tail: lastJson(table, kept) };
}

export function recordsOf(plan: Plan, rows: readonly Given[]): RecordPage {
  const records = rows as unknown as readonly StoredRecord[];
  const isFull = rows.length >= plan.limit && plan.newestOf === undefined;
  const last = isFull ? records.at(-1) : undefined;
  return { records, last: last && positionOf(plan, last.json, rows.at(-1)?.place) };
}

const unpacked = (key: bigint): Position => [highOf(key), lowOf(key)];

function positionOf({ resource, order, ranked }: Plan, json: string, place: unknown): Position {
  const { walk, columns } = placingBy(resource, order);
  walk.over(json, 0);
  const values = columns.map(({ name, field, member }) => {
    const isTold = walk.begins[member] !== -1;
    const given = isTold ? valueIn(json, walk.values[member] as number, walk.ends[member] as number) : undefined;
    const value = field.accept(given, (expected) => {
      throw new Error(`a stored ${resource.name} record can't be placed: ${name} is not ${expected}`);
    });
    return field.compare(value) as string | number;
  });
  return ranked ? [Number(place), ...values] : values;
}

/** How the position of a record in an order is found. */
type Placing = {
  readonly walk: Walk;
  /** Of the order, with where the walk tells each. */
  readonly columns: readonly { readonly name: string; readonly field: Field; readonly member: number }[];
};

/** Orders are made once, when the rules are; one made for a request would be placed anew each time. */
const placings = new WeakMap<Table, WeakMap<Plan["order"], Placing>>();

function placingBy(resource: Table, order: Plan["order"]): Placing {
  const known = placings.get(resource) ?? new WeakMap<Plan["order"], Placing>();
  let placing = known.get(order);
  if (placing === undefined) {
    placing = newPlacing(resource, order);
    known.set(order, placing);
    placings.set(resource, known);
  }
  return placing;
}

function newPlacing(resource: Table, order: Plan["order"]): Placing {
  const { stored, isFlat } = storedIn(resource.fields);
  const names = order.map(({ column }) => column);
  return {
    walk: walkOver(stored, new Set(names), isFlat),
    columns: names.map((name) => ({ name, field: fieldOf(resource, name), member: stored.indexOf(name) })),
  };
}

const beginnings = new Map<Table, string>();

/** What stands between two records: each begins with the same name. In a text its quotes would be escaped. */
function beginningOf(resource: Table): string {
  let beginning = beginnings.get(resource);
  if (beginning === undefined) {
    const [first] = storedIn(resource.fields).stored;
    beginning = `},{"${first}":`;
    beginnings.set(resource, beginning);
  }
  return beginning;
}

function lastJson(resource: Table, joined: Page["records"]): string {
  const records = typeof joined === "string" ? joined : Buffer.from(joined.buffer, joined.byteOffset, joined.length);
  const last = records.lastIndexOf(beginningOf(resource)) + 2;
  const from = last === 1 ? 0 : last;
  return typeof records === "string" ? records.slice(from) : records.toString("utf8", from);
}
