// Earnings: what the interface says of this endpoint, its answer, its fields and each of its parameters.
import assert from "node:assert/strict";
import { onEveryStore } from "../support/every-store.ts";

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
const record = { ...texts, ...integers };

onEveryStore("earnings: the answer", (test) => {
  test("is an object whose one key, earnings, holds the records", async (api) => {
    await api.has("earnings", [record]);
    const found = await api.get(url);
    assert.deepEqual(Object.keys(found), ["earnings"]);
    assert.equal(found.earnings.length, 1);
  });

  test("a record has every field of the interface, and comes back as it was given", async (api) => {
    await api.has("earnings", [record]);
    assert.deepEqual(await api.get(url), { earnings: [record] });
  });

  test("fields have the types of the interface", async (api) => {
    await api.has("earnings", [record]);
    const [found] = (await api.get(url)).earnings;
    for (const name of Object.keys(texts)) assert.equal(typeof found[name], "string", name);
    for (const name of Object.keys(integers)) assert.ok(Number.isInteger(found[name]), name);
  });

  test("is JSON only, needs a token, and is addressed at its own version only", async (api) => {
    assert.equal((await api.answer(url, { accept: "application/json" })).status, 200);
    assert.equal((await api.answer(url, { accept: "application/xml" })).status, 406);
    assert.equal((await api.ask(url)).status, 401);
    assert.equal((await api.ask(`${url}?token=${api.token}`)).status, 200);
    for (const version of ["v2", "v2.2"]) {
      assert.equal((await api.answer(`/api/${version}/calendar/earnings`)).status, 404);
    }
  });
});

onEveryStore("earnings: parameters", (test) => {
  test("page from 0 to 100000, pagesize up to 1000", async (api) => {
    await api.has(
      "earnings",
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
      "earnings",
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
    await api.has("earnings", [
      { id: "a", updated: 3000 },
      { id: "b", updated: 1000 },
      { id: "c", updated: 2000 },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[updated]=2000`), ["c", "a"]);
  });

  test("parameters[importance], 0 to 5, is greater than or equal", async (api) => {
    await api.has(
      "earnings",
      [0, 3, 5].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i5", "i3"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=0`), ["i5", "i3", "i0"]);
    await api.mistakes(`${url}?parameters[importance]=6`);
  });

  test("parameters[tickers], at most 50", async (api) => {
    await api.has(
      "earnings",
      ["AAPL", "MSFT", "T"].map((ticker) => ({ id: ticker, ticker })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL,T`), ["T", "AAPL"]);
    await api.get(`${url}?parameters[tickers]=${Array.from({ length: 50 }, (_, index) => `T${index}`).join(",")}`);
    await api.mistakes(`${url}?parameters[tickers]=${Array.from({ length: 51 }, (_, index) => `T${index}`).join(",")}`);
  });

  test("parameters[date_sort]: date, with :desc or :asc for the direction", async (api) => {
    await api.has(
      "earnings",
      ["2024-01-02", "2024-01-01", "2024-01-03"].map((date) => ({ id: date, date })),
    );
    const newest = ["2024-01-03", "2024-01-02", "2024-01-01"];
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date:desc`), newest);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date:asc`), newest.toReversed());
    await api.mistakes(`${url}?parameters[date_sort]=updated:asc`);
    await api.mistakes(`${url}?parameters[date_sort]=date:up`);
  });

  test("time is a short session code", async (api) => {
    await api.has(
      "earnings",
      ["bmo", "amc", "dmh"].map((time) => ({ id: time, time })),
    );
    for (const { id, time } of (await api.get(url)).earnings) assert.equal(time, id);
  });
});
