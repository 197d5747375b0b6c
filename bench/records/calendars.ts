// Dividends, guidance, economic events, and conference calls in import format, oldest first, deterministic for a count.
// Used by the test that bounds every query, not by the benchmark.
import { fixed, revenueText } from "../../demo/amounts.ts";
import { calendarId } from "../../demo/companies/identifiers.ts";
import { clockText, dayText, newYorkSeconds, yearOf } from "../../demo/days.ts";
import type { DemoRecord } from "../../demo/demo.ts";
import type { Draw } from "../../demo/draw.ts";
import { companies, drawCompany, root } from "./companies.ts";
import { dayAt } from "./span.ts";

export const dividendRecords = (count: number, tickers: number): Generator<DemoRecord> =>
  records("dividends", count, (draw, day) => ({
    ...companyFields(draw, tickers),
    dividend: fixed(draw.int(1, 300), 2, 4),
    dividend_prior: fixed(draw.int(1, 300), 2, 4),
    dividend_type: "Cash",
    // One in ten has no yield.
    dividend_yield: draw.chance(0.1) ? "" : fixed(draw.int(1, 900), 4, 4),
    ex_dividend_date: dayText(day + draw.int(5, 40)),
    payable_date: draw.chance(0.9) ? dayText(day + draw.int(45, 80)) : "",
    record_date: dayText(day + draw.int(6, 41)),
    frequency: draw.pick([1, 4, 4, 12]),
    year: yearOf(day),
  }));

export const guidanceRecords = (count: number, tickers: number): Generator<DemoRecord> =>
  records("guidance", count, (draw, day, time) => ({
    ...companyFields(draw, tickers),
    time,
    period: draw.pick(["Q1", "Q2", "Q3", "Q4", "FY"]),
    period_year: yearOf(day),
    eps_guidance_min: fixed(draw.int(1, 400), 2, 2),
    eps_guidance_max: fixed(draw.int(400, 800), 2, 2),
    revenue_guidance_est: revenueText(draw.int(5000, 9_000_000)),
    is_primary: draw.chance(0.85) ? "Y" : "N",
  }));

/** Weighted: most events are American, some countries have one in a thousand. */
const countries = ["USA", "USA", "USA", "USA", "EMU", "EMU", "GBR", "JPN", "CAN", "DEU"];
const smallCountries = ["ISL", "NZL", "URY"];
const categories = ["Inflation", "Labor", "Central Banks", "Growth", "Housing", "Trade", "Sentiment"];

export const economicsRecords = (count: number): Generator<DemoRecord> =>
  records("economics", count, (draw, day, time) => ({
    time,
    country_code: draw.chance(0.003) ? draw.pick(smallCountries) : draw.pick(countries),
    event_category: draw.chance(0.002) ? "Weather" : draw.pick(categories),
    event_name: "CPI YoY",
    actual: fixed(draw.int(-500, 900), 2, 2),
    consensus: fixed(draw.int(-500, 900), 2, 2),
    importance: draw.pick([1, 1, 1, 2, 2, 3]),
    period_year: yearOf(day),
  }));

export const conferenceCallRecords = (count: number, tickers: number): Generator<DemoRecord> =>
  records("conference-calls", count, (draw, day, time) => ({
    ...companyFields(draw, tickers),
    time,
    start_time: time,
    period: draw.pick(["Q1", "Q2", "Q3", "Q4"]),
    period_year: yearOf(day),
    webcast_url: "https://example.com/webcast",
  }));

function* records(
  name: string,
  count: number,
  fieldsOf: (draw: Draw, day: number, time: string) => DemoRecord,
): Generator<DemoRecord> {
  for (let place = 0; place < count; place++) {
    const draw = root.at(name, place);
    const day = dayAt(place, count);
    const clock = draw.int(4 * 3600, 20 * 3600);
    const second = newYorkSeconds(day, clock);
    const fields = fieldsOf(draw, day, clockText(clock));
    yield { id: calendarId(second, draw), date: dayText(day), ...fields, updated: second + draw.int(15, 9000) };
  }
}

function companyFields(draw: Draw, tickers: number): DemoRecord {
  const { ticker, name, exchange, cusip, importance } = drawCompany(draw, companies(tickers));
  return { ticker, name, exchange, cusip, importance };
}
