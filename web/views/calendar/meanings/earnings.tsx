// Earnings: what was earned against what was expected.
import { compact, decimal, signedPercent, toneOf } from "../../../format/number.ts";
import { TickerLink, textOf } from "../../../parts/table/column.tsx";
import { dayInSight, type Meaning, shared } from "../meaning.tsx";

export const earnings: Meaning = {
  columns: [
    "ticker",
    "date",
    "time",
    "name",
    "period",
    "eps",
    "eps_est",
    "eps_surprise_percent",
    "eps_prior",
    "revenue",
    "revenue_est",
    "revenue_surprise_percent",
    "importance",
  ],
  own: {
    ...shared,
    ticker: { show: ({ ticker }) => <TickerLink symbol={ticker} /> },
    date: {
      show: ({ date, date_confirmed }) => `${dayInSight(textOf(date))}${date_confirmed === 0 ? " ?" : ""}`,
      doc: "Day of the event; a question mark where it is not confirmed.",
    },
    period: { label: "Period", show: ({ period, period_year }) => `${textOf(period)} ${textOf(period_year)}` },
    eps: { arrow: true, show: ({ eps }) => decimal(eps), tone: ({ eps, eps_est }) => toneOf(eps, eps_est) },
    eps_surprise_percent: {
      label: "Surprise",
      show: ({ eps_surprise_percent }) => signedPercent(eps_surprise_percent, 1),
      tone: ({ eps_surprise_percent }) => toneOf(eps_surprise_percent, 0),
    },
    eps_prior: { label: "Year ago" },
    revenue: {
      arrow: true,
      show: ({ revenue }) => compact(revenue),
      tone: ({ revenue, revenue_est }) => toneOf(revenue, revenue_est),
    },
    revenue_est: { show: ({ revenue_est }) => compact(revenue_est) },
    revenue_prior: { show: ({ revenue_prior }) => compact(revenue_prior) },
    revenue_surprise: { show: ({ revenue_surprise }) => compact(revenue_surprise) },
    revenue_surprise_percent: {
      label: "Surprise",
      show: ({ revenue_surprise_percent }) => signedPercent(revenue_surprise_percent, 1),
      tone: ({ revenue_surprise_percent }) => toneOf(revenue_surprise_percent, 0),
    },
  },
  filters: ["tickers", "date_from", "date_to", "importance", "date_sort"],
  nameOf: ({ ticker, period, period_year }) => `${textOf(ticker)} ${textOf(period)} ${textOf(period_year)}`,
};
