// Describes the columns of a file by a sample of their values.
import { isDecimal } from "../../core/value/decimal.ts";
import { isDay } from "../../core/value/time-zone.ts";
import { wallClock } from "../../core/value/timestamp.ts";

export type Kind =
  | "empty"
  | "integer"
  | "decimal"
  | "true or false"
  | "day"
  | "clock time"
  | "timestamp"
  | "timestamp without a time zone"
  | "URL"
  | "ticker symbol"
  | "list"
  | "object"
  | "text";

export type ColumnProfile = { readonly name: string; readonly kind: Kind; readonly example: unknown };

/** The columns of records, in the order in which they first appear; `header` has those that may be empty. */
export function profileColumns(records: readonly object[], header: readonly string[] = []): ColumnProfile[] {
  const columns = new Map<string, { kinds: Set<Kind>; example: unknown }>();
  for (const name of header) columns.set(name, { kinds: new Set(), example: undefined });
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const column = columns.get(name) ?? { kinds: new Set(), example: undefined };
      columns.set(name, column);
      if (value === null || value === "") continue;
      column.kinds.add(kindOf(value));
      column.example ??= value;
    }
  }
  return [...columns].map(([name, { kinds, example }]) => ({ name, kind: commonKind(kinds), example }));
}

function commonKind(kinds: ReadonlySet<Kind>): Kind {
  const [kind = "empty", ...others] = kinds;
  if (others.length === 0) return kind;
  const isAll = (...allowed: Kind[]) => [...kinds].every((each) => allowed.includes(each));
  if (isAll("integer", "decimal")) return "decimal";
  return isAll("day", "timestamp without a time zone") ? "timestamp without a time zone" : "text";
}

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "object";
  if (typeof value === "boolean") return "true or false";
  const text = String(value);
  if (/^[+-]?\d+(\.0+)?$/.test(text)) return "integer";
  if (isDecimal(text)) return "decimal";
  if (isDay(text)) return "day";
  if (/^\d{1,2}:\d\d(:\d\d)?$/.test(text)) return "clock time";
  const wall = wallClock(text);
  if (wall !== undefined) return wall.offset === "" ? "timestamp without a time zone" : "timestamp";
  if (/^(true|false)$/i.test(text)) return "true or false";
  if (/^https?:\/\//.test(text)) return "URL";
  if (/^\$?[A-Z][A-Z0-9]{0,5}([./-][A-Z]{1,2})?$/.test(text)) return "ticker symbol";
  if (/^\[.*\]$/s.test(text)) return "list";
  return /^\{.*\}$/s.test(text) ? "object" : "text";
}
