// The workloads on PostgreSQL: the same requests and baselines, both servers on the same database server.
import type { BenchData } from "../records/database.ts";
import { newsRequests } from "./news.ts";
import { ratingsRequests } from "./ratings.ts";
import { lanes } from "./sqlite.ts";
import { byCpu, type Requests, type Workload } from "./workload.ts";

const model = "bellwire on PostgreSQL" as const;

export function postgresWorkloads(data: BenchData): readonly Workload[] {
  const ratings = ratingsRequests(data);
  const news = newsRequests(data);
  const againstHandler = (name: string, about: string, requests: Requests, least: number): Workload => ({
    name: `PostgreSQL ${name}`,
    about: `${about}, on PostgreSQL`,
    lanes: lanes(requests, "handler on PostgreSQL", model),
    targets: [byCpu(model, "handler on PostgreSQL", least)],
    model,
    fullOnly: true,
  });
  return [
    {
      name: "PostgreSQL A",
      about: "the same latest page of ratings again, on PostgreSQL",
      lanes: lanes(ratings.latest, "bare", model, "handler on PostgreSQL"),
      targets: [byCpu(model, "bare", 0.75)],
      model,
      fullOnly: true,
    },
    againstHandler("B", "one random ticker", ratings.ticker, 2.5),
    againstHandler("C", "a random range of days, importance 3 or more", ratings.days, 2.5),
    againstHandler("N", "50 random tickers", ratings.manyTickers, 3),
    againstHandler("T common", "one random common word as topic", news.common, 3.5),
    againstHandler("T middle", "one random middle word as topic", news.middle, 3.5),
    againstHandler("T rare", "one random rare word as topic", news.rare, 3.5),
  ];
}
