// Ratings for benchmarks, in import format, oldest first. Deterministic for a count.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fixed } from "../../demo/amounts.ts";
import { accuracyOf, targetText } from "../../demo/companies/firms.ts";
import { calendarId } from "../../demo/companies/identifiers.ts";
import { clockText, dayText, newYorkSeconds, yearOf } from "../../demo/days.ts";
import type { DemoRecord } from "../../demo/demo.ts";
import { type BenchCompany, companies, drawCompany, firms, root } from "./companies.ts";
import { dayAt } from "./span.ts";

/** Number of rated tickers; fewer for fewer records, so that each has more than a page. */
export const tickersFor = (ratings: number): number => Math.max(50, Math.min(8000, Math.floor(ratings / 125)));

const site = "https://news.example.com/bench";
const actions = ["Maintains", "Maintains", "Maintains", "Reiterates", "Reiterates", "Upgrades", "Downgrades"];
const targetActions = ["Raises", "Lowers", "Maintains"];

export function* ratingsRecords(count: number): Generator<DemoRecord> {
  const all = companies(tickersFor(count));
  const accuracies = new Map<string, Record<string, unknown> | undefined>();
  for (let place = 0; place < count; place++) {
    const draw = root.at("rating", place);
    yield ratingRecord(draw, dayAt(place, count), drawCompany(draw, all), accuracies);
  }
}

export function ratingRecord(
  draw: typeof root,
  day: number,
  company: BenchCompany,
  accuracies: Map<string, Record<string, unknown> | undefined>,
): DemoRecord {
  const firm = draw.pick(firms);
  const analyst = draw.pick(firm.analysts);
  const clock = draw.int(4 * 3600, 20 * 3600);
  const publishedAt = newYorkSeconds(day, clock);
  const id = calendarId(publishedAt, draw);
  const target = draw.int(500, 60_000);
  const before = Math.round(target * draw.between(0.8, 1.2));
  const rating = draw.pick(firm.words);
  const action = draw.pick(actions);
  // An analyst's accuracy is the same in all ratings of a year: created once and shared.
  const measured = `${analyst.id} ${yearOf(day)}`;
  if (!accuracies.has(measured)) accuracies.set(measured, accuracyOf(analyst, yearOf(day)));
  const accuracy = accuracies.get(measured);
  const noted = publishedAt + draw.int(0, 90);
  return {
    id,
    date: dayText(day),
    time: clockText(clock),
    ticker: company.ticker,
    name: company.name,
    exchange: company.exchange,
    currency: company.currency,
    cusip: company.cusip,
    isin: company.isin,
    importance: company.importance,
    action_company: action,
    action_pt: draw.pick(targetActions),
    rating_current: rating,
    rating_prior: action === "Upgrades" || action === "Downgrades" ? draw.pick(firm.words) : rating,
    pt_current: targetText(target, firm.places),
    pt_prior: targetText(before, firm.places),
    adjusted_pt_current: fixed(target, 2, 2),
    adjusted_pt_prior: fixed(before, 2, 2),
    analyst: firm.name,
    analyst_id: analyst.id,
    analyst_name: analyst.name,
    firm_id: firm.id,
    url: `${site}/ratings/${company.ticker.toLowerCase()}`,
    url_calendar: `${site}/calendar/ratings/${id}`,
    url_news: draw.chance(0.4) ? `${site}/ratings/${company.ticker.toLowerCase()}/${id}` : "",
    notes: "Synthetic benchmark data",
    updated: draw.chance(1 / 15) ? noted + draw.int(300, 14_400) : noted,
    ...(accuracy ? { ratings_accuracy: accuracy } : {}),
  };
}

export async function writeRatings(file: string, count: number): Promise<void> {
  function* lines() {
    for (const record of ratingsRecords(count)) yield `${JSON.stringify(record)}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}
