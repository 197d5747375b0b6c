// PostgreSQL's SQL dialect: full-text search over tsvectors, string aggregation, rows in key order.
import { hash } from "node:crypto";
import { packKey } from "../rows/packed-key.ts";
import type { Bind, Dialect, Search } from "../sql/dialect.ts";
import { multiValueKeys } from "./planner/multi-value-scan.ts";

/** Not parallel-safe: parallel workers would mix the rows of a ranked search's fields. */
const parallelUnsafe = "pg_backend_pid()";

/** Whether a search has few matches: in each text field, and in any of them. */
export type Selectivity = {
  readonly rareInField: readonly boolean[];
  readonly rareAnywhere: boolean;
  /** The share of all items that match. */
  readonly share: number;
  /** Items with all words of a phrase, in any order, per match. */
  readonly candidates: number;
};

export const noSearch: Selectivity = { rareInField: [], rareAnywhere: false, share: 1, candidates: 1 };

/** Fields differ: a word may be in every body but in no title. */
export const searchDialect = (selectivity: Selectivity): Dialect => ({
  placeholder: (n) => `$${n}`,
  search: (search, { table, places, place, drives }, bind) => {
    const key = "s.key";
    const isRare = place === undefined ? selectivity.rareAnywhere : selectivity.rareInField[place];
    // The planner assumes that half of the rows pass a CASE test, so it scans in order and stops early.
    if (!isRare || !drives) {
      const test = matchTest(search, places, place, bind);
      return { from: `${table}_search s`, key, test: `case when ${test} then ${parallelUnsafe} > 0 else false end` };
    }
    // The planner assumes that a word missing from its statistics is common. The array keeps it from scanning in order
    // for a rare word, and from searching again for each row of another table. The test is always true; it makes the
    // planner expect few rows.
    const words = wordTest(search, places, place, bind);
    const text = textTest(search, places, place, bind);
    return {
      from: `unnest(array(select s.key from ${table}_search s where ${words})) s (key)`,
      key,
      test: `s.key + 0 * ${parallelUnsafe} = s.key`,
      // Reading the texts of all items with the words of a phrase takes longer than anything else.
      ...(text !== undefined && {
        recheck: (match) => `exists (select 1 from ${table}_search s where s.key = ${match} and ${text} offset 0)`,
      }),
    };
  },
  isRareOnlyIn: (place) => !selectivity.rareAnywhere && selectivity.rareInField[place] === true,
  // A bare IN would be turned into a join.
  isCollected: (key, select) => `(${key} in (${select})) is true`,
  lookupCost: 4,
  searchSelectivity: selectivity.share,
  // Common matches are found by testing one item after another.
  searchCost: () =>
    selectivity.rareAnywhere
      ? { visit: selectivity.candidates, test: 10, candidates: selectivity.candidates }
      : { visit: 10 / selectivity.share, test: 10 },
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

/** The condition on a search row `s`. */
export function matchTest(search: Search, places: readonly string[], place: number | undefined, bind: Bind): string {
  const words = wordTest(search, places, place, bind);
  const text = textTest(search, places, place, bind);
  return text === undefined ? words : `${words} and ${text}`;
}

/** The part of the condition that the index evaluates completely: phrases count as their words. */
export const wordTest = (search: Search, places: readonly string[], place: number | undefined, bind: Bind): string =>
  `s.words @@ ${bind(wordQuery(search, places.length, place))}::tsquery`;

/**
 * The rest of the condition, if there are phrases: only the texts have the order of words. The texts alone decide, since
 * a row's words take as long to read as its body.
 */
function textTest(
  { phrases, combine }: Search,
  places: readonly string[],
  place: number | undefined,
  bind: Bind,
): string | undefined {
  const longer = phrases.filter((phrase) => phrase.length > 1);
  if (longer.length === 0) return undefined;
  const anyIn = (where: readonly string[], some: Search["phrases"]): string =>
    `(${where.flatMap((each) => some.map((phrase) => `strpos(s.${each}, ${bind(` ${phrase.join(" ")} `)}) > 0`)).join(" or ")})`;
  const tests = combine === "and" ? longer.map((phrase) => anyIn(places, [phrase])) : [];
  if (place === undefined) return combine === "and" ? tests.join(" and ") : anyIn(places, phrases);
  if (place > 0) tests.unshift(`not ${anyIn(places.slice(0, place), phrases)}`);
  tests.push(anyIn(places.slice(place, place + 1), phrases));
  return tests.join(" and ");
}

const isWord = (phrase: readonly string[]): boolean => phrase.length === 1;

/**
 * The words of a search as one tsquery; a separate negated condition would be checked against each matching row. `places`
 * is the number of fields.
 */
function wordQuery({ phrases, combine }: Search, places: number, place: number | undefined): string {
  const here = place === undefined ? anyOf(phrases, 0, places) : anyOf(phrases, place, place + 1);
  const required =
    combine === "or" || phrases.length === 1
      ? here
      : `${phrases.map((phrase) => anyOf([phrase], 0, places)).join(" & ")}${place === undefined ? "" : ` & ${here}`}`;
  // A field may have the words of a phrase without the phrase.
  const words = phrases.filter(isWord);
  return place === undefined || place === 0 || words.length === 0
    ? required
    : `${required} & !${anyOf(words, 0, place)}`;
}

/** All words of any of the phrases in any of the fields from `from` up to, but excluding, `to`. */
function anyOf(phrases: Search["phrases"], from: number, to: number): string {
  let text = "";
  for (let place = from; place < to; place++)
    for (const phrase of phrases) {
      const words = phrase.map((word) => quoted(place, word)).join(" & ");
      text += `${text === "" ? "(" : " | "}${isWord(phrase) ? words : `(${words})`}`;
    }
  return `${text})`;
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
