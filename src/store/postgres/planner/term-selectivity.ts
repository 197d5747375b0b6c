// Estimates how selective a search is in each text field from a sample of the newest items, and caches the estimates.
// Rare matches are collected and sorted; common ones are found by scanning from the newest item.
import type { Plan } from "../../../core/query/plan.ts";
import { tableName } from "../../sql/compile.ts";
import type { Search } from "../../sql/dialect.ts";
import { lexemeParts, matchTest, noSearch, type Selectivity, shortened, wordTest } from "../dialect.ts";
import type { Query } from "../pool/pool.ts";

/** A search that matches fewer than `rareMatches` of the newest `sampleSize` items is rare. */
const sampleSize = 1000;
const rareMatches = 8;

/** Words may become common as records are imported. */
const cacheSeconds = 60;
const maxCached = 10_000;

/** `now` is in Unix seconds. */
export function createSelectivityEstimator(now: () => number): (query: Query, plan: Plan) => Promise<Selectivity> {
  const singleWords = cached(commonWords, now);
  const phrases = cached(sampleMatches, now);
  return async (query, plan) => {
    const search = plan.where.find((condition) => condition.op === "search");
    if (search === undefined) return noSearch;
    const word = onlyWord(search);
    if (word === undefined) return phrases(JSON.stringify([search.phrases, search.combine]), query, plan, search);
    const { common, others } = await singleWords(plan.resource.name, query, plan);
    return common.get(shortened(word)) ?? others;
  };
}

/** Whether a search has few matches by all estimates, and is therefore quick. */
export const isSelective = ({ ranked }: Plan, { rareInField, rareAnywhere }: Selectivity): boolean =>
  ranked ? rareInField.length > 0 && rareInField.every((isRare) => isRare) : rareAnywhere;

type Cached<T> = { until: number; value: Promise<T> };

/** Stale-while-revalidate: an expired value is returned for another `cacheSeconds` while a new one is fetched. */
function cached<A extends unknown[], T>(
  fetch: (query: Query, ...more: A) => Promise<T>,
  clock: () => number,
): (name: string, query: Query, ...more: A) => Promise<T> {
  const cache = new Map<string, Cached<T>>();
  return (name, query, ...more) => {
    const old = cache.get(name);
    const now = clock();
    if (old !== undefined && now < old.until) return old.value;
    const value = fetch(query, ...more);
    const until = old?.until ?? 0;
    if (old !== undefined && now < until + cacheSeconds) {
      old.until = now + cacheSeconds;
      value.then(
        () => {
          old.value = value;
        },
        () => {
          old.until = until;
        },
      );
      return old.value;
    }
    if (cache.size >= maxCached) cache.clear();
    cache.set(name, { until: now + cacheSeconds, value });
    value.catch(() => cache.delete(name));
    return value;
  };
}

/** The word of a single-word search. */
function onlyWord({ phrases }: Search): string | undefined {
  const [phrase] = phrases;
  return phrases.length === 1 && phrase?.length === 1 ? phrase[0] : undefined;
}

/** Selectivity of single words: of common ones by shortened word, and of all others. */
type Words = { readonly common: ReadonlyMap<string, Selectivity>; readonly others: Selectivity };

/** Counts the newest items by the first field in which each word occurs. */
async function commonWords(query: Query, { resource }: Plan): Promise<Words> {
  const newest = `select key, words from ${tableName(resource)}_search order by key desc limit ${sampleSize}`;
  const first = `select min(each) as lexeme from (${newest}) s, unnest(tsvector_to_array(s.words)) each group by s.key, substr(each, 2)`;
  const rows = await query(`select lexeme, count(*) as n from (${first}) f group by lexeme having count(*) > 1`);
  const noMatches = Object.keys(resource.searchFields).map(() => 0);
  const counts = new Map<string, number[]>();
  for (const { lexeme, n } of rows) {
    const { place, word } = lexemeParts(String(lexeme));
    const found = counts.get(word) ?? [...noMatches];
    found[place] = Number(n);
    counts.set(word, found);
  }
  return { common: new Map([...counts].map(([word, found]) => [word, estimate(found)])), others: estimate(noMatches) };
}

/** From the matches in each field. */
function estimate(found: readonly number[]): Selectivity {
  const all = found.reduce((sum, count) => sum + count, 0);
  return {
    rareInField: found.map((count) => count < rareMatches),
    rareAnywhere: all < rareMatches,
    share: shareOf(all),
    candidates: 1,
  };
}

/** No match in the sample doesn't mean that there is none. */
const shareOf = (count: number): number => Math.max(count, 0.5) / sampleSize;

/** For phrases and combined words, which may be rare even if each word is common. */
async function sampleMatches(query: Query, plan: Plan, search: Search): Promise<Selectivity> {
  const values: unknown[] = [];
  const places = Object.keys(plan.resource.searchFields);
  const bind = (value: unknown) => `$${values.push(value)}`;
  const counts = [undefined, ...places.keys()].map((place) => {
    const test = matchTest(search, places, place, bind);
    return `count(*) filter (where ${test}) as ${place === undefined ? "anywhere" : `place${place}`}`;
  });
  counts.push(`count(*) filter (where ${wordTest(search, places, undefined, bind)}) as words`);
  const newest = `select * from ${tableName(plan.resource)}_search order by key desc limit ${sampleSize}`;
  const [row] = await query(`select ${counts.join(", ")} from (${newest}) s`, ...values);
  return {
    rareAnywhere: Number(row?.anywhere) < rareMatches,
    rareInField: [...places.keys()].map((place) => Number(row?.[`place${place}`]) < rareMatches),
    share: shareOf(Number(row?.anywhere)),
    candidates: shareOf(Number(row?.words)) / shareOf(Number(row?.anywhere)),
  };
}
