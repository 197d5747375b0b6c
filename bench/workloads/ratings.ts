// Requests for ratings: the latest page, one ticker, days with an importance, many tickers, chosen fields.
import { dayText } from "../../demo/days.ts";
import type { BenchRequest } from "../driver/request.ts";
import { companies } from "../records/companies.ts";
import type { BenchData } from "../records/database.ts";
import { tickersFor } from "../records/ratings.ts";
import { tradingDays } from "../records/span.ts";
import { distinct, same } from "./sequence.ts";

/** The page number of a deep page. */
export const deepPage = 20_000;

const laterDays = tradingDays.slice(tradingDays.length >> 1);

const ratings = "/api/v2.1/calendar/ratings";

export function ratingsRequests({ token, sizes }: BenchData) {
  const all = companies(tickersFor(sizes.ratings));
  const request = (query: string): BenchRequest => ({ path: `${ratings}?token=${token}${query}` });
  const tickerAt = (n: number) => all[n % all.length]?.ticker ?? "";
  /** Page sizes increase from `from`, for twenty distinct requests per ticker with nearly the same work. */
  const oneTicker = (name: string, from: number, more: string) =>
    distinct(name, all.length * 20, (n) =>
      request(`&pagesize=${from + Math.floor(n / all.length)}&parameters[tickers]=${tickerAt(n)}${more}`),
    );
  const longestDays = 60;
  return {
    request,
    latest: same(request("")),
    ticker: oneTicker("one ticker", 41, ""),
    /** Like `ticker`, but with different requests. */
    otherTicker: oneTicker("one ticker, others", 61, ""),
    days: distinct("days", tradingDays.length * longestDays, (n) => {
      const first = tradingDays[n % tradingDays.length] as number;
      const last = first + Math.floor(n / tradingDays.length);
      return request(
        `&parameters[date_from]=${dayText(first)}&parameters[date_to]=${dayText(last)}&parameters[importance]=3`,
      );
    }),
    manyTickers: distinct("many tickers", 50_000, (_n, draw) => {
      const chosen = draw.some(all, 50).map(({ ticker }) => ticker);
      return request(`&parameters[tickers]=${chosen.join(",")}`);
    }),
    fields: oneTicker(
      "fields",
      41,
      "&simplify=true&fields=id,date,ticker,analyst,rating_current,rating_prior,pt_pct_change",
    ),
    /** Up to a thousand records, up to a day of the later half. */
    large: distinct("large", laterDays.length * 80, (n) => {
      const size = 1000 - Math.floor(n / laterDays.length);
      return request(`&pagesize=${size}&parameters[date_to]=${dayText(laterDays[n % laterDays.length] as number)}`);
    }),
    /** A page by number, sized so that this many records reach the deep page. */
    page: (number: number, importance?: number, records = sizes.ratings) => {
      // Slightly below the share of records with importance 3 or more.
      const share = importance === undefined ? 1 : 0.4;
      const size = Math.max(1, Math.floor((records * share) / (deepPage + 1)));
      const filter = importance === undefined ? "" : `&parameters[importance]=${importance}`;
      return same(request(`&pagesize=${size}&page=${number}${filter}`));
    },
  };
}
