// How a search is to go on PostgreSQL, place by place: its matches gathered and sorted when they are rare, met on a walk
// from the newest item when they are common. Judged by the newest items, and remembered for a while.
import type { Plan } from "../../../core/query/plan.ts";
import { tableOf } from "../../sql/compile.ts";
import type { Search } from "../../sql/dialect.ts";
import { type Gathering, lexemeParts, matchTest, nothingGathered, shortened } from "../dialect.ts";
import type { Query } from "../pool/pool.ts";

/** A search that matches fewer than these of the newest items is rare. */
const probed = 1000;
const rareMatches = 8;

/** How long that is believed: a word may become common while records are imported. */
const believedSeconds = 60;
const mostBelieved = 10_000;

/** `now` is in Unix seconds. */
export function gatherings(now: () => number): (query: Query, plan: Plan) => Promise<Gathering> {
  const words = kept(commonWords, now);
  const probes = kept(probe, now);
  return async (query, plan) => {
    const search = plan.where.find((condition) => condition.op === "search");
    if (search === undefined) return nothingGathered;
    const word = onlyWord(search);
    if (word === undefined) return probes(JSON.stringify([search.phrases, search.combine]), query, plan, search);
    const { common, others } = await words(plan.resource.name, query, plan);
    return common.get(shortened(word)) ?? others;
  };
}

/** Whether a search has few matches in all, as far as is known: mostly it is quick, and others may wait behind it. */
export const isRare = ({ ranked }: Plan, { places, anywhere }: Gathering): boolean =>
  ranked ? places.length > 0 && places.every((gathered) => gathered) : anywhere;

type Kept<T> = { until: number; value: Promise<T> };

/**
 * What was asked for under a name within the last minute. After that it is asked for anew, while what was known a minute
 * ago still serves: all who ask would wait for it. What is older is waited for.
 */
function kept<A extends unknown[], T>(
  ask: (query: Query, ...more: A) => Promise<T>,
  clock: () => number,
): (name: string, query: Query, ...more: A) => Promise<T> {
  const known = new Map<string, Kept<T>>();
  return (name, query, ...more) => {
    const old = known.get(name);
    const now = clock();
    if (old !== undefined && now < old.until) return old.value;
    const value = ask(query, ...more);
    const until = old?.until ?? 0;
    if (old !== undefined && now < until + believedSeconds) {
      old.until = now + believedSeconds;
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
    if (known.size >= mostBelieved) known.clear();
    known.set(name, { until: now + believedSeconds, value });
    value.catch(() => known.delete(name));
    return value;
  };
}

/** The word of a search that is for one word alone. */
function onlyWord({ phrases }: Search): string | undefined {
  const [phrase] = phrases;
  return phrases.length === 1 && phrase?.length === 1 ? phrase[0] : undefined;
}

/** How a search for one word goes: by what the lexemes of common words have in common, and for all others. */
type Words = { readonly common: ReadonlyMap<string, Gathering>; readonly others: Gathering };

/** Judged by how many of the newest items a word stands in, in each place and in none before it. */
async function commonWords(query: Query, { resource }: Plan): Promise<Words> {
  const newest = `select key, words from ${tableOf(resource)}_search order by key desc limit ${probed}`;
  const first = `select min(each) as lexeme from (${newest}) s, unnest(tsvector_to_array(s.words)) each group by s.key, substr(each, 2)`;
  const rows = await query(`select lexeme, count(*) as n from (${first}) f group by lexeme having count(*) > 1`);
  const none = Object.keys(resource.places).map(() => 0);
  const counts = new Map<string, number[]>();
  for (const { lexeme, n } of rows) {
    const { place, word } = lexemeParts(String(lexeme));
    const found = counts.get(word) ?? [...none];
    found[place] = Number(n);
    counts.set(word, found);
  }
  return { common: new Map([...counts].map(([word, found]) => [word, judged(found)])), others: judged(none) };
}

/** By the matches in each place among the newest items. */
const judged = (found: readonly number[]): Gathering => ({
  places: found.map((count) => count < rareMatches),
  anywhere: found.reduce((sum, count) => sum + count, 0) < rareMatches,
});

/** Phrases, and words that must stand together, are tried: how common each word is says nothing of them. */
async function probe(query: Query, plan: Plan, search: Search): Promise<Gathering> {
  const values: unknown[] = [];
  const places = Object.keys(plan.resource.places);
  const counts = [undefined, ...places.keys()].map((place) => {
    const test = matchTest(search, places, place, (value) => `$${values.push(value)}`);
    return `count(*) filter (where ${test}) < ${rareMatches} as ${place === undefined ? "anywhere" : `place${place}`}`;
  });
  const newest = `select * from ${tableOf(plan.resource)}_search order by key desc limit ${probed}`;
  const [row] = await query(`select ${counts.join(", ")} from (${newest}) s`, ...values);
  return {
    anywhere: row?.anywhere === true,
    places: [...places.keys()].map((place) => row?.[`place${place}`] === true),
  };
}
