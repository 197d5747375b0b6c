// Dividends, by day of announcement.

import { choice, days } from "../core/catalog/common-rules.ts";
import { decimalParameter, enumParameter, p } from "../core/catalog/parameter.ts";
import { rule } from "../core/catalog/rule.ts";
import { day, decimal, flag, integer, text } from "../core/catalog/scalar-fields.ts";
import { newestFirst } from "../core/query/plan.ts";
import { sortable } from "../core/value/decimal.ts";
import { calendar, commonFields, within } from "./calendar.ts";

const exDay = "ex_dividend_date";
const yieldParameter = p("dividend_yield");

/** Values of `date_sort`. */
export const dividendSorts = {
  announced: { order: newestFirst("date", "id") },
  ex: { order: newestFirst("ex_dividend_date", "date", "id") },
  payable: { order: newestFirst("payable_date", "date", "id") },
  record: { order: newestFirst("record_date", "date", "id") },
};

export const dividends = calendar({
  name: "dividends",
  recordName: "dividend",
  title: "Dividends",
  doc: "Dividends by the day they were announced, newest first.",
  path: "/api/v2.2/calendar/dividends",
  display: {
    ...{ label: "Dividends", brief: "Div", unit: ["dividend announced", "dividends announced"], key: "d", rank: 5 },
    ahead: true,
    columns: [
      ...["ticker", "date", "name", "dividend", "dividend_prior", "dividend_yield", "dividend_type", "frequency"],
      ...["ex_dividend_date", "record_date", "payable_date", "importance"],
    ],
    optional: ["importance", "dividend_type", "date", "record_date", "frequency"],
    labels: {
      ...{ date: "Announced", dividend: "Amount", dividend_prior: "Prior", dividend_yield: "Yield" },
      ...{ dividend_type: "Type", frequency: "Frequency" },
      ...{ ex_dividend_date: "Ex-date", record_date: "Record date", payable_date: "Payable" },
    },
    filters: [
      ...["tickers", "ex_dividend_date_from", "ex_dividend_date_to"],
      ...["dividend_yield_operation", "dividend_yield"],
    ],
    sorts: { announced: "date", ex: "ex_dividend_date", payable: "payable_date", record: "record_date" },
    text: "{ticker} {period} {year}",
    event: "{ticker} {dividend}",
    card: {
      ...{ title: ["ticker", "name"], when: ["ex_dividend_date"] },
      ...{ about: ["frequency", "dividend_type"], values: ["dividend", "dividend_yield", "payable_date"] },
    },
    day: {
      ...{ title: "Ex-dividend", column: 1, field: "ex_dividend_date", none: "No ex-dividend dates." },
      columns: ["ticker", "name", "dividend", "dividend_yield", "payable_date"],
    },
  },
  event: {
    on: [
      { day: "ex_dividend_date", summary: ["{ticker}", " ex-dividend", ": {dividend} {currency?}"] },
      { day: "date", summary: ["{ticker}", " dividend announced", ": {dividend} {currency?}"] },
    ],
    details: {
      ...{ name: "Company", dividend: "Amount", dividend_prior: "Prior", dividend_type: "Type", date: "Announced" },
      ...{ ex_dividend_date: "Ex-date", record_date: "Record date", payable_date: "Payable", notes: "Notes" },
    },
    revised: "updated",
    color: "seagreen",
  },
  fields: {
    ...commonFields(
      "confirmed",
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
      "ticker",
      "updated",
    ),
    dividend: decimal("Amount of this payment", { example: "0.2500" }),
    dividend_prior: decimal("Amount of the previous payment", { example: "0.2400" }),
    dividend_type: text("Kind of payment, such as Cash", { example: "Cash" }),
    dividend_yield: decimal("Yield; 1 means 100 percent", { example: "0.0051" }),
    end_regular_dividend: flag("Whether regular payments end with this one", { example: false }),
    ex_dividend_date: day("First day on which shares trade without the dividend"),
    frequency: integer("Payments per year", { example: 4 }),
    payable_date: day("Payment date"),
    record_date: day("Record date: shareholders of record on this day receive the dividend"),
    year: integer("Year of the dividend", { example: 2024 }),
  },
  rules: [
    choice(
      p("date_sort"),
      "Dividend date to sort by, newest first; records without it come last. Date filters still apply to date",
      dividendSorts,
    ),
    // An extension: the first day without the right to the dividend.
    days({ on: p(exDay), from: p(`${exDay}_from`), to: p(`${exDay}_to`) }, "ex-dividend date", (range) =>
      range.from !== undefined && range.from === range.to
        ? { where: [{ op: "eq", column: exDay, value: range.from }] }
        : within(exDay)(range),
    ),
    rule(
      {
        bound: decimalParameter(
          yieldParameter,
          "Yield to compare with; 1 means 100 percent. A record without a yield never matches",
        ),
        how: enumParameter(p("dividend_yield_operation"), "How the yield is compared; default eq", [
          "gt",
          "gte",
          "eq",
          "lte",
          "lt",
        ]),
      },
      ({ bound, how }) => {
        if (bound !== undefined)
          return { where: [{ op: how ?? "eq", column: "dividend_yield", value: sortable(bound) }] };
        return {};
      },
      (present) =>
        present.has("how") && !present.has("bound")
          ? [{ parameter: "how", expected: `to be used with ${yieldParameter}` }]
          : [],
    ),
  ],
  indexes: [
    ["date", "id", "importance", "dividend_yield"],
    ["ticker", "date", "id", "importance", "dividend_yield"],
    ["updated", "id", "importance"],
    ["ex_dividend_date", "date", "id", "importance"],
    ["payable_date", "date", "id", "importance"],
    ["record_date", "date", "id", "importance"],
    ["dividend_yield", "date", "id", "importance"],
  ],
  countedBy: ["importance"],
});
