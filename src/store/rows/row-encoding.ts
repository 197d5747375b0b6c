// A row as the tables hold it: what both databases write, before either has said how.
import type { Rendering } from "../../core/catalog/field.ts";
import { columnsOf, fieldOf, heavyFields, type Resource } from "../../core/catalog/resource.ts";
import { type Kept, keep, recall } from "../../core/record/encoding.ts";
import type { Compared, Row } from "../../core/record/row.ts";
import { searchedPassages } from "../../core/text/searchable-text.ts";
import { words } from "../../core/text/tokenize.ts";
import { tableOf } from "../sql/compile.ts";
import { piecesOf } from "../sql/record-fragments.ts";
import { packKey } from "./packed-key.ts";

/** The names of one resource's tables and columns, made once. */
export type Tables = {
  readonly resource: Resource;
  readonly table: string;
  /** Columns to ask by; the high half of a packed key has none of its own. */
  readonly columns: readonly string[];
  readonly heavy: readonly string[];
  readonly pieces: readonly string[];
  readonly places: readonly string[];
  readonly linked: boolean;
};

const known = new Map<Resource, Tables>();

export function tablesOf(resource: Resource): Tables {
  let tables = known.get(resource);
  if (tables === undefined) {
    tables = {
      resource,
      table: tableOf(resource),
      columns: columnsOf(resource).filter((name) => name !== resource.packed?.[0]),
      heavy: heavyFields(resource),
      pieces: piecesOf(resource),
      places: Object.keys(resource.places),
      linked: Object.keys(resource.links).length > 0,
    };
    known.set(resource, tables);
  }
  return tables;
}

export type Prepared = Kept & {
  readonly id: string | number;
  /** The packed key; undefined where the database numbers its rows itself. */
  readonly key: bigint | undefined;
  readonly columns: readonly Compared[];
};

export function prepare(tables: Tables, row: Row, rendering: Rendering): Prepared {
  const { resource } = tables;
  const [high, low] = resource.packed ?? [];
  return {
    ...keep(resource, row, rendering),
    id: row.id as string | number,
    key: high === undefined || low === undefined ? undefined : packKey(Number(row[high]), Number(row[low])),
    columns: tables.columns.map((name) => {
      const field = fieldOf(resource, name);
      return field.compare(row[name] ?? field.empty);
    }),
  };
}

/** Values of lists that the record is asked by, each once. */
export function linksOf(resource: Resource, row: Row): [kind: string, value: string][] {
  return Object.entries(resource.links).flatMap(([kind, values]) =>
    [...new Set(values(row))].map((value): [string, string] => [kind, value]),
  );
}

/** For each place, the words of each of its passages. */
export function passagesOf(resource: Resource, row: Row): string[][][] {
  return searchedPassages(resource, row).map((passages) => passages.map(words));
}

/** The words of all places but the last, which may be long: each once, with the first place that it stands in. */
export function wordsBeforeLast(
  passages: readonly (readonly (readonly string[])[])[],
): [word: string, place: number][] {
  const places = new Map<string, number>();
  for (const [place, texts] of passages.slice(0, -1).entries()) {
    for (const word of texts.flat()) if (!places.has(word)) places.set(word, place);
  }
  return [...places];
}

/** A stored record, as a database gives it back: its columns by name. */
export type Stored = Readonly<Record<string, unknown>>;

const heavyJson = (tables: Tables, stored: Stored): string[] =>
  tables.heavy.map((name) => String(stored[name] ?? '""'));

/** Whether writing the record would change nothing that anyone can see. */
export function sameAs(tables: Tables, stored: Stored, { beside, pieces, heavy }: Kept): boolean {
  return (
    stored.beside === beside &&
    tables.pieces.every((piece, index) => stored[piece] === pieces[index]) &&
    heavyJson(tables, stored).every((value, index) => value === heavy[index])
  );
}

export function recallStored(tables: Tables, stored: Stored): Row {
  const heavy = heavyJson(tables, stored);
  const json = tables.pieces.map((piece, index) => `${stored[piece]}${heavy[index] ?? ""}`).join("");
  return recall(tables.resource, json, String(stored.beside));
}

/** Selects whole records `r` with their heavy values, for recalling or comparing. */
export function selectStored({ table, columns, pieces, heavy }: Tables): string {
  const texts = heavy.map((name) => `, x.${name} as ${name}`).join("");
  // By name: on PostgreSQL a prepared statement for all columns fails once a newer version has added one.
  const names = ["key", ...columns, ...pieces, "beside"].map((name) => `r.${name}`).join(", ");
  return `select ${names}${texts} from ${table} r${heavy.length > 0 ? ` left join ${table}_text x on x.key = r.key` : ""}`;
}

export const hasHeavy = ({ heavy }: Kept): boolean => heavy.some((value) => value !== '""');
