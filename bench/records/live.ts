// New records that arrive while a server is under load, on the day after the last of the data.
import { newYorkSeconds } from "../../demo/days.ts";
import type { DemoRecord } from "../../demo/demo.ts";
import { companies, drawCompany, root } from "./companies.ts";
import { newsRecord } from "./news.ts";
import { ratingRecord } from "./ratings.ts";
import { liveDay } from "./span.ts";

/** Live records are updated from this second on: a poll from here sees all of them, and nothing older. */
export const liveFrom = newYorkSeconds(liveDay, 0);

export type LiveResource = "news" | "ratings";

/** The n-th live record; `run` distinguishes the records of several importers of one database. */
export function liveRecord(resource: LiveResource, run: number, n: number, tickers: number): DemoRecord {
  const all = companies(tickers);
  const place = run * 1_000_000 + n;
  const draw = root.at(`live ${resource}`, place);
  const created = liveFrom + (place % 80_000);
  if (resource === "news") return newsRecord(draw, 1_000_000_000 + place, created, all);
  return { ...ratingRecord(draw, liveDay, drawCompany(draw, all), new Map()), updated: created };
}
