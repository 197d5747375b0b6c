// Conference calls: when, and how to listen.
import { clockText } from "../../../format/day.ts";
import { Outside, TickerLink, textOf } from "../../../parts/table/column.tsx";
import { type Meaning, shared } from "../meaning.tsx";

export const conferenceCalls: Meaning = {
  columns: [
    "ticker",
    "date",
    "start_time",
    "name",
    "period",
    "phone_num",
    "international_num",
    "access_code",
    "webcast_url",
    "importance",
  ],
  own: {
    ...shared,
    ticker: { show: ({ ticker }) => <TickerLink symbol={ticker} /> },
    start_time: { label: "Starts", show: ({ start_time, time }) => clockText(textOf(start_time) || textOf(time)) },
    period: { label: "Period", show: ({ period, period_year }) => `${textOf(period)} ${textOf(period_year)}` },
    phone_num: { label: "Phone" },
    international_num: { label: "From abroad" },
    access_code: { label: "Code" },
    webcast_url: {
      label: "Webcast",
      show: ({ webcast_url }) => (webcast_url ? <Outside href={textOf(webcast_url)}>listen</Outside> : ""),
    },
  },
  filters: ["tickers", "date_from", "date_to"],
  nameOf: ({ ticker, period, period_year }) => `${textOf(ticker)} ${textOf(period)} ${textOf(period_year)}`,
};
