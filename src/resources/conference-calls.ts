// Conference calls: dates and dial-in details.
import { clock, text } from "../core/catalog/scalar-fields.ts";
import { calendar, calendarIndexes, commonFields } from "./calendar.ts";

export const conferenceCalls = calendar({
  name: "conference-calls",
  recordName: "conference call",
  title: "Conference calls",
  doc: "Company conference calls, past and scheduled, newest first. There is no importance filter.",
  path: "/api/v2.1/calendar/conference-calls",
  display: {
    ...{ label: "Calls", brief: "Calls", unit: ["call", "calls"], key: "l", rank: 6 },
    ahead: true,
    columns: [
      ...["ticker", "date", "start_time", "name", "period", "phone_num", "international_num"],
      ...["access_code", "webcast_url", "importance"],
    ],
    optional: ["importance", "international_num", "access_code"],
    labels: {
      ...{ start_time: "Start", phone_num: "Phone", international_num: "International" },
      ...{ access_code: "Access code", webcast_url: "Webcast" },
    },
    filters: ["tickers", "date_from", "date_to"],
    text: "{ticker} {period} {period_year}",
    event: "{ticker}",
    card: {
      ...{ title: ["ticker", "name"], when: ["date", "start_time"] },
      ...{ about: ["period"], values: ["phone_num", "webcast_url"] },
    },
    day: {
      ...{ title: "Calls", column: 1, field: "date", none: "No calls.", order: "time" },
      columns: ["start_time", "ticker", "name", "period", "webcast_url"],
    },
  },
  event: {
    on: [{ day: "date", summary: ["{ticker}", " conference call", " {period}", " {period_year}"] }],
    time: ["start_time", "time"],
    minutes: 60,
    details: {
      ...{ name: "Company", phone_num: "Phone", international_num: "International", access_code: "Access code" },
      ...{ reservation_num: "Reservation", webcast_url: "Webcast", notes: "Notes" },
    },
    url: "webcast_url",
    revised: "updated",
    color: "teal",
  },
  byImportance: false,
  otherKeys: ["conference"],
  fields: {
    ...commonFields(
      "confirmed",
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
      "time",
      "updated",
    ),
    access_code: text("Access code of the call", { example: "555123" }),
    international_num: text("Phone number from abroad", { example: "+1 212-555-0142" }),
    phone_num: text("Phone number", { example: "800-555-0142" }),
    reservation_num: text("Reservation number", { example: "13741" }),
    start_time: clock("Clock time at which the call starts, New York", { example: "17:00:00" }),
    webcast_url: text("URL of the webcast", { example: "https://example.com/webcast" }),
  },
  indexes: calendarIndexes(),
  countedBy: [],
});
