// Economic events as specified: the response, its fields, and each of its parameters.
import assert from "node:assert/strict";
import { calendarConventions } from "../support/records/calendar-conventions.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

const url = "/api/v2.1/calendar/economics";

const texts = {
  actual: "3.2",
  actual_t: "3.2%",
  consensus: "3.1",
  consensus_t: "3.1%",
  country: "United States",
  date: "2024-11-05",
  description: "What it measures",
  event_category: "Inflation",
  event_name: "CPI YoY",
  event_period: "Oct",
  id: "672a2b1c9d8e7f6a5b4c3d2e",
  notes: "Free text",
  prior: "3.0",
  prior_t: "3%",
  time: "08:30:00",
};
const integers = {
  importance: 3,
  period_year: 2024,
  updated: 1730817000,
};
const flags = {
  confirmed: true,
};
calendarConventions({ name: "economics", url, texts, integers, flags });

readingEveryStore("economics: specific parameters", (test) => {
  test("allow only 1, 2, and 3 for parameters[importance]", async (api) => {
    await api.has(
      "economics",
      [1, 2, 3].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=1`), ["i3", "i2", "i1"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=2`), ["i3", "i2"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i3"]);
    await api.errors(`${url}?parameters[importance]=0`);
    await api.errors(`${url}?parameters[importance]=4`);
  });

  test("have no tickers filter", async (api) => {
    await api.has("economics", [{ id: "a" }]);
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL`), ["a"]);
  });

  test("include country, not bracketed, a three-letter uppercase code", async (api) => {
    await api.has("economics", [
      { id: "a", country: "United States" },
      { id: "b", country: "Japan" },
    ]);
    assert.deepEqual(await api.ids(`${url}?country=JPN`), ["b"]);
    assert.deepEqual(await api.ids(`${url}?parameters[country]=JPN`), ["b", "a"]);
  });

  test("include event_category, not bracketed, one or more categories", async (api) => {
    await api.has(
      "economics",
      ["Growth", "Inflation", "Trade"].map((name) => ({ id: name, event_category: name })),
    );
    assert.deepEqual(await api.ids(`${url}?event_category=Inflation`), ["Inflation"]);
    assert.deepEqual(await api.ids(`${url}?event_category=Inflation,Trade`), ["Trade", "Inflation"]);
    assert.equal((await api.ids(`${url}?parameters[event_category]=Trade`)).length, 3);
  });
});
