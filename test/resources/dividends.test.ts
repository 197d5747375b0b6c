// Dividends as specified: the response, its fields, and each of its parameters.
import assert from "node:assert/strict";
import { calendarConventions } from "../support/records/calendar-conventions.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

const url = "/api/v2.2/calendar/dividends";

const texts = {
  currency: "USD",
  date: "2024-11-05",
  exchange: "NASDAQ",
  id: "672a2b1c9d8e7f6a5b4c3d2e",
  isin: "US0378331005",
  name: "Apple Inc.",
  notes: "Free text",
  ticker: "AAPL",
  dividend: "0.2500",
  dividend_prior: "0.24",
  dividend_type: "Cash",
  dividend_yield: "0.0051",
  ex_dividend_date: "2024-11-08",
  payable_date: "2024-11-14",
  period: "Q4",
  record_date: "2024-11-11",
};
const integers = {
  cusip: 307833103,
  frequency: 4,
  importance: 3,
  updated: 1730817000,
  year: 2024,
};
const flags = {
  confirmed: true,
  end_regular_dividend: true,
};
calendarConventions({ name: "dividends", url, texts, integers, flags, importance: "0 to 5", tickers: true });

readingEveryStore("dividends: specific parameters", (test) => {
  test("sort by the announced, ex, payable, or record date with parameters[date_sort], newest to oldest", async (api) => {
    await api.has("dividends", [
      {
        id: "a",
        date: "2024-01-01",
        ex_dividend_date: "2024-02-02",
        payable_date: "2024-03-03",
        record_date: "2024-02-13",
      },
      {
        id: "b",
        date: "2024-01-02",
        ex_dividend_date: "2024-02-03",
        payable_date: "2024-03-01",
        record_date: "2024-02-12",
      },
      {
        id: "c",
        date: "2024-01-03",
        ex_dividend_date: "2024-02-01",
        payable_date: "2024-03-02",
        record_date: "2024-02-11",
      },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=announced`), ["c", "b", "a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=ex`), ["b", "a", "c"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=payable`), ["a", "c", "b"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=record`), ["a", "b", "c"]);
    await api.errors(`${url}?parameters[date_sort]=declared`);
  });

  test("compare parameters[dividend_yield] for equality unless parameters[dividend_yield_operation] is gt, gte, eq, lte, or lt", async (api) => {
    await api.has(
      "dividends",
      ["0.01", "0.02", "0.03"].map((text) => ({ id: text, dividend_yield: text })),
    );
    const idsWhere = (operation: string) =>
      api.ids(`${url}?parameters[dividend_yield]=0.02&parameters[dividend_yield_operation]=${operation}`);
    assert.deepEqual(await api.ids(`${url}?parameters[dividend_yield]=0.02`), ["0.02"]);
    assert.deepEqual(await idsWhere("gt"), ["0.03"]);
    assert.deepEqual(await idsWhere("gte"), ["0.03", "0.02"]);
    assert.deepEqual(await idsWhere("eq"), ["0.02"]);
    assert.deepEqual(await idsWhere("lte"), ["0.02", "0.01"]);
    assert.deepEqual(await idsWhere("lt"), ["0.01"]);
  });
});
