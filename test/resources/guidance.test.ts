// Guidance as specified: the response, its fields, and each of its parameters.
import assert from "node:assert/strict";
import { calendarConventions } from "../support/records/calendar-conventions.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

const url = "/api/v2.1/calendar/guidance";

const texts = {
  currency: "USD",
  date: "2024-11-05",
  exchange: "NASDAQ",
  id: "672a2b1c9d8e7f6a5b4c3d2e",
  name: "Apple Inc.",
  notes: "Free text",
  ticker: "AAPL",
  eps_guidance_est: "1.50",
  eps_guidance_max: "1.60",
  eps_guidance_min: "1.45",
  eps_guidance_prior_max: "1.55",
  eps_guidance_prior_min: "1.4",
  eps_type: "Adj",
  is_primary: "true",
  period: "Q1",
  prelim: "false",
  revenue_guidance_est: "1500000000.000",
  revenue_guidance_max: "1600000000.000",
  revenue_guidance_min: "1450000000.000",
  revenue_guidance_prior_max: "1550000000.000",
  revenue_guidance_prior_min: "1400000000",
  revenue_type: "GAAP",
  time: "16:30:00",
};
const integers = {
  cusip: 307833103,
  importance: 3,
  period_year: 2025,
  updated: 1730817000,
};
const flags = {
  confirmed: true,
};
calendarConventions({ name: "guidance", url, texts, integers, flags, importance: "0 to 5", tickers: true });

readingEveryStore("guidance: specific parameters", (test) => {
  test("filter by parameters[is_primary]: Y, the default, primary; N secondary; All both", async (api) => {
    await api.has("guidance", [
      { id: "a", is_primary: "true" },
      { id: "b", is_primary: "false" },
    ]);
    assert.deepEqual(await api.ids(url), ["a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[is_primary]=Y`), ["a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[is_primary]=N`), ["b"]);
    assert.deepEqual(await api.ids(`${url}?parameters[is_primary]=All`), ["b", "a"]);
    await api.errors(`${url}?parameters[is_primary]=X`);
  });
});
