// Earnings as specified: the response, its fields, and each of its parameters.
import assert from "node:assert/strict";
import { calendarConventions } from "../support/records/calendar-conventions.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

const url = "/api/v2.1/calendar/earnings";

const texts = {
  currency: "USD",
  date: "2024-11-05",
  exchange: "NASDAQ",
  id: "672a2b1c9d8e7f6a5b4c3d2e",
  isin: "US0378331005",
  name: "Apple Inc.",
  notes: "Free text",
  ticker: "AAPL",
  eps: "1.990",
  eps_est: "1.850",
  eps_prior: "1.700",
  eps_surprise: "0.1400",
  eps_surprise_percent: "0.0757",
  eps_type: "Adj",
  period: "Q3",
  revenue: "102466000000.000",
  revenue_est: "101500000000.000",
  revenue_prior: "94900000000.000",
  revenue_surprise: "966000000.0000",
  revenue_surprise_percent: "0.0095",
  revenue_type: "GAAP",
  time: "amc",
};
const integers = {
  cusip: 307833103,
  date_confirmed: 1,
  importance: 5,
  period_year: 2024,
  updated: 1730817000,
};
calendarConventions({ name: "earnings", url, texts, integers, importance: "0 to 5", tickers: true });

readingEveryStore("earnings: specific parameters", (test) => {
  test("sort by date with parameters[date_sort]=date, with :desc or :asc for the direction", async (api) => {
    await api.has(
      "earnings",
      ["2024-01-02", "2024-01-01", "2024-01-03"].map((date) => ({ id: date, date })),
    );
    const newest = ["2024-01-03", "2024-01-02", "2024-01-01"];
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date:desc`), newest);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date:asc`), newest.toReversed());
    await api.errors(`${url}?parameters[date_sort]=updated:asc`);
    await api.errors(`${url}?parameters[date_sort]=date:up`);
  });

  test("return time as a short session code", async (api) => {
    await api.has(
      "earnings",
      ["bmo", "amc", "dmh"].map((time) => ({ id: time, time })),
    );
    for (const { id, time } of (await api.get(url)).earnings) assert.equal(time, id);
  });
});
