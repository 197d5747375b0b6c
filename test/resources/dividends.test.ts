// Dividends: what the interface says of this endpoint, its answer, its fields and each of its parameters.
import assert from "node:assert/strict";
import { onEveryStore } from "../support/every-store.ts";

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
const record = { ...texts, ...integers, ...flags };

onEveryStore("dividends: the answer", (test) => {
  test("is an object whose one key, dividends, holds the records", async (api) => {
    await api.has("dividends", [record]);
    const found = await api.get(url);
    assert.deepEqual(Object.keys(found), ["dividends"]);
    assert.equal(found.dividends.length, 1);
  });

  test("a record has every field of the interface, and comes back as it was given", async (api) => {
    await api.has("dividends", [record]);
    assert.deepEqual(await api.get(url), { dividends: [record] });
  });

  test("fields have the types of the interface", async (api) => {
    await api.has("dividends", [record]);
    const [found] = (await api.get(url)).dividends;
    for (const name of Object.keys(texts)) assert.equal(typeof found[name], "string", name);
    for (const name of Object.keys(integers)) assert.ok(Number.isInteger(found[name]), name);
    for (const name of Object.keys(flags)) assert.equal(typeof found[name], "boolean", name);
  });

  test("is JSON only, needs a token, and is addressed at its own version only", async (api) => {
    assert.equal((await api.answer(url, { accept: "application/json" })).status, 200);
    assert.equal((await api.answer(url, { accept: "application/xml" })).status, 406);
    assert.equal((await api.ask(url)).status, 401);
    assert.equal((await api.ask(`${url}?token=${api.token}`)).status, 200);
    for (const version of ["v2", "v2.1"]) {
      assert.equal((await api.answer(`/api/${version}/calendar/dividends`)).status, 404);
    }
  });
});

onEveryStore("dividends: parameters", (test) => {
  test("page from 0 to 100000, pagesize up to 1000", async (api) => {
    await api.has(
      "dividends",
      ["a", "b", "c"].map((id) => ({ id })),
    );
    assert.deepEqual(await api.ids(`${url}?pagesize=2`), ["c", "b"]);
    assert.deepEqual(await api.ids(`${url}?pagesize=2&page=1`), ["a"]);
    assert.deepEqual(await api.ids(`${url}?pagesize=1000&page=100000`), []);
    await api.mistakes(`${url}?pagesize=1001`);
    await api.mistakes(`${url}?page=100001`);
  });

  test("parameters[date] is date_from and date_to set to the same day; without a date the latest come first", async (api) => {
    await api.has(
      "dividends",
      ["2024-11-04", "2024-11-05", "2024-11-06"].map((date) => ({ id: date, date })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[date]=2024-11-05`), ["2024-11-05"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_from]=2024-11-05&parameters[date_to]=2024-11-05`), [
      "2024-11-05",
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_from]=2024-11-05`), ["2024-11-06", "2024-11-05"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_to]=2024-11-05`), ["2024-11-05", "2024-11-04"]);
    assert.deepEqual(await api.ids(`${url}?pagesize=1`), ["2024-11-06"]);
  });

  test("parameters[updated] returns records updated at or after that time, in that order", async (api) => {
    await api.has("dividends", [
      { id: "a", updated: 3000 },
      { id: "b", updated: 1000 },
      { id: "c", updated: 2000 },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[updated]=2000`), ["c", "a"]);
  });

  test("parameters[importance], 0 to 5, is greater than or equal", async (api) => {
    await api.has(
      "dividends",
      [0, 3, 5].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i5", "i3"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=0`), ["i5", "i3", "i0"]);
    await api.mistakes(`${url}?parameters[importance]=6`);
  });

  test("parameters[tickers], at most 50", async (api) => {
    await api.has(
      "dividends",
      ["AAPL", "MSFT", "T"].map((ticker) => ({ id: ticker, ticker })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL,T`), ["T", "AAPL"]);
    await api.get(`${url}?parameters[tickers]=${Array.from({ length: 50 }, (_, index) => `T${index}`).join(",")}`);
    await api.mistakes(`${url}?parameters[tickers]=${Array.from({ length: 51 }, (_, index) => `T${index}`).join(",")}`);
  });

  test("parameters[date_sort] sorts by the announced, ex, payable or record date, newest to oldest", async (api) => {
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
    await api.mistakes(`${url}?parameters[date_sort]=declared`);
  });

  test("parameters[dividend_yield] is equal unless parameters[dividend_yield_operation] says gt, gte, eq, lte or lt", async (api) => {
    await api.has(
      "dividends",
      ["0.01", "0.02", "0.03"].map((text) => ({ id: text, dividend_yield: text })),
    );
    const asked = (operation: string) =>
      api.ids(`${url}?parameters[dividend_yield]=0.02&parameters[dividend_yield_operation]=${operation}`);
    assert.deepEqual(await api.ids(`${url}?parameters[dividend_yield]=0.02`), ["0.02"]);
    assert.deepEqual(await asked("gt"), ["0.03"]);
    assert.deepEqual(await asked("gte"), ["0.03", "0.02"]);
    assert.deepEqual(await asked("eq"), ["0.02"]);
    assert.deepEqual(await asked("lte"), ["0.02", "0.01"]);
    assert.deepEqual(await asked("lt"), ["0.01"]);
  });
});
