// Row encoding: the columns, JSON fragments, links, and words of a record, the same for both databases.
import type { Rendering } from "../../core/catalog/field.ts";
import { columnsOf, fieldOf, heavyFields, type Resource } from "../../core/catalog/resource.ts";
import { decodeRecord, type EncodedRecord, encodeRecord } from "../../core/record/encoding.ts";
import type { CompareKey, Row } from "../../core/record/row.ts";
import { searchablePassages } from "../../core/text/searchable-text.ts";
import { tokenize } from "../../core/text/tokenize.ts";
import { tableName } from "../sql/compile.ts";
import { fragmentColumns } from "../sql/record-fragments.ts";
import type { StoredRecord } from "../store.ts";
import { packKey } from "./packed-key.ts";

/** Table and column names of a resource. */
export type Tables = {
  readonly resource: Resource;
  readonly table: string;
  /** Columns to filter and sort by; the high half of a packed key has none. */
  readonly columns: readonly string[];
  readonly heavy: readonly string[];
  readonly fragments: readonly string[];
  readonly places: readonly string[];
  readonly hasLinks: boolean;
};

const tablesCache = new Map<Resource, Tables>();

export function tablesOf(resource: Resource): Tables {
  let tables = tablesCache.get(resource);
  if (tables === undefined) {
    tables = {
      resource,
      table: tableName(resource),
      columns: columnsOf(resource).filter((name) => name !== resource.packedKey?.[0]),
      heavy: heavyFields(resource),
      fragments: fragmentColumns(resource),
      places: Object.keys(resource.searchFields),
      hasLinks: Object.keys(resource.links).length > 0,
    };
    tablesCache.set(resource, tables);
  }
  return tables;
}

export type EncodedRow = EncodedRecord & {
  readonly id: string | number;
  /** The packed key; undefined if the database assigns keys. */
  readonly key: bigint | undefined;
  readonly columns: readonly CompareKey[];
};

export function encodeRow(tables: Tables, row: Row, rendering: Rendering): EncodedRow {
  const { resource } = tables;
  const [high, low] = resource.packedKey ?? [];
  return {
    ...encodeRecord(resource, row, rendering),
    id: row.id as string | number,
    key: high === undefined || low === undefined ? undefined : packKey(Number(row[high]), Number(row[low])),
    columns: tables.columns.map((name) => {
      const field = fieldOf(resource, name);
      return field.compareKey(row[name] ?? field.empty);
    }),
  };
}

/** Distinct values of the lists that the record is found by. */
export function linksOf(resource: Resource, row: Row): [kind: string, value: string][] {
  const links: [string, string][] = [];
  for (const kind in resource.links) {
    const values = resource.links[kind]?.(row) ?? [];
    for (const value of values.length > 1 ? new Set(values) : values) links.push([kind, value]);
  }
  return links;
}

/** The words of each passage, by place. */
export function passagesOf(resource: Resource, row: Row): string[][][] {
  return searchablePassages(resource, row).map((passages) => passages.map(tokenize));
}

/** A stored record as a database returns it: its columns by name. */
export type StoredRow = Readonly<Record<string, unknown>>;

const heavyJson = (tables: Tables, stored: StoredRow): string[] =>
  tables.heavy.map((name) => String(stored[name] ?? '""'));

/** Whether writing the record would make no visible difference. */
export function isUnchanged(tables: Tables, stored: StoredRow, { hidden, fragments, heavy }: EncodedRecord): boolean {
  return (
    stored.beside === hidden &&
    tables.fragments.every((fragment, index) => stored[fragment] === fragments[index]) &&
    heavyJson(tables, stored).every((value, index) => value === heavy[index])
  );
}

/** A stored record as one text. */
export const storedRecord = (tables: Tables, stored: StoredRow): StoredRecord =>
  joinEncoded({
    fragments: tables.fragments.map((fragment) => String(stored[fragment])),
    heavy: heavyJson(tables, stored),
    hidden: String(stored.beside),
  });

export const joinEncoded = ({ fragments, heavy, hidden }: EncodedRecord): StoredRecord => ({
  json: fragments.map((fragment, index) => `${fragment}${heavy[index] ?? ""}`).join(""),
  hidden,
});

export function decodeRow(tables: Tables, stored: StoredRow): Row {
  const { json, hidden } = storedRecord(tables, stored);
  return decodeRecord(tables.resource, json, hidden);
}

export function decodeEncoded({ resource }: Tables, encoded: EncodedRecord): Row {
  const { json, hidden } = joinEncoded(encoded);
  return decodeRecord(resource, json, hidden);
}

/** Selects whole records `r` with their heavy values, for decoding or comparison. */
export function selectRowSql({ table, columns, fragments, heavy }: Tables): string {
  const texts = heavy.map((name) => `, x.${name} as ${name}`).join("");
  // By name: on PostgreSQL a prepared statement for all columns fails once a newer version has added one.
  const names = ["key", ...columns, ...fragments, "beside"].map((name) => `r.${name}`).join(", ");
  return `select ${names}${texts} from ${table} r${heavy.length > 0 ? ` left join ${table}_text x on x.key = r.key` : ""}`;
}

export const hasHeavy = ({ heavy }: EncodedRecord): boolean => heavy.some((value) => value !== '""');
