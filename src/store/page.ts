// Where a page ends: the position of its last record, read from its key or its own JSON. No other row is looked at.
import type { Table } from "../core/extension.ts";
import type { Plan, Position } from "../core/plan.ts";
import { fieldOf } from "../core/resource.ts";
import type { Served } from "../core/row.ts";
import { highOf, lowOf } from "./packed-key.ts";
import type { KeptRecord, Page, Records } from "./store.ts";

/** A row as either database gives it: counts and keys may be text. */
type Given = Readonly<Record<string, unknown>> | undefined;

export function pageOf(plan: Plan, row: Given): Page {
  const records = row?.page as Page["records"];
  const count = Number(row?.found);
  const told = Number(row?.told ?? 0) > 0;
  const isFull = count >= plan.limit && plan.newestOf === undefined;
  if (isFull && row?.key !== undefined) return { records, count, told, last: unpacked(BigInt(row.key as string)) };
  const last = isFull ? positionOf(plan, lastJson(plan.resource, records), row?.place) : undefined;
  return { records, count, told, last };
}

export function recordsOf(plan: Plan, rows: readonly Given[]): Records {
  const records = rows as unknown as readonly KeptRecord[];
  const isFull = rows.length >= plan.limit && plan.newestOf === undefined;
  const last = isFull ? records.at(-1) : undefined;
  return { records, last: last && positionOf(plan, last.json, rows.at(-1)?.place) };
}

const unpacked = (key: bigint): Position => [highOf(key), lowOf(key)];

function positionOf({ resource, order, ranked }: Plan, json: string, place: unknown): Position {
  const values = order.map(({ column }) => {
    const field = fieldOf(resource, column);
    const given = plainValue(json, column) ?? (JSON.parse(json) as Served)[column];
    const value = field.accept(given, (expected) => {
      throw new Error(`a stored ${resource.name} record can't be placed: ${column} is not ${expected}`);
    });
    return field.compare(value) as string | number;
  });
  return ranked ? [Number(place), ...values] : values;
}

/** A text in a record that holds no other object, found without reading the rest; undefined where that is not so simple. */
function plainValue(json: string, name: string): string | undefined {
  if (json.indexOf("{", 1) !== -1) return undefined;
  const member = `"${name}":"`;
  const at = json.indexOf(member);
  if (at === -1) return undefined;
  const from = at + member.length;
  const text = json.slice(from, json.indexOf('"', from));
  return text.includes("\\") ? undefined : text;
}

const beginnings = new Map<Table, string>();

/** What stands between two records: each begins with the same name. In a text its quotes would be escaped. */
function beginningOf(resource: Table): string {
  let beginning = beginnings.get(resource);
  if (beginning === undefined) {
    const name = Object.keys(resource.fields).find((each) => resource.fields[each]?.shown === "always");
    beginning = `},{"${name}":`;
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
