// PostgreSQL's SQL dialect: full-text search over tsvectors, string aggregation, rows in key order.
import { hash } from "node:crypto";
import { packKey } from "../rows/packed-key.ts";
import type { Bind, Dialect, Search } from "../sql/dialect.ts";
import { multiValueKeys } from "./planner/multi-value-scan.ts";

/** Not parallel-safe: parallel workers would mix the rows of a ranked search's fields. */
const parallelUnsafe = "pg_backend_pid()";

/** Whether a search has few matches: in each text field, and in any of them. */
export type Selectivity = { readonly rareInField: readonly boolean[]; readonly rareAnywhere: boolean };

export const noSearch: Selectivity = { rareInField: [], rareAnywhere: false };

/** Fields differ: a word may be in every body but in no title. */
export const searchDialect = (selectivity: Selectivity): Dialect => ({
  placeholder: (n) => `$${n}`,
  search: (search, { table, places, place }, bind) => {
    const key = "s.key";
    const test = matchTest(search, places, place, bind);
    const isRare = place === undefined ? selectivity.rareAnywhere : selectivity.rareInField[place];
    // The planner assumes that half of the rows pass a CASE test, so it scans in order and stops early.
    if (!isRare)
      return { from: `${table}_search s`, key, test: `case when ${test} then ${parallelUnsafe} > 0 else false end` };
    // The planner assumes that a word missing from its statistics is common. The array keeps it from scanning in order
    // for a rare word, and from searching again for each row of another table. The test is always true; it makes the
    // planner expect few rows.
    return {
      from: `unnest(array(select s.key from ${table}_search s where ${test})) s (key)`,
      key,
      test: `s.key + 0 * ${parallelUnsafe} = s.key`,
    };
  },
  searchSelectivity: selectivity.rareAnywhere ? 1 / 500 : 1 / 20,
  searchCost: () => ({ visit: selectivity.rareAnywhere ? 1 : 200, test: 10 }),
  fence: " offset 0",
  joinByKeys: (keys, table, ranked) => {
    const numbered = ranked
      ? `rows from (unnest(array(${keys})) as (key bigint, place integer)) with ordinality k (key, place, n)`
      : `unnest(array(${keys})) with ordinality k (key, n)`;
    return `${numbered} join ${table} r on r.key = k.key`;
  },
  indexedBy: () => "",
  join: "join",
  selectRanked: "select row(key, place)",
  ordinal: ", k.n as n",
  orderByOrdinal: " order by k.n",
  limitValue: (placeholder) => placeholder,
  // The planner's statistics cover the selectivity of columns.
  unindexed: (column) => column,
  // But it knows neither our counts nor the values, since plans are generic.
  unindexedFor: (column, value) => (typeof value === "number" ? `(${column} + 0)` : `(${column} || '')`),
  packKey: packKey,
  hasCoveringIndex: false,
  multiValueScan: multiValueKeys,
  numbersTable: (placeholder) =>
    `(select cast(v as bigint) as value from json_array_elements_text(cast(${placeholder} as json)) v)`,
  contains: (column, text) => `strpos(${column}, '${text}')`,
  concatRows: (column, byOrdinal) => `coalesce(string_agg(${column}, ','${byOrdinal ? " order by n" : ""}), '')`,
});

/** For statements without a search. */
export const plainDialect = searchDialect(noSearch);

/** The condition on a search row `s`. Single words need only the tsvector; phrases are also checked in the text. */
export function matchTest(search: Search, places: readonly string[], place: number | undefined, bind: Bind): string {
  const everywhere = places.map((_, index) => index);
  if (isWordsOnly(search)) return `s.words @@ ${bind(wordQuery(search, places.length, place))}::tsquery`;
  const required =
    search.combine === "and"
      ? search.phrases.map((phrase) => anyIn(everywhere, [phrase], places, bind)).join(" and ")
      : anyIn(place === undefined ? everywhere : [place], search.phrases, places, bind);
  if (place === undefined) return required;
  const here = search.combine === "and" ? ` and ${anyIn([place], search.phrases, places, bind)}` : "";
  const before = everywhere.slice(0, place);
  return `${required}${here}${before.length > 0 ? ` and not ${anyIn(before, search.phrases, places, bind)}` : ""}`;
}

const isWordsOnly = ({ phrases }: Search): boolean => phrases.every((phrase) => phrase.length === 1);

/**
 * A search for single words as one tsquery, which the index evaluates completely; a separate negated condition would be
 * checked against each matching row. `places` is the number of fields.
 */
function wordQuery({ phrases, combine }: Search, places: number, place: number | undefined): string {
  const here = place === undefined ? anyWord(phrases, 0, places) : anyWord(phrases, place, place + 1);
  const required =
    combine === "or" || phrases.length === 1
      ? here
      : `${phrases.map((phrase) => anyWord([phrase], 0, places)).join(" & ")}${place === undefined ? "" : ` & ${here}`}`;
  return place === undefined || place === 0 ? required : `${required} & !${anyWord(phrases, 0, place)}`;
}

/** Any of the words in any of the fields from `from` up to, but excluding, `to`. */
function anyWord(phrases: Search["phrases"], from: number, to: number): string {
  let text = "";
  for (let place = from; place < to; place++)
    for (const [word = ""] of phrases) text += `${text === "" ? "(" : " | "}${quoted(place, word)}`;
  return `${text})`;
}

/** Any of the phrases in any of the fields. */
function anyIn(
  where: readonly number[],
  phrases: readonly (readonly string[])[],
  places: readonly string[],
  bind: Bind,
): string {
  const single = phrases.filter((phrase) => phrase.length === 1).flat();
  const longer = phrases.filter((phrase) => phrase.length > 1);
  const lexemes = where.flatMap((place) => single.map((word) => quoted(place, word)));
  const tests = [
    ...(lexemes.length > 0 ? [`s.words @@ ${bind(lexemes.join(" | "))}::tsquery`] : []),
    ...longer.flatMap((phrase) =>
      where.map((place) => {
        const all = phrase.map((word) => quoted(place, word)).join(" & ");
        return `(s.words @@ ${bind(all)}::tsquery and strpos(s.${places[place]}, ${bind(` ${phrase.join(" ")} `)}) > 0)`;
      }),
    ),
  ];
  return `(${tests.join(" or ")})`;
}

const quoted = (place: number, word: string): string => `'${lexeme(place, word)}'`;

/** A word prefixed with the index of its field. */
export const lexeme = (place: number, word: string): string => `${place}${shortened(word)}`;

/** There are fewer than ten fields. */
export const lexemeParts = (text: string) => ({ place: Number(text[0]), word: text.slice(1) });

/** A lexeme is limited to 2046 bytes; a longer word is represented by a prefix and a hash. */
export const shortened = (word: string): string =>
  word.length <= 400 ? word : `${word.slice(0, 100)}.${hash("sha1", word, "hex")}`;

/** Keeps phrases from matching across passages; no word contains it. */
const passageSeparator = " _ ";

/** The text of a field for phrase matching: words with a space on either side. */
export const fieldText = (passages: readonly (readonly string[])[]): string =>
  ` ${passages
    .map((passage) => passage.join(" "))
    .filter((text) => text !== "")
    .join(passageSeparator)} `;
