// Ratings records, one for each opinion of a firm on a company.
import { fixed } from "../amounts.ts";
import type { Opinion } from "../companies/coverage.ts";
import { type Analyst, accuracyOf, targetText } from "../companies/firms.ts";
import { calendarId } from "../companies/identifiers.ts";
import { clockText, dayText, newYorkSeconds, yearOf } from "../days.ts";
import { type DemoRecord, type LazyRecord, lastKnown, syntheticNote, type World } from "../world.ts";

const site = "https://news.example.com/demo";

function ratingId(opinion: Opinion): string {
  return calendarId(newYorkSeconds(opinion.day, opinion.clock), opinion.draw);
}

/** Whether the opinion became a news item: a change of mind nearly always does. */
export function isNews(opinion: Opinion): boolean {
  const change = ["Upgrades", "Downgrades", "Initiates Coverage On"].includes(opinion.action);
  return opinion.draw.at("news").chance(change ? 0.75 : 0.26);
}

/** The URL of its news item. */
export function newsAddress(opinion: Opinion): string {
  return `${site}/ratings/${opinion.company.ticker.toLowerCase()}/${ratingId(opinion)}`;
}

export function* ratingsRecords(world: World): Generator<LazyRecord> {
  // An analyst's accuracy is the same in all ratings of a year: created once and shared.
  const accuracies = new Map<string, Accuracy>();
  const accuracyIn = (analyst: Analyst, year: number): Accuracy => {
    const measured = `${analyst.id} ${year}`;
    if (!accuracies.has(measured)) accuracies.set(measured, accuracyOf(analyst, year));
    return accuracies.get(measured);
  };
  for (const opinion of world.opinions()) {
    const publishedAt = newYorkSeconds(opinion.day, opinion.clock);
    if (publishedAt > world.now) continue;
    yield () => ratingRecord(opinion, publishedAt, accuracyIn(opinion.analyst, yearOf(opinion.day)), world.now);
  }
}

type Accuracy = ReturnType<typeof accuracyOf>;

function ratingRecord(opinion: Opinion, publishedAt: number, accuracy: Accuracy, now: number): DemoRecord {
  const { analyst, company, firm, draw } = opinion;
  const written = draw.at("written");
  const noted = publishedAt + written.int(0, 90);
  const id = ratingId(opinion);
  const adjusted = (cents: number | undefined) => (cents === undefined ? "" : fixed(cents, 2, 2));
  return {
    id,
    date: dayText(opinion.day),
    time: clockText(opinion.clock),
    ticker: company.ticker,
    name: company.name,
    exchange: company.exchange,
    currency: company.currency,
    cusip: company.cusip,
    isin: company.isin,
    importance: company.importance,
    action_company: opinion.action,
    action_pt: opinion.targetAction,
    rating_current: opinion.rating,
    rating_prior: opinion.ratingBefore,
    pt_current: targetText(opinion.target, firm.places),
    pt_prior: targetText(opinion.targetBefore, firm.places),
    adjusted_pt_current: adjusted(opinion.target),
    adjusted_pt_prior: adjusted(opinion.targetBefore),
    analyst: firm.name,
    analyst_id: analyst.id,
    analyst_name: analyst.name,
    firm_id: firm.id,
    url: `${site}/ratings/${company.ticker.toLowerCase()}`,
    url_calendar: `${site}/calendar/ratings/${id}`,
    url_news: isNews(opinion) ? newsAddress(opinion) : "",
    notes: syntheticNote,
    updated: lastKnown(now, publishedAt, noted, written.chance(1 / 15) ? noted + written.int(300, 14_400) : noted),
    ...(accuracy ? { ratings_accuracy: accuracy } : {}),
  };
}
