// Random requests up to all limits: every filter with common and rare values, up to fifty at once, in every order, with
// pages of every size and depth, and keys that see all or only some records.
import assert from "node:assert/strict";
import fc from "fast-check";
import { companies } from "../../../bench/records/companies.ts";
import { tickersFor } from "../../../bench/records/ratings.ts";
import { vocabulary } from "../../../bench/records/vocabulary.ts";
import type { Terms } from "../../../src/core/access/terms.ts";
import { visibilityOf } from "../../../src/core/access/visibility.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import type { Plan } from "../../../src/core/query/plan.ts";
import { parseListQuery } from "../../../src/core/query/planner.ts";
import { parseQuery } from "../../../src/core/query/query-string.ts";
import { zone } from "../../../src/core/value/time-zone.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import type { RecordInput } from "../clients/api.ts";
import { firstLook } from "../expected.ts";
import { largeRecords } from "../records/large-records.ts";
import { type Breadth, parseUrl, requests, rowsOf } from "./requests.ts";

export type BroadRequest = { readonly name: string; readonly plan: Plan };

/** The morning after the last day of the records. */
const now = 1_738_393_200;

const windows: readonly Pick<Terms, "history" | "delay">[] = [
  { history: "", delay: 0 },
  { history: "", delay: 15 },
  { history: "", delay: 1_000_000 },
  { history: "30d", delay: 0 },
  { history: "2024-01-01", delay: 15 },
];

const here = zone(firstLook.zone) ?? assert.fail("no zone");

/** As seen by a key with these terms. */
function seenBy(plan: Plan, terms: Pick<Terms, "history" | "delay">, name: string): BroadRequest {
  const where = visibilityOf(terms, here)?.(plan, now).where ?? [];
  const { history, delay } = terms;
  const key = `${history && ` history ${history}`}${delay === 0 ? "" : ` delay ${delay}`}`;
  return { name: `${name}${key}`, plan: { ...plan, where: [...plan.where, ...where] } };
}

/** Deterministic for a seed and count, regardless of the database. */
export function broadRequests(resource: Resource, count: number, runs: number, seed: number): BroadRequest[] {
  const some = sampleOf(resource, count);
  const all = requests(resource, some, rowsOf(resource, some), breadthFor(count));
  // Most keys see everything.
  const terms = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: windows.length - 1 }));
  return fc.sample(fc.tuple(all, terms), { seed, numRuns: runs }).flatMap(([url, at]) => {
    const plan = parseUrl(resource, url)?.plan;
    const window = windows[at];
    return plan === undefined || window === undefined ? [] : [seenBy(plan, window, url)];
  });
}

/** Lists with few parameters: several pages and sizes for each key. */
export function broadExtensionRequests(): BroadRequest[] {
  return extensions
    .filter(
      ({ path, table, latestPer }) =>
        !path.includes("{") && (table.dayCountsOf !== undefined || latestPer !== undefined),
    )
    .flatMap((listing) =>
      ["", "pagesize=400", "page=3", "page=100000&pagesize=400"].flatMap((query) => {
        const reading = parseListQuery(listing, parseQuery(query).query, { zone: here });
        if (!("ok" in reading)) return [];
        const { plan } = reading.ok;
        return windows.map((terms) => seenBy(plan, terms, `${listing.path}?${query}`));
      }),
    );
}

/** Records from the whole span, including rare values, without long texts, which would add too many values. */
function sampleOf(resource: Resource, count: number): RecordInput[] {
  const chosen: RecordInput[] = [];
  let place = 0;
  for (const record of largeRecords(resource, count)) {
    place++;
    if (place === 40 || place === 40 + 991 || place === 40 + 997 || place % Math.floor(count / 26) === 0)
      chosen.push("body" in record ? { ...record, body: "", teaser: "", image: [], url: "" } : record);
  }
  return chosen;
}

/** Common values, in addition to rare ones. */
function breadthFor(count: number): Breadth {
  const common = companies(tickersFor(count)).slice(0, 50);
  const tickers = common.map(({ ticker }) => ticker);
  const deep = ["1", "7", "70", "700", "2000", "7000", "99999"];
  const sizes = ["1", "10", "100", "1000"];
  return {
    rules: 7,
    members: [fc.constant(1), fc.integer({ min: 2, max: 5 }), fc.constant(20), fc.constant(50)],
    more: {
      page: deep,
      pageSize: sizes,
      pagesize: sizes,
      tickers,
      primaryTickers: tickers,
      "parameters[tickers]": tickers,
      isin: common.map(({ isin }) => isin),
      cusips: common.map(({ cusip }) => cusip),
      topics: vocabulary.common.words.slice(0, 50),
    },
  };
}
