// The records that everything else is compared with: the beginning of the unfiltered list, in full days.
import type { Field } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Condition } from "../core/query/plan.ts";
import type { Json, Row, WireRecord } from "../core/record/row.ts";
import { localDay, parseInstant, printInstant, type Zone, zone } from "../core/value/time-zone.ts";
import type { Exchange, Session } from "./session.ts";
import { type Pair, queryText, recordsIn, type Target, urlOf } from "./target.ts";

export type Known = { readonly wire: WireRecord; readonly row: Row };

export type Universe = {
  readonly records: readonly Known[];
  /** Whether the list has no other records. */
  readonly isComplete: boolean;
  /** Selects these records, if the list has others: the first of the full days. */
  readonly scope: Pair | undefined;
  readonly zone: Zone;
  /** The responses that they were read from. */
  readonly pages: readonly Exchange[];
};

const pageSize = 100;
/** Enough to tell filters and orders apart. */
const enough = 300;
/** On a busy day, more pages are read until it is complete. */
const maxPages = 25;

/** A response without a list of records, which ends the check of the list. */
export class NoListError extends Error {
  readonly exchange: Exchange;
  constructor(exchange: Exchange) {
    super(`status ${exchange.status}`);
    this.exchange = exchange;
  }
}

/** The parameters that return every field and every kind of record. */
export const widest = ({ resource }: Target): Pair[] => Object.entries(resource.intake.unfiltered);

export const universePage = (target: Target, page: number): string => {
  const size: Pair = [target.resource.intake.size.name, String(pageSize)];
  return urlOf(target.path, queryText([...widest(target), size, ["page", String(page)]]));
};

export async function readUniverse(session: Session, target: Target, fallback: Zone): Promise<Universe> {
  const { resource, envelope } = target;
  const pages: Exchange[] = [];
  const wire: WireRecord[] = [];
  let isComplete = false;
  const column = resource.intake.days.column;
  const dayOf = (record: WireRecord): string => String(record[column]).slice(0, columnWidth(resource.fields[column]));
  while (!isComplete && pages.length < maxPages) {
    const exchange = await session.send({ url: universePage(target, pages.length) });
    const records = exchange.status === 200 ? recordsIn(envelope, exchange.json) : undefined;
    if (records === undefined) throw new NoListError(exchange);
    pages.push(exchange);
    wire.push(...records);
    isComplete = records.length === 0;
    const days = new Set(wire.map(dayOf)).size;
    if (wire.length >= enough && days > 1) break;
  }
  const used = zoneOf(resource, wire) ?? fallback;
  const records = wire.map((each) => ({ wire: each, row: rowOf(resource, each) }));
  return isComplete
    ? { records, isComplete, scope: undefined, zone: used, pages }
    : { ...fullDays(resource, records, used), isComplete, zone: used, pages };
}

/** Printed timestamps begin with the day, which has 16 characters. */
const columnWidth = (field: Field | undefined): number => (field?.kind === "instant" ? 16 : 10);

/** Without the records of the last day, of which there may be more. */
function fullDays({ fields, intake: { days } }: Resource, records: readonly Known[], used: Zone) {
  const isInstant = fields[days.column]?.kind === "instant";
  const dayOf = ({ row }: Known): string => {
    const value = row[days.column] ?? "";
    return isInstant ? localDay(used, Number(value)) : String(value);
  };
  const last = records.at(-1);
  const cut = last === undefined ? [] : records.filter((each) => dayOf(each) > dayOf(last));
  const first = cut.at(-1);
  if (first === undefined) return { records, scope: undefined };
  return { records: cut, scope: [days.from, dayOf(first)] as const };
}

/** The time zone in which timestamps are printed; undefined if the list prints none, or none that is known. */
function zoneOf({ fields }: Resource, wire: readonly WireRecord[]): Zone | undefined {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === "instant");
  const printed = wire
    .flatMap((record) => names.map((name) => String(record[name] ?? "")))
    .filter((text) => text !== "");
  if (printed.length === 0) return undefined;
  const seconds = printed.map(parseInstant);
  const fits = (candidate: Zone): boolean =>
    seconds.every((each, at) => each === undefined || printInstant(candidate, each) === printed[at]);
  const fixed = Array.from({ length: 27 }, (_, at) => `Etc/GMT${at - 14 >= 0 ? "+" : ""}${at - 14}`);
  for (const name of ["America/New_York", "UTC", ...Intl.supportedValuesOf("timeZone"), ...fixed]) {
    const candidate = zone(name);
    if (candidate !== undefined && fits(candidate)) return candidate;
  }
  return undefined;
}

/** The record as it would be stored. Invalid values are reported elsewhere, and unknown here. */
function rowOf(resource: Resource, wire: WireRecord): Row {
  const row: Record<string, Json> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = wire[name];
    let isValid = true;
    const stored =
      value === undefined || value === null
        ? field.empty
        : field.validate(value, () => {
            isValid = false;
          });
    row[name] = isValid ? stored : field.empty;
  }
  return resource.fillDefaults(row);
}

/** The condition by which a scope selects. */
export function scopeCondition(target: Target, { scope, zone: used }: Universe): Condition | undefined {
  if (scope === undefined) return undefined;
  const parsed = target.parse(queryText([scope]), used);
  return "query" in parsed
    ? parsed.query.plan.where.find((each) => "column" in each && each.column === target.resource.intake.days.column)
    : undefined;
}
