// Applies a mapping to parsed records: renames, splits, and converts their values. Validation is left to the importer.
import { toDay } from "../../core/catalog/coercions.ts";
import type { Field } from "../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { localDay, localTime, type Zone, zone } from "../../core/value/time-zone.ts";
import { localClock } from "../../core/value/timestamp.ts";
import type { Store } from "../../store/store.ts";
import type { InputInfo, ParsedRecord } from "../formats/format.ts";
import { IdDerivation } from "./identity.ts";
import { constant, fieldNamed, isMapped, type Mapping, type Source } from "./mapping.ts";

/** Clock times of calendars are in New York. */
const calendarZone = zone("America/New_York") as Zone;

/** The index of a data frame. */
const isIndex = (column: string): boolean => /^(Unnamed: \d+|__index_level_\d+__)$/.test(column);

type Target = { readonly name: string; readonly field: Field; readonly source: Source; readonly wholeDay: boolean };

/** What becomes of a column: fields that it fills; nothing; or unknown, so that its records are rejected. */
type Use = readonly Target[] | "ignored" | "unknown";

const maxCounted = 1000;

export class Mapper {
  readonly #resource: Resource;
  readonly #mapping: Mapping;
  readonly #isMapped: boolean;
  readonly #ids: IdDerivation;
  readonly #coerced: readonly (readonly [string, NonNullable<Field["coerce"]>])[];
  readonly #aliases: readonly (readonly [alias: string, name: string])[];
  readonly #uses = new Map<string, Use>();
  readonly #constants: readonly (readonly [string, unknown])[];
  /** Number of records by attribute that was dropped because it is unknown. */
  readonly dropped = new Map<string, number>();

  constructor(resource: Resource, mapping: Mapping) {
    this.#resource = resource;
    this.#mapping = mapping;
    this.#isMapped = isMapped(mapping);
    this.#ids = new IdDerivation(resource, mapping.idFrom);
    this.#coerced = Object.entries(resource.fields).flatMap(([name, { coerce }]) => (coerce ? [[name, coerce]] : []));
    this.#aliases = Object.entries(resource.aliases);
    this.#constants = [...mapping.set].map(([name, text]) => [name, constant(resource, name, text)]);
  }

  map(record: ParsedRecord, { values }: InputInfo): ParsedRecord {
    if (!("value" in record) || !isObject(record.value)) return record;
    if (this.#isMapped || values !== undefined)
      return { line: record.line, value: this.#rebuild(record.value, values) };
    this.#coerceInPlace(record.value);
    return record;
  }

  /** Gives a record whose derived ID is that of another one in the database another ID. */
  avoidStored(store: Pick<Store, "rowsOf">, batch: readonly ParsedRecord[]): Promise<void> {
    return this.#ids.avoidStored(store, batch);
  }

  /** What becomes of a column. */
  use(column: string): Use {
    const known = this.#uses.get(column);
    if (known !== undefined) return known;
    const found = this.#useOf(column);
    // Attributes of JSON may be values rather than names, without end.
    if (this.#uses.size < maxCounted) this.#uses.set(column, found);
    return found;
  }

  #useOf(column: string): Use {
    const { map, ignore, ignoreUnknown, idFrom } = this.#mapping;
    const targets = [...map].filter(([, source]) => source.column === column);
    if (targets.length > 0) return targets.map(([name, source]) => this.#target(name, source));
    if (ignore.has(column)) return "ignored";
    const name = fieldNamed(this.#resource, column);
    if (name !== undefined && !map.has(name)) return [this.#target(name, { column })];
    if (ignoreUnknown || idFrom.includes(column) || isIndex(column)) return "ignored";
    return "unknown";
  }

  #target(name: string, source: Source): Target {
    const { map } = this.#mapping;
    const hasTime = [...map.values()].some(({ column, part }) => column === source.column && part === "time");
    return { name, field: fieldOf(this.#resource, name), source, wholeDay: !hasTime };
  }

  /** For records in our own form: only other spellings of values. */
  #coerceInPlace(record: Record<string, unknown>): void {
    for (const [alias, name] of this.#aliases) {
      if (!Object.hasOwn(record, alias) || Object.hasOwn(record, name)) continue;
      record[name] = record[alias];
      delete record[alias];
    }
    for (const [name, coerce] of this.#coerced) {
      const value = record[name];
      if (value !== undefined && value !== null) record[name] = coerce(value, this.#mapping);
    }
  }

  #rebuild(record: Record<string, unknown>, values: InputInfo["values"]): Record<string, unknown> {
    // Without a prototype, so that a column may have any name.
    const out: Record<string, unknown> = Object.create(null);
    for (const [column, value] of Object.entries(record)) {
      if (value === null || value === undefined) continue;
      const use = this.use(column);
      if (use === "unknown") out[column] = value;
      else if (use === "ignored") this.#countIgnored(column);
      else for (const target of use) out[target.name] = this.#convert(target, value, values);
    }
    for (const [name, value] of this.#constants) out[name] ??= value;
    return this.#ids.add(out, record);
  }

  #countIgnored(column: string): void {
    const { ignoreUnknown, ignore, idFrom } = this.#mapping;
    if (!ignoreUnknown || ignore.has(column) || idFrom.includes(column) || isIndex(column)) return;
    this.#drop(column);
  }

  #drop(name: string): void {
    if (this.dropped.has(name) || this.dropped.size < maxCounted)
      this.dropped.set(name, (this.dropped.get(name) ?? 0) + 1);
  }

  #convert({ name, field, source, wholeDay }: Target, value: unknown, values: InputInfo["values"]): unknown {
    const part = source.part === undefined ? value : this.#part(value, source.part, wholeDay);
    const isForeign = this.#isMapped || values === "foreign";
    const parsed = typeof part === "string" ? parseText(field, part, values, isForeign) : part;
    const converted = field.coerce ? field.coerce(parsed, this.#mapping) : parsed;
    const typed = isForeign ? toFieldType(field, converted) : converted;
    return this.#mapping.ignoreUnknown ? this.#withoutUnknown(name, field, typed) : typed;
  }

  /** The day or the clock time of a timestamp, in New York. */
  #part(value: unknown, part: "date" | "time", wholeDay: boolean): unknown {
    const seconds = typeof value === "number" ? value : /^\d{9,10}$/.test(String(value)) ? Number(value) : undefined;
    if (seconds !== undefined)
      return part === "date" ? localDay(calendarZone, seconds) : localTime(calendarZone, seconds);
    if (typeof value !== "string") return value;
    // Midnight, where the time isn't used, stands for a day and not for a time in some zone.
    const day = part === "date" && wholeDay ? toDay(value, {}) : value;
    if (day !== value) return day;
    const found = localClock(value, calendarZone, this.#mapping.zone);
    if (found === undefined) return value;
    return part === "date" ? found.day : found.time;
  }

  #withoutUnknown(name: string, { members }: Field, value: unknown): unknown {
    if (members === undefined || !Array.isArray(value)) return value;
    return value.map((item) => {
      if (!isObject(item)) return item;
      const known = Object.entries(item).filter(([member]) => Object.hasOwn(members, member));
      if (known.length === Object.keys(item).length) return item;
      for (const member of Object.keys(item)) if (!Object.hasOwn(members, member)) this.#drop(`${name}[].${member}`);
      return Object.fromEntries(known);
    });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Text as a value of the field; a CUSIP that is text already is stored exactly. */
function parseText(field: Field, text: string, values: InputInfo["values"], isForeign: boolean): unknown {
  if (field.kind === "cusip" && values !== "text") return text;
  return field.fromCsv(isForeign && field.kind !== "text" ? text.trim() : text);
}

/** Other programs' types: numbers for text, numbers for booleans. */
function toFieldType({ kind }: Field, value: unknown): unknown {
  if ((kind === "text" || kind === "word") && (typeof value === "number" || typeof value === "boolean"))
    return String(value);
  if (kind === "flag" && (value === 0 || value === 1)) return value === 1;
  return value;
}
