// News for benchmarks, in import format, oldest first, with words of known frequency. Deterministic for a count.

import { personName } from "../../demo/companies/firms.ts";
import { newYorkSeconds } from "../../demo/days.ts";
import type { DemoRecord } from "../../demo/demo.ts";
import type { Draw } from "../../demo/draw.ts";
import { channel } from "../../demo/news/channels.ts";
import { type BenchCompany, companies, drawCompany, root } from "./companies.ts";
import { dayAt, partOfDayAt } from "./span.ts";
import { drawWord, vocabulary } from "./vocabulary.ts";

const site = "https://news.example.com/bench";
const channels = ["News", "Markets", "Earnings", "Analyst Ratings", "Movers", "Tech", "M&A", "Biotech", "Guidance"];
const authors = Array.from({ length: 40 }, (_, place) => personName(root.at("author", place)));
const tags = vocabulary.middle.words.slice(0, 300);

export function* newsRecords(count: number, tickers: number): Generator<DemoRecord> {
  const all = companies(tickers);
  for (let place = 0; place < count; place++) {
    const draw = root.at("news", place);
    // IDs increase with time, as in reality: the items of a day are spread from 4 a.m. to 8 p.m.
    const clock = Math.floor((4 + 16 * partOfDayAt(place, count)) * 3600);
    const created = newYorkSeconds(dayAt(place, count), clock);
    yield newsRecord(draw, 10_000_000 + place * 8 + draw.int(0, 7), created, all);
  }
}

export function newsRecord(draw: Draw, id: number, created: number, all: readonly BenchCompany[]): DemoRecord {
  const hasBody = draw.chance(1 / 3);
  const title = sentence(draw, draw.int(8, 12));
  const stocks = stocksOf(draw, all);
  return {
    id,
    author: draw.pick(authors),
    created,
    updated: draw.chance(1 / 15) ? created + draw.int(120, 20_000) : created + draw.pick([0, 0, 12, 40]),
    title,
    teaser: hasBody ? `<p>${sentence(draw, 25)}.</p>` : "",
    body: hasBody ? bodyOf(draw) : "",
    url: `${site}/${id}/${title.toLowerCase().replaceAll(" ", "-")}`,
    image: hasBody
      ? ["thumb", "small", "large"].map((size) => ({ size, url: `${site}/images/${id}-${size}.png` }))
      : [],
    channels: draw.some(channels, draw.int(1, 5)).map(channel),
    stocks,
    tags: draw.chance(0.4) ? draw.some(tags, draw.int(1, 4)).map((name) => ({ name })) : [],
    content_type: hasBody ? "story" : "headline",
    importance: draw.pick(["low", "low", "medium", "high"]),
    regions: ["USA"],
  };
}

/** 1.8 on average; the first is usually primary. */
function stocksOf(draw: Draw, all: readonly BenchCompany[]): Record<string, unknown>[] {
  const chosen = new Set(
    Array.from({ length: draw.pick([0, 1, 1, 1, 1, 2, 2, 2, 3, 5]) }, () => drawCompany(draw, all)),
  );
  return [...chosen].map(({ ticker, exchange, isin, cusip }, place) => ({
    name: ticker,
    exchange,
    isin,
    cusip,
    primary: place === 0,
  }));
}

function sentence(draw: Draw, length: number): string {
  const words = Array.from({ length }, () => drawWord(draw));
  return words.join(" ");
}

/** 2 to 4 kB of HTML. */
function bodyOf(draw: Draw): string {
  let body = "";
  for (const length = draw.int(2000, 4000); body.length < length; ) {
    body += `<p>${sentence(draw, draw.int(30, 70))}. It&#39;s <strong>${drawWord(draw)}</strong>&nbsp;&amp; ${drawWord(draw)}.</p>\n`;
  }
  return body;
}
