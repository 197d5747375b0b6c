// Earnings for benchmarks, in import format, oldest first. Deterministic for a count.
import { fixed, fractionText, revenueText } from "../../demo/amounts.ts";
import { calendarId } from "../../demo/companies/identifiers.ts";
import { dayText, newYorkSeconds, yearOf } from "../../demo/days.ts";
import type { DemoRecord } from "../../demo/demo.ts";
import { companies, drawCompany, root } from "./companies.ts";
import { dayAt } from "./span.ts";

export function* earningsRecords(count: number, tickers: number): Generator<DemoRecord> {
  const all = companies(tickers);
  for (let place = 0; place < count; place++) {
    const draw = root.at("earnings", place);
    const company = drawCompany(draw, all);
    const day = dayAt(place, count);
    const reported = newYorkSeconds(day, draw.int(6 * 3600, 17 * 3600));
    const eps = draw.int(-200, 900);
    const expected = eps - draw.int(1, 40);
    const revenue = draw.int(5000, 9_000_000);
    const revenueExpected = Math.round(revenue * draw.between(0.95, 1.05));
    yield {
      id: calendarId(reported, draw),
      date: dayText(day),
      time: draw.pick(["bmo", "amc", "amc", "dmh"]),
      ticker: company.ticker,
      name: company.name,
      exchange: company.exchange,
      currency: company.currency,
      cusip: company.cusip,
      isin: company.isin,
      importance: company.importance,
      period: draw.pick(["Q1", "Q2", "Q3", "Q4"]),
      period_year: yearOf(day),
      date_confirmed: 1,
      eps: fixed(eps, 2, 3),
      eps_est: fixed(expected, 2, 3),
      eps_prior: fixed(eps - draw.int(-50, 80), 2, 3),
      eps_surprise: fixed(eps - expected, 2, 4),
      eps_surprise_percent: expected === 0 ? "" : fractionText(eps - expected, expected),
      eps_type: draw.pick(["Adj", "Adj", "GAAP"]),
      revenue: revenueText(revenue),
      revenue_est: revenueText(revenueExpected),
      revenue_prior: revenueText(Math.round(revenue * draw.between(0.8, 1.1))),
      revenue_surprise: fixed((revenue - revenueExpected) * 1000, 0, 4),
      revenue_surprise_percent: fractionText(revenue - revenueExpected, revenueExpected),
      revenue_type: "GAAP",
      notes: "Synthetic benchmark data",
      updated: reported + draw.int(15, 9000),
    };
  }
}
