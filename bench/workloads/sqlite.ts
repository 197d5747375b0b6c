// The workloads on SQLite, one process against one process, with their targets.
import { cores } from "../driver/machine.ts";
import type { BenchData } from "../records/database.ts";
import { coldRequests, mixRequests } from "./mix.ts";
import { newsRequests } from "./news.ts";
import { deepPage, ratingsRequests } from "./ratings.ts";
import { known } from "./sequence.ts";
import { byCpu, type ContenderName, type Lane, type Requests, type Target, type Workload } from "./workload.ts";

const model = "bellwire" as const;

/** The same requests to each, the baseline first. */
export const lanes = (requests: Requests, ...names: readonly ContenderName[]): Lane[] =>
  names.map((contender) => ({ name: contender, contender, requests }));

const onlyFull = (requests: Requests, ...names: readonly ContenderName[]): Lane[] =>
  lanes(requests, ...names).map((lane) => ({ ...lane, fullOnly: true }));

const speed = (against: string, least: number): Target => ({ lane: "bellwire", against, figure: "perSecond", least });
const cpu = (against: ContenderName, least: number): Target => byCpu("bellwire", against, least);

export function sqliteWorkloads(data: BenchData): readonly Workload[] {
  const ratings = ratingsRequests(data);
  const news = newsRequests(data);
  const mix = mixRequests(data);
  return [
    {
      name: "A",
      about: "the same latest page of ratings again",
      lanes: [...lanes(ratings.latest, "bare", "bellwire"), ...onlyFull(ratings.latest, "handler")],
      targets: [cpu("bare", 0.8)],
      model,
    },
    {
      name: "B",
      about: "one random ticker, no request twice",
      lanes: lanes(ratings.ticker, "bare", "bellwire", "handler"),
      targets: [cpu("bare", 0.18), cpu("handler", 5)],
      model,
    },
    {
      name: "C",
      about: "a random range of days, importance 3 or more",
      lanes: lanes(ratings.days, "bare", "bellwire", "handler"),
      targets: [cpu("bare", 0.13), cpu("handler", 4)],
      model,
    },
    ...(["common", "middle", "rare"] as const).map(
      (kind): Workload => ({
        name: `T ${kind}`,
        about: `one random ${kind} word as topic, default order`,
        lanes: [...lanes(news[kind], "bare", "bellwire", "handler"), ...onlyFull(news[kind], "handler newest first")],
        targets: [cpu("bare", 0.11), cpu("handler", 3.5)],
        model,
        // Between the two others.
        fullOnly: kind === "middle",
      }),
    ),
    {
      name: "N",
      about: "50 random tickers of ratings",
      lanes: lanes(ratings.manyTickers, "handler", "bellwire"),
      targets: [cpu("handler", 3)],
      model,
    },
    deepPages("P all", "page 0 against page 20,000 of all ratings", (number) => ratings.page(number)),
    deepPages("P importance", "the same with importance 3 or more", (number) => ratings.page(number, 3)),
    {
      name: "F",
      about: "news with full text, pages of 100",
      lanes: lanes(news.full, "handler", "bellwire"),
      targets: [cpu("handler", 3)],
      model,
    },
    {
      name: "X",
      about: "the same as XML",
      lanes: lanes(news.xml, "handler", "bellwire"),
      targets: [cpu("handler", 2)],
      model,
    },
    {
      name: "R",
      about: "ratings of one ticker, chosen fields, simplified",
      lanes: lanes(ratings.fields, "handler", "bellwire"),
      targets: [cpu("handler", 2)],
      model,
    },
    {
      name: "M",
      about: "a realistic mix, while 50 records per second are imported",
      lanes: lanes(mix.mixed, "bare", "bellwire"),
      targets: [cpu("bare", 0.25), { lane: "bellwire", against: "bare", figure: "p99Ms", most: 5 }],
      model,
      importing: true,
    },
    {
      name: "U",
      about: "large pages that never repeat, with and without the response cache",
      lanes: lanes(ratings.large, "bellwire without cache", "bellwire"),
      // "No slower", except for noise. Restarted, since pairs of processes differ by more than that.
      targets: [speed("bellwire without cache", 0.97)],
      model,
      restart: true,
      fullOnly: true,
    },
    {
      name: "304",
      about: "the latest page of ratings, which the client has already",
      lanes: lanes(known(ratings.request("")), "bare", "bellwire"),
      targets: [speed("bare", 0.8)],
      model,
    },
    {
      name: "W",
      about: "one random ticker, two workers against one",
      lanes: lanes(ratings.otherTicker, "bellwire", "bellwire with two workers"),
      targets: [workersTarget],
      model,
      fullOnly: true,
    },
    {
      name: "S",
      about: "the first requests after the start, each different",
      lanes: lanes(mix.unique, "bare", "bellwire", "handler"),
      targets: [],
      model,
      cold: coldRequests,
      fullOnly: true,
    },
  ];
}

/** Two workers and a load generator need more than two cores; with fewer, compares CPU time only. */
const workersTarget: Target = {
  lane: "bellwire with two workers",
  against: "bellwire",
  ...(cores >= 4 ? { figure: "perSecond", least: 1.6 } : { figure: "cpuMicros", most: 1.1 }),
};

/** Without the cache, which would hide the difference. */
function deepPages(name: string, about: string, page: (number: number) => Requests): Workload {
  const lane = (number: number): Lane => ({
    name: `page ${number}`,
    contender: "bellwire without cache",
    requests: page(number),
  });
  return {
    name,
    about,
    lanes: [
      lane(0),
      lane(deepPage),
      { name: `handler, page ${deepPage}`, contender: "handler", requests: page(deepPage), fullOnly: true },
    ],
    targets: [{ lane: `page ${deepPage}`, against: "page 0", figure: "p50Ms", most: 2 }],
    model,
  };
}
