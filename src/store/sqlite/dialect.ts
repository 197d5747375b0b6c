// How SQLite says what databases say differently: full-text queries, packed keys, joined texts.

import { packKey } from "../rows/packed-key.ts";
import type { Dialect, Search } from "../sql/dialect.ts";

export const sqlite: Dialect = {
  placeholder: (n) => `?${n}`,
  search: (search, { table, places, place }, bind) => {
    const word = wordOf(search);
    // The words of all places but the last stand one by one as well, in the order of the keys.
    if (word !== undefined && place !== undefined && place < places.length - 1) {
      const test = `s.word = ${bind(searchWord(word))} and s.place = ${place}`;
      return { from: `${table}_word s`, key: "s.key", test };
    }
    // A full-text table has a hidden column of its own name that takes the query.
    const test = `s.${table}_search match ${bind(matchQuery(search, places, place))}`;
    const found = { from: `${table}_search s`, key: "s.rowid", test };
    if (place === undefined || place === places.length - 1) return found;
    // Asked for one record, FTS5 reads on to the next match in this place, which may be far.
    const guard = (key: string) => {
      const first = search.phrases.map(([word = ""]) => bind(searchWord(word))).join(", ");
      const earlier = [...places.keys()].slice(0, place + 1).join(", ");
      return `exists (select 1 from ${table}_word g where g.word in (${first}) and g.place in (${earlier}) and g.key = ${key})`;
    };
    return { ...found, guard };
  },
  searchShare: undefined,
  // Of each word, a match is read from its list, or looked for in it.
  searchCost: (words) => ({ visit: 0.2 * words, test: 25 * words }),
  fence: "",
  // The keys come in order, and a cross join keeps them as the outer loop.
  byKeys: (keys, table) => `(${keys}) k cross join ${table} r on r.key = k.key`,
  indexedBy: (index) => ` indexed by ${index}`,
  join: "cross join",
  // Only every so many rows: a call costs as much as several rows do.
  inTime: (key) => `(${key} & 63 or in_time())`,
  placed: "select key, place",
  ordinal: "",
  inOrder: "",
  // A bare value is looked at when it is bound, and the whole statement then planned anew, each time that it is run.
  rows: (placeholder) => `${placeholder} + 0`,
  tested: (column) => `+${column}`,
  hidden: (column) => `+${column}`,
  pack: packKey,
  carries: true,
  numbers: (placeholder) => `json_each(${placeholder})`,
  holds: (column, text) => `instr(${column}, '${text}')`,
  joined: (column, _byOrdinal, bytes) => {
    const text = `coalesce(group_concat(${column}, ','), '')`;
    return bytes ? `cast(${text} as blob)` : text;
  },
};

/** The word of a search for one word alone. */
function wordOf({ phrases: [phrase, ...more] }: Search): string | undefined {
  return more.length === 0 && phrase?.length === 1 ? phrase[0] : undefined;
}

/** An FTS5 query made of quoted phrases only: nothing that a user wrote is ever syntax. */
export function matchQuery(search: Search, places: readonly string[], place: number | undefined): string {
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
 * A word as a token of letters, digits and underscores of ASCII: SQLite's own tables of letters are older than ours,
 * and would split or drop words that it does not know. Injective, since no word holds an underscore.
 */
export const searchWord = (word: string): string =>
  /^[a-z0-9]*$/.test(word)
    ? word
    : Array.from(word, (letter) =>
        /[a-z0-9]/.test(letter) ? letter : `_${letter.codePointAt(0)?.toString(36)}_`,
      ).join("");

/** Stands between passages, so that no phrase spans two of them. */
const passageBreak = " _ ";

/** The words of each passage of a place, with a break between passages. */
export const searchText = (passages: readonly (readonly string[])[]): string =>
  passages
    .map((passage) => passage.map(searchWord).join(" "))
    .filter((text) => text !== "")
    .join(passageBreak);
