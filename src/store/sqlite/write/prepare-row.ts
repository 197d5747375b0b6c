// A record as the parameters of the statements that insert its rows. Another thread may prepare it.
import type { Rendering } from "../../../core/catalog/field.ts";
import type { EncodedRecord } from "../../../core/record/encoding.ts";
import type { Row } from "../../../core/record/row.ts";
import { searchablePassages } from "../../../core/text/searchable-text.ts";
import { tokenize } from "../../../core/text/tokenize.ts";
import { encodeRow, hasHeavy, linksOf, type Tables } from "../../rows/row-encoding.ts";
import type { IncomingRow } from "../../store.ts";
import type { SqlValue } from "../connection.ts";
import { searchText, searchWord } from "../dialect.ts";

/** A tuple, because cloning it takes a fraction of what an object takes. */
export type PreparedRow = readonly [
  /** The key, or null if the database assigns one; columns; fragments; hidden attributes. */
  values: readonly SqlValue[],
  /** Undefined if all are empty. */
  heavy: readonly string[] | undefined,
  stamped: boolean,
  ...side: SideRows,
];

/**
 * The kind and value of each link, each word and its place, and the searchable text of each place. Pairs are listed one
 * after the other, which is cloned in half the time.
 */
type SideRows = readonly [links: readonly string[], words: readonly (string | number)[], search: readonly string[]];

const none: readonly never[] = [];

export function prepareRow(tables: Tables, { row, stamped }: IncomingRow, rendering: Rendering): PreparedRow {
  const encoded = encodeRow(tables, row, rendering);
  const { key = null, columns, fragments, heavy, hidden } = encoded;
  const values = [key, ...columns, ...fragments, hidden];
  return [values, hasHeavy(encoded) ? heavy : undefined, stamped, ...sideRows(tables, row)];
}

export function sideRows({ resource, hasLinks, places }: Tables, row: Row): SideRows {
  const links = hasLinks ? linksOf(resource, row).flat() : none;
  if (places.length === 0) return [links, none, none];
  const passages = searchablePassages(resource, row);
  return [links, indexedWords(passages), passages.map(searchText)];
}

export const idOf = (tables: Tables, [values]: PreparedRow): string | number =>
  values[1 + tables.columns.indexOf("id")] as string | number;

/** What `encodeRow` made of the record. */
export const encodedOf = (tables: Tables, [values, heavy]: PreparedRow): EncodedRecord => ({
  fragments: values.slice(1 + tables.columns.length, -1) as string[],
  heavy: heavy ?? tables.heavy.map(() => '""'),
  hidden: String(values.at(-1)),
});

/**
 * Distinct words of all places but the last, which may be long, each with the first place it occurs in. Encoded as in the
 * full-text index, so that both are queried alike.
 */
function indexedWords(places: readonly (readonly string[])[]): (string | number)[] {
  const found = new Set<string>();
  const words: (string | number)[] = [];
  for (const [place, passages] of places.slice(0, -1).entries())
    for (const passage of passages) {
      for (const word of tokenize(passage)) {
        if (found.has(word)) continue;
        found.add(word);
        words.push(searchWord(word), place);
      }
    }
  return words;
}
