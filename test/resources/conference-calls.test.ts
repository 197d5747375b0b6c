// Conference calls as specified: the response, its fields, and each of its parameters.
import assert from "node:assert/strict";
import { calendarConventions } from "../support/records/calendar-conventions.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

const url = "/api/v2.1/calendar/conference-calls";

const texts = {
  date: "2024-11-05",
  exchange: "NASDAQ",
  id: "672a2b1c9d8e7f6a5b4c3d2e",
  isin: "US0378331005",
  name: "Apple Inc.",
  notes: "Free text",
  ticker: "AAPL",
  access_code: "555123",
  international_num: "+1 212-555-0142",
  period: "Q3",
  phone_num: "800-555-0142",
  reservation_num: "13741",
  start_time: "17:00:00",
  time: "16:30:00",
  webcast_url: "https://example.com/webcast",
};
const integers = {
  cusip: 307833103,
  importance: 3,
  period_year: 2024,
  updated: 1730817000,
};
const flags = {
  confirmed: true,
};
calendarConventions({ name: "conference-calls", url, texts, integers, flags, tickers: true });

readingEveryStore("conference-calls: specific parameters", (test) => {
  test("have no importance filter", async (api) => {
    await api.has(
      "conference-calls",
      [0, 5].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=5`), ["i5", "i0"]);
  });
});
