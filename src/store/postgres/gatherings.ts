// How a search is to go on PostgreSQL, place by place: its matches gathered and sorted when they are rare, met on a walk
// from the newest item when they are common. Judged by the newest items, and remembered for a while.
import type { Plan } from "../../core/plan.ts";
import { tableOf } from "../sql.ts";
import type { Query } from "./database.ts";
import { type Gathering, matchTest } from "./dialect.ts";

/** A search that matches fewer than these of the newest items is rare. */
const probed = 1000;
const rareMatches = 8;

/** How long that is believed: a word may become common while records are imported. */
const believedMs = 60_000;
const mostBelieved = 10_000;

const noSearch: Gathering = { places: [], anywhere: false };

export function gatherings(): (query: Query, plan: Plan) => Promise<Gathering> {
  const believed = new Map<string, Gathering & { readonly until: number }>();
  return async (query, plan) => {
    const search = plan.where.find((condition) => condition.op === "search");
    if (search === undefined) return noSearch;
    const remembered = JSON.stringify([search.phrases, search.combine]);
    const known = believed.get(remembered);
    if (known !== undefined && Date.now() < known.until) return known;
    const values: unknown[] = [];
    const places = Object.keys(plan.resource.places);
    const counts = [undefined, ...places.keys()].map((place) => {
      const test = matchTest(search, places, place, (value) => `$${values.push(value)}`);
      return `count(*) filter (where ${test}) < ${rareMatches} as ${place === undefined ? "anywhere" : `place${place}`}`;
    });
    const newest = `select * from ${tableOf(plan.resource)}_search order by key desc limit ${probed}`;
    const [row] = await query(`select ${counts.join(", ")} from (${newest}) s`, ...values);
    const gathering = {
      anywhere: row?.anywhere === true,
      places: [...places.keys()].map((place) => row?.[`place${place}`] === true),
      until: Date.now() + believedMs,
    };
    if (believed.size >= mostBelieved) believed.clear();
    believed.set(remembered, gathering);
    return gathering;
  };
}
