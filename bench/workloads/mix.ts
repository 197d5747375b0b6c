// A realistic mix: most requests are for a few hot pages, some are unique, and some poll for updates.

import { dayText } from "../../demo/days.ts";
import { Draw } from "../../demo/draw.ts";
import type { BenchRequest } from "../driver/request.ts";
import { companies } from "../records/companies.ts";
import type { BenchData } from "../records/database.ts";
import { liveFrom } from "../records/live.ts";
import { tickersFor } from "../records/ratings.ts";
import { tradingDays } from "../records/span.ts";
import { vocabulary } from "../records/vocabulary.ts";
import { newsRequests } from "./news.ts";
import { ratingsRequests } from "./ratings.ts";

/** Percentages of hot and unique pages; the rest are polls. */
const hotShare = 70;
const uniqueShare = 20;

export function mixRequests(data: BenchData) {
  const ratings = ratingsRequests(data);
  const news = newsRequests(data);
  const all = companies(tickersFor(data.sizes.ratings));
  const today = dayText(tradingDays.at(-1) as number);
  const busy = all.slice(0, 6).map(({ ticker }) => ticker);
  const hot: readonly BenchRequest[] = [
    ratings.request(""),
    ratings.request(`&parameters[date]=${today}`),
    ratings.request("&parameters[importance]=4"),
    news.request(""),
    news.request("&pageSize=50"),
    news.request("&displayOutput=full"),
    news.request("&channels=Earnings"),
    news.request(`&topics=${vocabulary.common.words[3]}`),
    ...busy.flatMap((ticker) => [
      ratings.request(`&parameters[tickers]=${ticker}`),
      news.request(`&tickers=${ticker}`),
    ]),
  ];
  const unique = (draw: Draw): BenchRequest => {
    const { ticker } = draw.pick(all);
    const day = dayText(draw.pick(tradingDays));
    return draw.pick([
      ratings.request(`&parameters[tickers]=${ticker}&parameters[date_from]=${day}&pagesize=${draw.int(20, 80)}`),
      ratings.request(`&parameters[date]=${day}&parameters[importance]=${draw.int(1, 4)}&pagesize=${draw.int(20, 80)}`),
      news.request(`&tickers=${ticker}&dateTo=${day}&pageSize=${draw.int(10, 60)}`),
      news.request(`&topics=${draw.pick(vocabulary.rare.words)}&pageSize=${draw.int(10, 60)}`),
    ]);
  };
  /** Requests updates from a few seconds before the last one seen. */
  const poll = (draw: Draw): BenchRequest => {
    const since = liveFrom + draw.int(0, 200);
    return draw.chance(0.5)
      ? news.request(`&updatedSince=${since}&pageSize=100`)
      : ratings.request(`&parameters[updated]=${since}&pagesize=100`);
  };
  const drawn = (name: string, count: number, make: (draw: Draw) => BenchRequest) => (round: number) =>
    Array.from({ length: count }, (_, n) => make(Draw.seeded(9).at(`${name} ${round}`, n)));
  return {
    mixed: drawn("mix", 60_000, (draw) => {
      const luck = draw.int(0, 99);
      return luck < hotShare ? draw.pick(hot) : luck < hotShare + uniqueShare ? unique(draw) : poll(draw);
    }),
    unique: drawn("cold", coldRequests, unique),
  };
}

/** Requests to a newly started server. */
export const coldRequests = 600;
