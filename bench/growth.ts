// Growth: the same requests on fifty times as much data must not cost more.
import { type Benchmark, median } from "./benchmark.ts";
import { type Field, makeField } from "./contenders/field.ts";
import { usageOf } from "./driver/machine.ts";
import { resultOf, runWorkload, settingsOf } from "./load/load.ts";
import type { Fact, Outcome } from "./load/outcome.ts";
import { type BenchData, quickSizes, type Sizes, sqliteData } from "./records/database.ts";
import { newsRequests } from "./workloads/news.ts";
import { deepPage, ratingsRequests } from "./workloads/ratings.ts";
import type { Requests, Workload } from "./workloads/workload.ts";

/** News must grow with ratings, or topic searches would run on the same items. */
const grownSizes: Sizes = { ratings: 5_000_000, news: 300_000, earnings: 300_000 };

const starts = 3;

export const growthBenchmark: Benchmark = {
  name: "growth",
  about: "p50 of requests, memory, and startup time, with 100,000 and with 5,000,000 ratings",
  fullOnly: true,
  run: async (options) => {
    const small = await sqliteData(quickSizes, options.say);
    const ratings = options.ratings ?? grownSizes.ratings;
    const grown = await sqliteData({ ...grownSizes, ratings }, options.say);
    const field = makeField(small, options.say, grown);
    const settings = settingsOf(options);
    try {
      const outcomes: Outcome[] = [];
      for (const workload of growthWorkloads(small, grown)) {
        outcomes.push(await runWorkload(workload, field, small, settings));
      }
      const facts = [...(await startFacts(field, ratings)), ...(await memoryFacts(field))];
      return resultOf(outcomes, facts, grown.sizes, settings);
    } finally {
      await field.stop();
    }
  },
};

const smallLane = "small";
const grownLane = "grown";

/** Without the cache, which would hide the cost of a request. */
function growthWorkloads(small: BenchData, grown: BenchData): Workload[] {
  const workload = (name: string, about: string, requests: (data: BenchData) => Requests): Workload => ({
    name: `growth ${name}`,
    about,
    lanes: [
      { name: smallLane, contender: "bellwire without cache", requests: requests(small) },
      { name: grownLane, contender: "bellwire on grown data", requests: requests(grown) },
    ],
    targets: [{ lane: grownLane, against: smallLane, figure: "p50Ms", most: 1.5 }],
    model: "bellwire without cache",
  });
  // The same page size on both, or responses would grow.
  const page = (importance?: number) => (data: BenchData) =>
    ratingsRequests(data).page(deepPage, importance, small.sizes.ratings);
  return [
    workload("A", "the latest page of ratings", (data) => ratingsRequests(data).latest),
    workload("B", "one random ticker", (data) => ratingsRequests(data).ticker),
    workload("C", "a random range of days, importance 3 or more", (data) => ratingsRequests(data).days),
    workload("T common", "one random common word", (data) => newsRequests(data).common),
    workload("T middle", "one random middle word", (data) => newsRequests(data).middle),
    workload("T rare", "one random rare word, 3 to 8 items", (data) => newsRequests(data).fewRare),
    workload("P all", "page 20,000 of all ratings", page()),
    workload("P importance", "page 20,000 with importance 3 or more", page(3)),
  ];
}

async function startFacts(field: Field, ratings: number): Promise<Fact[]> {
  const seconds: number[] = [];
  for (let start = 0; start < starts; start++) {
    const server = await field.fresh("bellwire on grown data");
    if (server === undefined) return [];
    seconds.push(server.startSeconds);
    await server.stop();
  }
  const what = `from the start until it listens, at ${ratings} ratings`;
  return [{ what, unit: `s, median of ${starts}`, value: median(seconds), most: 1 }];
}

async function memoryFacts(field: Field): Promise<Fact[]> {
  const [small, grown] = await Promise.all(
    (["bellwire without cache", "bellwire on grown data"] as const).map(async (name) => {
      const server = await field.running(name);
      return server === undefined ? undefined : usageOf([server.pid])?.rssBytes;
    }),
  );
  if (small === undefined || grown === undefined) return [];
  return [
    { what: "memory after all of it, grown", unit: "MB resident", value: grown / 1e6, most: 250 },
    { what: "memory, grown to small", unit: "", value: grown / small, most: 1.25 },
  ];
}
