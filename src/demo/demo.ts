// Demo data in import format: two years back and a quarter ahead of a day, the same for the same seed and day, and
// all of it invented. The records of one resource do not depend on whether others were generated.
import { dividendRecords } from "./dividends.ts";
import { conferenceCallRecords, earningsRecords } from "./earnings.ts";
import { economicsRecords } from "./economics.ts";
import { guidanceRecords } from "./guidance.ts";
import { newsRecords } from "./news.ts";
import { ratingsRecords } from "./ratings.ts";
import { type DemoOptions, type DemoRecord, type World, worldOn } from "./world.ts";

export type { DemoOptions, DemoRecord };

export type DemoResource =
  | "news"
  | "ratings"
  | "dividends"
  | "guidance"
  | "earnings"
  | "economics"
  | "conference-calls";

const tellers: Record<DemoResource, (world: World) => Generator<DemoRecord>> = {
  news: newsRecords,
  ratings: ratingsRecords,
  dividends: dividendRecords,
  guidance: guidanceRecords,
  earnings: earningsRecords,
  economics: economicsRecords,
  "conference-calls": conferenceCallRecords,
};

export const demoResources = Object.freeze(Object.keys(tellers)) as readonly DemoResource[];

/** The records of one resource as known on the evening of `today`, New York time. */
export function* demoRecords(resource: DemoResource, options: DemoOptions): Generator<DemoRecord> {
  yield* tellers[resource](worldOn(options));
}
