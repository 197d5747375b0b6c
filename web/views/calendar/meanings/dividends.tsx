// Dividends: how much, how it compares, and the four days that matter.
import { decimal, percent, toneOf } from "../../../format/number.ts";
import { frequencyText } from "../../../format/words.ts";
import { TickerLink, textOf } from "../../../parts/table/column.tsx";
import { dayInSight, type Meaning, shared } from "../meaning.tsx";

export const dividends: Meaning = {
  columns: [
    "ticker",
    "date",
    "name",
    "dividend",
    "dividend_prior",
    "dividend_yield",
    "dividend_type",
    "frequency",
    "ex_dividend_date",
    "record_date",
    "payable_date",
    "importance",
  ],
  own: {
    ...shared,
    ticker: { show: ({ ticker }) => <TickerLink symbol={ticker} /> },
    date: { label: "Announced", show: ({ date }) => dayInSight(textOf(date)) },
    dividend: {
      label: "Amount",
      arrow: true,
      show: ({ dividend }) => decimal(dividend),
      tone: ({ dividend, dividend_prior }) => toneOf(dividend, dividend_prior),
    },
    dividend_prior: { label: "Before" },
    dividend_yield: { label: "Yield", show: ({ dividend_yield }) => percent(dividend_yield) },
    dividend_type: { label: "Kind" },
    frequency: {
      label: "Paid",
      align: "start",
      show: ({ frequency }) => frequencyText(frequency),
    },
    ex_dividend_date: { label: "Ex", show: ({ ex_dividend_date }) => dayInSight(textOf(ex_dividend_date)) },
    record_date: { label: "Record", show: ({ record_date }) => dayInSight(textOf(record_date)) },
    payable_date: { label: "Payable", show: ({ payable_date }) => dayInSight(textOf(payable_date)) },
  },
  filters: ["tickers", "date_from", "date_to", "date_sort", "dividend_yield_operation", "dividend_yield"],
  sorts: { announced: "date", ex: "ex_dividend_date", payable: "payable_date", record: "record_date" },
  nameOf: ({ ticker, period, year }) => `${textOf(ticker)} ${textOf(period)} ${textOf(year)}`,
};
