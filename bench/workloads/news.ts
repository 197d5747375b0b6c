// Requests for news: topics by how common their word is, and full pages.
import { dayText } from "../../demo/days.ts";
import type { BenchRequest } from "../driver/request.ts";
import type { BenchData } from "../records/database.ts";
import { tradingDays } from "../records/span.ts";
import { vocabulary, type WordClass } from "../records/vocabulary.ts";
import { distinct } from "./sequence.ts";

export function newsRequests({ token }: BenchData) {
  const request = (query: string, headers?: Record<string, string>): BenchRequest => ({
    path: `/api/v2/news?token=${token}${query}`,
    ...(headers === undefined ? {} : { headers }),
  });
  /** Words of a class, with page sizes around the default and, for small classes, further pages. */
  const topic = (kind: WordClass, pages: number, { least = 10, most = 29 } = {}) => {
    const { words } = vocabulary[kind];
    const sizes = most - least + 1;
    return distinct(`topic ${kind}`, words.length * sizes * pages, (n) => {
      const size = least + (Math.floor(n / words.length) % sizes);
      const page = Math.floor(n / (words.length * sizes));
      return request(`&topics=${words[n % words.length]}&pageSize=${size}${page === 0 ? "" : `&page=${page}`}`);
    });
  };
  /** A hundred items with bodies, up to a day; the oldest tenth is excluded, since it may lack five pages. */
  const full = (name: string, headers?: Record<string, string>) => {
    const days = tradingDays.slice(Math.floor(tradingDays.length / 10));
    return distinct(name, days.length * 5, (n) => {
      const day = dayText(days[n % days.length] as number);
      return request(`&displayOutput=full&pageSize=100&dateTo=${day}&page=${Math.floor(n / days.length)}`, headers);
    });
  };
  return {
    request,
    common: topic("common", 10),
    middle: topic("middle", 1),
    rare: topic("rare", 1),
    /** As many as exist in a tenth of the data, too. */
    fewRare: topic("rare", 1, { least: 3, most: 8 }),
    full: full("full"),
    xml: full("xml", { accept: "application/xml" }),
  };
}
