// Estimates how selective a search is in each text field from a sample of the newest items, and caches the samples.
// Rare matches are collected and sorted; common ones are found by scanning from the newest item.
import type { Plan } from "../../../core/query/plan.ts";
import { tableName } from "../../sql/compile.ts";
import { totalCountSql } from "../../sql/count-index.ts";
import type { Search } from "../../sql/dialect.ts";
import { lexemeParts, matchTest, noSearch, type Selectivity, shortened, wordTest } from "../dialect.ts";
import type { Query } from "../pool/pool.ts";

/** A search that matches fewer than `rareMatches` of the newest `sampleSize` items is rare for any page. */
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
    if (word === undefined)
      return estimate(await phrases(JSON.stringify([search.phrases, search.combine]), query, plan, search), plan);
    const { common, others } = await singleWords(plan.resource.name, query, plan);
    return estimate(common.get(shortened(word)) ?? others, plan);
  };
}

/** Matches among the newest items. */
type Sample = {
  /** By the first field that matches. */
  readonly inField: readonly number[];
  readonly anywhere: number;
  /** With all words of a phrase, in any order. */
  readonly words: number;
  /** Items in the whole table. */
  readonly total: number;
};

/** Testing an item, whose words are read and decompressed, takes as long as collecting so many matches from the index. */
const testCost = 6;

/**
 * Collecting costs one step per match, scanning a test per item until the page is full. So a search is rare if collecting
 * its matches costs less than testing the items before them: the deeper the page, the more matches that is.
 */
function estimate({ inField, anywhere, words, total }: Sample, { offset, limit }: Plan): Selectivity {
  const most = Math.max(rareMatches, sampleSize * Math.sqrt((testCost * (offset + limit)) / Math.max(total, 1)));
  return {
    rareInField: inField.map((count) => count < most),
    rareAnywhere: anywhere < most,
    share: shareOf(anywhere),
    candidates: shareOf(words) / shareOf(anywhere),
  };
}

/** No match in the sample doesn't mean that there is none. */
const shareOf = (count: number): number => Math.max(count, 0.5) / sampleSize;

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

/** Samples of single words: of common ones by shortened word, and of all others. */
type Words = { readonly common: ReadonlyMap<string, Sample>; readonly others: Sample };

/** Counts the newest items by the first field in which each word occurs. */
async function commonWords(query: Query, { resource }: Plan): Promise<Words> {
  const table = tableName(resource);
  const newest = `select key, words from ${table}_search order by key desc limit ${sampleSize}`;
  const first = `select min(each) as lexeme from (${newest}) s, unnest(tsvector_to_array(s.words)) each group by s.key, substr(each, 2)`;
  const [rows, [counted]] = await Promise.all([
    query(`select lexeme, count(*) as n from (${first}) f group by lexeme having count(*) > 1`),
    query(totalCountSql(resource, table)),
  ]);
  const total = Number(counted?.n);
  const noMatches = Object.keys(resource.searchFields).map(() => 0);
  const counts = new Map<string, number[]>();
  for (const { lexeme, n } of rows) {
    const { place, word } = lexemeParts(String(lexeme));
    const found = counts.get(word) ?? [...noMatches];
    found[place] = Number(n);
    counts.set(word, found);
  }
  return {
    common: new Map([...counts].map(([word, found]) => [word, sampleOf(found, total)])),
    others: sampleOf(noMatches, total),
  };
}

function sampleOf(inField: readonly number[], total: number): Sample {
  const anywhere = inField.reduce((sum, count) => sum + count, 0);
  return { inField, anywhere, words: anywhere, total };
}

/** For phrases and combined words, which may be rare even if each word is common. */
async function sampleMatches(query: Query, { resource }: Plan, search: Search): Promise<Sample> {
  const values: unknown[] = [];
  const places = Object.keys(resource.searchFields);
  const table = tableName(resource);
  const bind = (value: unknown) => `$${values.push(value)}`;
  const counts = [undefined, ...places.keys()].map((place) => {
    const test = matchTest(search, places, place, bind);
    return `count(*) filter (where ${test}) as ${place === undefined ? "anywhere" : `place${place}`}`;
  });
  counts.push(`count(*) filter (where ${wordTest(search, places, undefined, bind)}) as words`);
  counts.push(`(${totalCountSql(resource, table)}) as total`);
  const newest = `select * from ${table}_search order by key desc limit ${sampleSize}`;
  const [row] = await query(`select ${counts.join(", ")} from (${newest}) s`, ...values);
  return {
    inField: [...places.keys()].map((place) => Number(row?.[`place${place}`])),
    anywhere: Number(row?.anywhere),
    words: Number(row?.words),
    total: Number(row?.total),
  };
}
