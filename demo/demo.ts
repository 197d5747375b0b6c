// Demo data in import format: two years back and a quarter ahead of a day, the same for the same seed and day, and
// all of it invented. The records of one resource do not depend on whether others were generated.
import { dividendRecords } from "./calendars/dividends.ts";
import { conferenceCallRecords, earningsRecords } from "./calendars/earnings.ts";
import { economicsRecords } from "./calendars/economics.ts";
import { guidanceRecords } from "./calendars/guidance.ts";
import { ratingsRecords } from "./calendars/ratings.ts";
import { newsRecords } from "./news/news.ts";
import { type DemoOptions, type DemoRecord, type Telling, type World, worldOn } from "./world.ts";

export type { DemoOptions, DemoRecord };

export type DemoResource =
  | "news"
  | "ratings"
  | "dividends"
  | "guidance"
  | "earnings"
  | "economics"
  | "conference-calls";

const tellers: Record<DemoResource, (world: World) => Generator<Telling>> = {
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
  yield* told(tellers[resource](worldOn(options)));
}

/** The records of one resource, counted before they are written out. */
export type DemoPart = {
  readonly resource: DemoResource;
  readonly count: number;
  /** Can be read once. */
  readonly records: Generator<DemoRecord>;
};

/** The same records as `demoRecords` gives, of all resources: they share what is costly to find. */
export function* demoParts(options: DemoOptions): Generator<DemoPart> {
  const world = worldOn(options);
  for (const resource of demoResources) {
    const tellings = [...tellers[resource](world)];
    yield { resource, count: tellings.length, records: told(tellings) };
  }
}

function* told(tellings: Iterable<Telling>): Generator<DemoRecord> {
  for (const tell of tellings) yield tell();
}
