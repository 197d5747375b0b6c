// Fictional demo data in import format: two years back and a quarter ahead of a day, deterministic for a seed and day.
// The records of a resource don't depend on whether others are generated.
import { dividendRecords } from "./calendars/dividends.ts";
import { conferenceCallRecords, earningsRecords } from "./calendars/earnings.ts";
import { economicsRecords } from "./calendars/economics.ts";
import { guidanceRecords } from "./calendars/guidance.ts";
import { ratingsRecords } from "./calendars/ratings.ts";
import { newsRecords } from "./news/news.ts";
import { type DemoOptions, type DemoRecord, type LazyRecord, type World, worldOn } from "./world.ts";

export type { DemoOptions, DemoRecord };

export type DemoResource =
  | "news"
  | "ratings"
  | "dividends"
  | "guidance"
  | "earnings"
  | "economics"
  | "conference-calls";

const generators: Record<DemoResource, (world: World) => Generator<LazyRecord>> = {
  news: newsRecords,
  ratings: ratingsRecords,
  dividends: dividendRecords,
  guidance: guidanceRecords,
  earnings: earningsRecords,
  economics: economicsRecords,
  "conference-calls": conferenceCallRecords,
};

export const demoResources = Object.freeze(Object.keys(generators)) as readonly DemoResource[];

/** The records of one resource as known on the evening of `today`, New York time. */
export function* demoRecords(resource: DemoResource, options: DemoOptions): Generator<DemoRecord> {
  yield* evaluated(generators[resource](worldOn(options)));
}

/** The records of one resource, counted before they are created. */
export type DemoPart = {
  readonly resource: DemoResource;
  readonly count: number;
  /** Can be iterated once. */
  readonly records: Generator<DemoRecord>;
};

/** The same records as from `demoRecords`, for all resources, with shared intermediate results. */
export function* demoParts(options: DemoOptions): Generator<DemoPart> {
  const world = worldOn(options);
  for (const resource of demoResources) {
    const lazyRecords = [...generators[resource](world)];
    yield { resource, count: lazyRecords.length, records: evaluated(lazyRecords) };
  }
}

function* evaluated(lazyRecords: Iterable<LazyRecord>): Generator<DemoRecord> {
  for (const write of lazyRecords) yield write();
}
