// Earnings: what companies earned and what was expected, by the day of the report.

import { toWord } from "../core/catalog/coercions.ts";
import { choice } from "../core/catalog/common-rules.ts";
import { p } from "../core/catalog/parameter.ts";
import { decimal, integer, label, text } from "../core/catalog/scalar-fields.ts";
import { newestFirst, oldestFirst } from "../core/query/plan.ts";
import { calendar, calendarIndexes, commonFields } from "./calendar.ts";

const newest = { order: newestFirst("date", "time", "id") };
const oldest = { order: oldestFirst("date", "time", "id") };

/** Values of `date_sort`. */
export const earningsSorts = { "date:desc": newest, "date:asc": oldest, date: newest };

export const earnings = calendar({
  name: "earnings",
  recordName: "earnings report",
  title: "Earnings",
  doc: "Earnings reports, past and scheduled, newest first.",
  path: "/api/v2.1/calendar/earnings",
  display: {
    ...{ label: "Earnings", brief: "Earn", unit: ["earnings report", "earnings reports"], key: "e", rank: 2 },
    ahead: true,
    columns: [
      ...["ticker", "date", "time", "name", "period", "eps", "eps_est", "eps_surprise_percent", "eps_prior"],
      ...["revenue", "revenue_est", "revenue_surprise_percent", "importance"],
    ],
    optional: ["importance", "eps_prior", "revenue_surprise_percent", "eps_surprise_percent", "name"],
    labels: { eps_surprise_percent: "Surprise", eps_prior: "Year ago", revenue_surprise_percent: "Rev. surprise" },
    filters: ["tickers", "date_from", "date_to", "importance"],
    text: "{ticker} {period} {period_year}",
    history: {
      ...{ title: "Past quarters", filters: { tickers: "ticker" }, until: "date_to" },
      ...{ same: [], period: ["period", "period_year"] },
      figures: [
        { label: "EPS", value: "eps", expected: "eps_est", surprise: "eps_surprise_percent" },
        { label: "Revenue", value: "revenue", expected: "revenue_est", surprise: "revenue_surprise_percent" },
      ],
    },
    event: "{ticker}",
    card: {
      ...{ title: ["ticker", "name"], when: ["date", "time"] },
      ...{ about: ["period", "importance"], values: ["eps", "eps_est", "revenue", "revenue_est"] },
    },
    day: {
      ...{ title: "Earnings", column: 1, field: "date", none: "No earnings reports.", groups: "session" },
      columns: ["ticker", "eps", "eps_est", "eps_surprise_percent", "revenue", "revenue_est"],
    },
  },
  event: {
    on: [{ day: "date", summary: ["{ticker}", " earnings", " {period}", " {period_year}"] }],
    time: ["time"],
    sessions: { bmo: "before market open", amc: "after market close", dmh: "during market hours" },
    details: {
      ...{ name: "Company", eps: "EPS", eps_est: "EPS estimate", eps_prior: "EPS a year ago" },
      ...{ revenue: "Revenue", revenue_est: "Revenue estimate", revenue_prior: "Revenue a year ago", notes: "Notes" },
    },
    confirmed: "date_confirmed",
    revised: "updated",
    color: "royalblue",
  },
  fields: {
    ...commonFields(
      "currency",
      "cusip",
      "date",
      "exchange",
      "id",
      "importance",
      "isin",
      "name",
      "notes",
      "period",
      "period_year",
      "ticker",
      "updated",
    ),
    date_confirmed: integer("1 if the day is confirmed, otherwise 0", { example: 1 }),
    eps: decimal("Earnings per share", { example: "1.990" }),
    eps_est: decimal("Estimated earnings per share", { example: "1.850" }),
    eps_prior: decimal("Earnings per share in the same period of the previous year", { example: "1.700" }),
    eps_surprise: decimal("Earnings per share minus the estimate", { example: "0.1400" }),
    eps_surprise_percent: decimal("The surprise as a fraction of the estimate", { example: "0.0757" }),
    eps_type: text("Basis of earnings per share: Adj, GAAP, or FFO", { example: "Adj" }),
    revenue: decimal("Revenue", { example: "102466000000.000" }),
    revenue_est: decimal("Estimated revenue", { example: "101500000000.000" }),
    revenue_prior: decimal("Revenue in the same period of the previous year", { example: "94900000000.000" }),
    revenue_surprise: decimal("Revenue minus the estimate", { example: "966000000.0000" }),
    revenue_surprise_percent: decimal("The surprise as a fraction of the estimate", { example: "0.0095" }),
    revenue_type: text("Basis of revenue: Adj or GAAP", { example: "GAAP" }),
    // The one calendar whose time is not always a clock time.
    time: label(
      "Session code (bmo before the open, dmh during market hours, amc after the close) or a clock time",
      { example: "amc", coerce: toWord({ a: "amc", b: "bmo", d: "dmh" }) },
      32,
    ),
  },
  rules: [choice(p("date_sort"), "Sort by date; date alone is date:desc", earningsSorts)],
  indexes: calendarIndexes("importance"),
  countedBy: ["importance"],
});
