// How a search is to go on PostgreSQL, place by place: its matches gathered and sorted when they are rare, met on a walk
// from the newest item when they are common. Judged by the newest items, and remembered for a while.
import type { Plan } from "../../core/plan.ts";
import type { Search } from "../dialect.ts";
import { tableOf } from "../sql.ts";
import type { Query } from "./database.ts";
import { type Gathering, lexeme, matchTest, nothingGathered } from "./dialect.ts";

/** A search that matches fewer than these of the newest items is rare. */
const probed = 1000;
const rareMatches = 8;

/** How long that is believed: a word may become common while records are imported. */
const believedMs = 60_000;
const mostBelieved = 10_000;

export function gatherings(): (query: Query, plan: Plan) => Promise<Gathering> {
  const words = kept(commonWords);
  const probes = kept(probe);
  return async (query, plan) => {
    const search = plan.where.find((condition) => condition.op === "search");
    if (search === undefined) return nothingGathered;
    const word = onlyWord(search);
    if (word === undefined) return probes(JSON.stringify([search.phrases, search.combine]), query, plan, search);
    const common = await words(plan.resource.name, query, plan);
    const places = Object.keys(plan.resource.places).map((_, place) => common.get(lexeme(place, word)) ?? 0);
    const anywhere = places.reduce((sum, count) => sum + count, 0);
    return { places: places.map((count) => count < rareMatches), anywhere: anywhere < rareMatches };
  };
}

/** Whether a search has few matches in all, as far as is known: mostly it is quick, and others may wait behind it. */
export const isRare = ({ ranked }: Plan, { places, anywhere }: Gathering): boolean =>
  ranked ? places.length > 0 && places.every((gathered) => gathered) : anywhere;

/** What was asked for under a name within the last minute; while it is asked for anew, all who ask wait for the same. */
function kept<A extends unknown[], T>(
  ask: (query: Query, ...more: A) => Promise<T>,
): (name: string, query: Query, ...more: A) => Promise<T> {
  const known = new Map<string, { readonly until: number; readonly value: Promise<T> }>();
  return (name, query, ...more) => {
    const old = known.get(name);
    if (old !== undefined && Date.now() < old.until) return old.value;
    if (known.size >= mostBelieved) known.clear();
    const value = ask(query, ...more);
    known.set(name, { until: Date.now() + believedMs, value });
    value.catch(() => known.delete(name));
    return value;
  };
}

/** The word of a search that is for one word alone. */
function onlyWord({ phrases }: Search): string | undefined {
  const [phrase] = phrases;
  return phrases.length === 1 && phrase?.length === 1 ? phrase[0] : undefined;
}

/** In how many of the newest items a word stands in a place and in none before it, by lexeme; those of rare ones are left out. */
async function commonWords(query: Query, { resource }: Plan): Promise<ReadonlyMap<string, number>> {
  const newest = `select key, words from ${tableOf(resource)}_search order by key desc limit ${probed}`;
  const first = `select min(each) as lexeme from (${newest}) s, unnest(tsvector_to_array(s.words)) each group by s.key, substr(each, 2)`;
  const rows = await query(`select lexeme, count(*) as n from (${first}) f group by lexeme having count(*) > 1`);
  return new Map(rows.map(({ lexeme: name, n }) => [String(name), Number(n)]));
}

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
