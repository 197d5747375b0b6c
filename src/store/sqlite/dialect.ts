// The SQLite dialect: full-text queries, packed keys, joined texts.

import { tokenize } from "../../core/text/tokenize.ts";
import { packKey } from "../rows/packed-key.ts";
import type { Dialect, Search } from "../sql/dialect.ts";

export const sqlite: Dialect = {
  placeholder: (n) => `?${n}`,
  search: (search, { table, places, place }, bind) => {
    const word = wordOf(search);
    // Words of all places but the last are also indexed one by one, ordered by key.
    if (word !== undefined && place !== undefined && place < places.length - 1) {
      const test = `s.word = ${bind(searchWord(word))} and s.place = ${place}`;
      return { from: `${table}_word s`, key: "s.key", test };
    }
    // A full-text table has a hidden column with its own name, which is matched against the query.
    const test = `s.${table}_search match ${bind(matchQuery(search, places, place))}`;
    const matches = { from: `${table}_search s`, key: "s.rowid", test };
    if (place === undefined || place === places.length - 1) return matches;
    // When testing one record, FTS5 reads ahead to the next match in this place, which may be far away.
    const guard = (key: string) => {
      const first = search.phrases.map(([word = ""]) => bind(searchWord(word))).join(", ");
      const earlier = [...places.keys()].slice(0, place + 1).join(", ");
      return `exists (select 1 from ${table}_word g where g.word in (${first}) and g.place in (${earlier}) and g.key = ${key})`;
    };
    return { ...matches, guard };
  },
  // A bare key would be looked up in the list's order.
  isCollected: (key, select) => `+${key} in (${select})`,
  lookupCost: 1,
  searchSelectivity: undefined,
  // Per word, a match is either read from its list or looked up in it.
  searchCost: (words) => ({ visit: 0.2 * words, test: 25 * words }),
  fence: "",
  // The keys are sorted, and a cross join makes them the outer loop.
  joinByKeys: (keys, table) => `(${keys}) k cross join ${table} r on r.key = k.key`,
  indexedBy: (index) => ` indexed by ${index}`,
  join: "cross join",
  // Only for every 64th key: a call costs as much as several rows.
  timeCheck: (key) => `(${key} & 63 or in_time())`,
  selectRanked: "select key, place",
  ordinal: "",
  orderByOrdinal: "",
  // SQLite would replan the statement on every run for a bare parameter.
  limitValue: (placeholder) => `${placeholder} + 0`,
  unindexed: (column) => `+${column}`,
  unindexedFor: (column) => `+${column}`,
  packKey: packKey,
  hasCoveringIndex: true,
  numbersTable: (placeholder) => `json_each(${placeholder})`,
  contains: (column, text) => `instr(${column}, '${text}')`,
  concatRows: (column, _byOrdinal, bytes) => {
    const text = `coalesce(group_concat(${column}, ','), '')`;
    return bytes ? `cast(${text} as blob)` : text;
  },
};

/** The word of a single-word search. */
function wordOf({ phrases: [phrase, ...more] }: Search): string | undefined {
  return more.length === 0 && phrase?.length === 1 ? phrase[0] : undefined;
}

/** An FTS5 query of quoted phrases only, so that no user input is ever syntax. */
function matchQuery(search: Search, places: readonly string[], place: number | undefined): string {
  const phrases = search.phrases.map((phrase) => `"${phrase.map(searchWord).join(" ")}"`);
  const all = `(${phrases.join(search.combine === "and" ? " AND " : " OR ")})`;
  if (place === undefined) return all;
  const any = `(${phrases.join(" OR ")})`;
  const here = `{${places[place]}} : ${any}`;
  const before = places.slice(0, place);
  const required = search.combine === "and" ? `${all} AND (${here})` : `(${here})`;
  return before.length === 0 ? required : `(${required}) NOT ({${before.join(" ")}} : ${any})`;
}

/**
 * A word as a token of ASCII letters, digits, and underscores: SQLite's Unicode tables are older than Node's, and would
 * split or drop unknown words. Injective, because no word contains an underscore.
 */
export const searchWord = (word: string): string =>
  /^[a-z0-9]*$/.test(word)
    ? word
    : Array.from(word, (letter) =>
        /[a-z0-9]/.test(letter) ? letter : `_${letter.codePointAt(0)?.toString(36)}_`,
      ).join("");

/** Separates passages, so that no phrase spans two of them. */
const passageBreak = " _ ";

/** The passages of a place, with a break between those that have words. */
export const searchText = (passages: readonly string[]): string =>
  passages
    .map(passageText)
    .filter((text) => text !== "")
    .join(passageBreak);

/** SQLite splits and lowercases ASCII text just as `tokenize` does; only underscores mean something to it. */
function passageText(passage: string): string {
  if (/[^\0-\x7f]/.test(passage)) return tokenize(passage).map(searchWord).join(" ");
  if (!/[A-Za-z0-9]/.test(passage)) return "";
  return passage.includes("_") ? passage.replaceAll("_", " ") : passage;
}
