// The demo data of one day, generated once for all tests of a file.
import { type DemoRecord, type DemoResource, demoRecords } from "../../demo/demo.ts";

export const today = "2026-06-17";
/** 8 p.m. in New York. */
export const now = Date.parse("2026-06-17T20:00:00-04:00") / 1000;
export const fromDay = "2024-06-17";
export const toDay = "2026-09-17";

const cache = new Map<DemoResource, readonly DemoRecord[]>();

export function generated(resource: DemoResource): readonly DemoRecord[] {
  let records = cache.get(resource);
  if (!records) {
    records = [...demoRecords(resource, { today })];
    cache.set(resource, records);
  }
  return records;
}

export const calendars = [
  "ratings",
  "dividends",
  "guidance",
  "earnings",
  "economics",
  "conference-calls",
] as const satisfies readonly DemoResource[];

/** A text field; anything else is a bug in the generator. */
export function text(record: DemoRecord, field: string): string {
  const value = record[field];
  if (typeof value !== "string") throw new TypeError(`${field} is not text: ${JSON.stringify(record)}`);
  return value;
}

export function integer(record: DemoRecord, field: string): number {
  const value = record[field];
  if (!Number.isInteger(value)) throw new TypeError(`${field} is not an integer: ${JSON.stringify(record)}`);
  return value as number;
}

/** Records sorted by day and time, grouped by some fields. */
export function chains(records: readonly DemoRecord[], ...fields: string[]): DemoRecord[][] {
  const key = (record: DemoRecord) => fields.map((field) => String(record[field])).join(" | ");
  const moment = (record: DemoRecord) => `${record.date} ${record.time ?? ""}`;
  const groups = Map.groupBy(records, key);
  return [...groups.values()].map((group) => group.toSorted((a, b) => (moment(a) < moment(b) ? -1 : 1)));
}

/** Decimal text as an integer of its last decimal, so that sums can be compared exactly. */
export function units(decimal: string, places: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (!match) throw new TypeError(`not a decimal: ${decimal}`);
  const fraction = (match[3] ?? "").padEnd(places, "0");
  if (fraction.length > places) throw new TypeError(`more than ${places} places: ${decimal}`);
  return BigInt(`${match[1]}${match[2]}${fraction}`);
}

const weekdayNames = new Intl.DateTimeFormat("en", { timeZone: "UTC", weekday: "short" });

// As published by the exchange; the generator computes them by rule.
export const marketHolidays = new Set(
  `2024-01-01 2024-01-15 2024-02-19 2024-03-29 2024-05-27 2024-06-19 2024-07-04 2024-09-02 2024-11-28 2024-12-25
   2025-01-01 2025-01-20 2025-02-17 2025-04-18 2025-05-26 2025-06-19 2025-07-04 2025-09-01 2025-11-27 2025-12-25
   2026-01-01 2026-01-19 2026-02-16 2026-04-03 2026-05-25 2026-06-19 2026-07-03 2026-09-07 2026-11-26 2026-12-25`.split(
    /\s+/,
  ),
);

export function isTrading(day: string): boolean {
  const name = weekdayNames.format(new Date(`${day}T00:00:00Z`));
  return name !== "Sat" && name !== "Sun" && !marketHolidays.has(day);
}
