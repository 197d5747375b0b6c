// Requests for ratings: the latest page, one ticker, days with an importance, many tickers, chosen fields.
import { dayText } from "../../demo/days.ts";
import type { BenchRequest } from "../driver/request.ts";
import { companies } from "../records/companies.ts";
import type { BenchData } from "../records/database.ts";
import { tickersFor } from "../records/ratings.ts";
import { tradingDays } from "../records/span.ts";
import { distinct, same } from "./sequence.ts";

/** The page that stands for a deep one. */
export const deepPage = 20_000;

const laterDays = tradingDays.slice(tradingDays.length >> 1);

const ratings = "/api/v2.1/calendar/ratings";

export function ratingsRequests({ token, sizes }: BenchData) {
  const all = companies(tickersFor(sizes.ratings));
  const ask = (query: string): BenchRequest => ({ path: `${ratings}?token=${token}${query}` });
  const tickerAt = (n: number) => all[n % all.length]?.ticker ?? "";
  /** Page sizes go up from `from`, so that one ticker gives twenty different requests of nearly the same work. */
  const oneTicker = (name: string, from: number, more: string) =>
    distinct(name, all.length * 20, (n) =>
      ask(`&pagesize=${from + Math.floor(n / all.length)}&parameters[tickers]=${tickerAt(n)}${more}`),
    );
  const longestDays = 60;
  return {
    ask,
    latest: same(ask("")),
    ticker: oneTicker("one ticker", 41, ""),
    /** As `ticker`, but none of its requests. */
    otherTicker: oneTicker("one ticker, others", 61, ""),
    days: distinct("days", tradingDays.length * longestDays, (n) => {
      const first = tradingDays[n % tradingDays.length] as number;
      const last = first + Math.floor(n / tradingDays.length);
      return ask(
        `&parameters[date_from]=${dayText(first)}&parameters[date_to]=${dayText(last)}&parameters[importance]=3`,
      );
    }),
    manyTickers: distinct("many tickers", 50_000, (_n, draw) => {
      const chosen = draw.some(all, 50).map(({ ticker }) => ticker);
      return ask(`&parameters[tickers]=${chosen.join(",")}`);
    }),
    fields: oneTicker(
      "fields",
      41,
      "&simplify=true&fields=id,date,ticker,analyst,rating_current,rating_prior,pt_pct_change",
    ),
    /** Up to a thousand records, up to a day of the later half. */
    large: distinct("large", laterDays.length * 80, (n) => {
      const size = 1000 - Math.floor(n / laterDays.length);
      return ask(`&pagesize=${size}&parameters[date_to]=${dayText(laterDays[n % laterDays.length] as number)}`);
    }),
    /** The page of this number; its size is such that so many records reach to the deep page. */
    page: (number: number, importance?: number, records = sizes.ratings) => {
      // A little under the share of the records that have importance 3 or more.
      const share = importance === undefined ? 1 : 0.4;
      const size = Math.max(1, Math.floor((records * share) / (deepPage + 1)));
      const filter = importance === undefined ? "" : `&parameters[importance]=${importance}`;
      return same(ask(`&pagesize=${size}&page=${number}${filter}`));
    },
  };
}
