// How PostgreSQL says what databases say differently: text search over tsvectors, joined texts, rows in the order of keys.
import { hash } from "node:crypto";
import { packKey } from "../rows/packed-key.ts";
import type { Bind, Dialect, Search } from "../sql/dialect.ts";
import { severalKeys } from "./planner/multi-value-scan.ts";

/** Parallel workers may not call it: they would run the places of a ranked search at once, and mix their rows. */
const inTurn = "pg_backend_pid()";

/** Which ways a search goes: for each place, and for all of them at once, whether its matches are gathered. */
export type Gathering = { readonly places: readonly boolean[]; readonly anywhere: boolean };

/** Where nothing is searched. */
export const nothingGathered: Gathering = { places: [], anywhere: false };

/** A word may be in every body and in no title: each place goes its own way. */
export const postgres = (gathering: Gathering): Dialect => ({
  placeholder: (n) => `$${n}`,
  search: (search, { table, places, place }, bind) => {
    const key = "s.key";
    const test = matchTest(search, places, place, bind);
    const gather = place === undefined ? gathering.anywhere : gathering.places[place];
    // The planner takes half of the rows to pass such a test, whatever the words: it walks, and stops soon.
    if (!gather) return { from: `${table}_search s`, key, test: `case when ${test} then ${inTurn} > 0 else false end` };
    // The array keeps the planner from walking the whole order in the hope of a rare word, since it believes that any
    // word it has not seen is found often, and from gathering anew for each row of another table. The test is always
    // true; it has the planner expect few rows.
    return {
      from: `unnest(array(select s.key from ${table}_search s where ${test})) s (key)`,
      key,
      test: `s.key + 0 * ${inTurn} = s.key`,
    };
  },
  // By what was seen of the newest items.
  searchShare: gathering.anywhere ? 1 / 500 : 1 / 20,
  searchCost: () => ({ visit: gathering.anywhere ? 1 : 200, test: 10 }),
  fence: " offset 0",
  byKeys: (keys, table, ranked) => {
    const numbered = ranked
      ? `rows from (unnest(array(${keys})) as (key bigint, place integer)) with ordinality k (key, place, n)`
      : `unnest(array(${keys})) with ordinality k (key, n)`;
    return `${numbered} join ${table} r on r.key = k.key`;
  },
  indexedBy: () => "",
  join: "join",
  placed: "select row(key, place)",
  ordinal: ", k.n as n",
  inOrder: " order by k.n",
  rows: (placeholder) => placeholder,
  // Its own statistics tell how coarse a column is.
  tested: (column) => column,
  // Of the counts they know nothing, nor of the values: one plan serves them all.
  hidden: (column, value) => (typeof value === "number" ? `(${column} + 0)` : `(${column} || '')`),
  pack: packKey,
  carries: false,
  several: severalKeys,
  numbers: (placeholder) =>
    `(select cast(v as bigint) as value from json_array_elements_text(cast(${placeholder} as json)) v)`,
  holds: (column, text) => `strpos(${column}, '${text}')`,
  joined: (column, byOrdinal) => `coalesce(string_agg(${column}, ','${byOrdinal ? " order by n" : ""}), '')`,
});

/** For statements that search nothing. */
export const unsearched = postgres(nothingGathered);

/** The condition on a search row `s`. Single words are looked up in the vector alone; phrases are checked in the text. */
export function matchTest(search: Search, places: readonly string[], place: number | undefined, bind: Bind): string {
  const everywhere = places.map((_, index) => index);
  if (isOfWords(search)) return `s.words @@ ${bind(wordQuery(search, places.length, place))}::tsquery`;
  const required =
    search.combine === "and"
      ? search.phrases.map((phrase) => anyIn(everywhere, [phrase], places, bind)).join(" and ")
      : anyIn(place === undefined ? everywhere : [place], search.phrases, places, bind);
  if (place === undefined) return required;
  const here = search.combine === "and" ? ` and ${anyIn([place], search.phrases, places, bind)}` : "";
  const before = everywhere.slice(0, place);
  return `${required}${here}${before.length > 0 ? ` and not ${anyIn(before, search.phrases, places, bind)}` : ""}`;
}

/** Whether a search is for single words, which the vector alone tells. */
const isOfWords = ({ phrases }: Search): boolean => phrases.every((phrase) => phrase.length === 1);

/**
 * All of a search for single words as one query, which the index answers by itself: told apart, what must not match
 * would be looked for in each vector that was found. `places` is how many there are.
 */
function wordQuery({ phrases, combine }: Search, places: number, place: number | undefined): string {
  const here = place === undefined ? anyWord(phrases, 0, places) : anyWord(phrases, place, place + 1);
  const required =
    combine === "or" || phrases.length === 1
      ? here
      : `${phrases.map((phrase) => anyWord([phrase], 0, places)).join(" & ")}${place === undefined ? "" : ` & ${here}`}`;
  return place === undefined || place === 0 ? required : `${required} & !${anyWord(phrases, 0, place)}`;
}

/** One of the words stands in a place from one to before another. */
function anyWord(phrases: Search["phrases"], from: number, to: number): string {
  let text = "";
  for (let place = from; place < to; place++)
    for (const [word = ""] of phrases) text += `${text === "" ? "(" : " | "}${quoted(place, word)}`;
  return `${text})`;
}

/** One of the phrases stands in one of the places. */
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

/** A word of a place, as one lexeme. */
export const lexeme = (place: number, word: string): string => `${place}${shortened(word)}`;

/** There are fewer than ten places. */
export const lexemeParts = (text: string) => ({ place: Number(text[0]), word: text.slice(1) });

/** PostgreSQL takes at most 2046 bytes; a longer word is told by its beginning and hash. */
export const shortened = (word: string): string =>
  word.length <= 400 ? word : `${word.slice(0, 100)}.${hash("sha1", word, "hex")}`;

/** Stands between passages, so that no phrase spans two of them; no word holds it. */
const passageBreak = " _ ";

/** The text of a place in which phrases are looked for: words with a blank on either side. */
export const placeText = (passages: readonly (readonly string[])[]): string =>
  ` ${passages
    .map((passage) => passage.join(" "))
    .filter((text) => text !== "")
    .join(passageBreak)} `;
