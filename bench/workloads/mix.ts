// A mix shaped like real traffic: most requests repeat a few hot pages, some are unique, every few one polls for news.

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

/** Of a hundred requests: hot pages, unique ones; the rest are polls. */
const hotShare = 70;
const uniqueShare = 20;

export function mixRequests(data: BenchData) {
  const ratings = ratingsRequests(data);
  const news = newsRequests(data);
  const all = companies(tickersFor(data.sizes.ratings));
  const today = dayText(tradingDays.at(-1) as number);
  const busy = all.slice(0, 6).map(({ ticker }) => ticker);
  const hot: readonly BenchRequest[] = [
    ratings.ask(""),
    ratings.ask(`&parameters[date]=${today}`),
    ratings.ask("&parameters[importance]=4"),
    news.ask(""),
    news.ask("&pageSize=50"),
    news.ask("&displayOutput=full"),
    news.ask("&channels=Earnings"),
    news.ask(`&topics=${vocabulary.common.words[3]}`),
    ...busy.flatMap((ticker) => [ratings.ask(`&parameters[tickers]=${ticker}`), news.ask(`&tickers=${ticker}`)]),
  ];
  const unique = (draw: Draw): BenchRequest => {
    const { ticker } = draw.pick(all);
    const day = dayText(draw.pick(tradingDays));
    return draw.pick([
      ratings.ask(`&parameters[tickers]=${ticker}&parameters[date_from]=${day}&pagesize=${draw.int(20, 80)}`),
      ratings.ask(`&parameters[date]=${day}&parameters[importance]=${draw.int(1, 4)}&pagesize=${draw.int(20, 80)}`),
      news.ask(`&tickers=${ticker}&dateTo=${day}&pageSize=${draw.int(10, 60)}`),
      news.ask(`&topics=${draw.pick(vocabulary.rare.words)}&pageSize=${draw.int(10, 60)}`),
    ]);
  };
  /** A client asks for what was updated since a few seconds before the last it saw. */
  const poll = (draw: Draw): BenchRequest => {
    const since = liveFrom + draw.int(0, 200);
    return draw.chance(0.5)
      ? news.ask(`&updatedSince=${since}&pageSize=100`)
      : ratings.ask(`&parameters[updated]=${since}&pagesize=100`);
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

/** Requests to a server that has only just been started. */
export const coldRequests = 600;
