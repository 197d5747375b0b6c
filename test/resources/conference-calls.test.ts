// Conference calls: what the interface says of this endpoint, its answer, its fields and each of its parameters.
import assert from "node:assert/strict";
import { onEveryStore } from "../support/every-store.ts";

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
const record = { ...texts, ...integers, ...flags };

onEveryStore("conference-calls: the answer", (test) => {
  test("is an object whose one key, conference-calls, holds the records", async (api) => {
    await api.has("conference-calls", [record]);
    const found = await api.get(url);
    assert.deepEqual(Object.keys(found), ["conference-calls"]);
    assert.equal(found["conference-calls"].length, 1);
  });

  test("a record has every field of the interface, and comes back as it was given", async (api) => {
    await api.has("conference-calls", [record]);
    assert.deepEqual(await api.get(url), { "conference-calls": [record] });
  });

  test("fields have the types of the interface", async (api) => {
    await api.has("conference-calls", [record]);
    const [found] = (await api.get(url))["conference-calls"];
    for (const name of Object.keys(texts)) assert.equal(typeof found[name], "string", name);
    for (const name of Object.keys(integers)) assert.ok(Number.isInteger(found[name]), name);
    for (const name of Object.keys(flags)) assert.equal(typeof found[name], "boolean", name);
  });

  test("is JSON only, needs a token, and is addressed at its own version only", async (api) => {
    assert.equal((await api.answer(url, { accept: "application/json" })).status, 200);
    assert.equal((await api.answer(url, { accept: "application/xml" })).status, 406);
    assert.equal((await api.ask(url)).status, 401);
    assert.equal((await api.ask(`${url}?token=${api.token}`)).status, 200);
    for (const version of ["v2", "v2.2"]) {
      assert.equal((await api.answer(`/api/${version}/calendar/conference-calls`)).status, 404);
    }
  });
});

onEveryStore("conference-calls: parameters", (test) => {
  test("page from 0 to 100000, pagesize up to 1000", async (api) => {
    await api.has(
      "conference-calls",
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
      "conference-calls",
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
    await api.has("conference-calls", [
      { id: "a", updated: 3000 },
      { id: "b", updated: 1000 },
      { id: "c", updated: 2000 },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[updated]=2000`), ["c", "a"]);
  });

  test("parameters[tickers], at most 50", async (api) => {
    await api.has(
      "conference-calls",
      ["AAPL", "MSFT", "T"].map((ticker) => ({ id: ticker, ticker })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL,T`), ["T", "AAPL"]);
    await api.get(`${url}?parameters[tickers]=${Array.from({ length: 50 }, (_, index) => `T${index}`).join(",")}`);
    await api.mistakes(`${url}?parameters[tickers]=${Array.from({ length: 51 }, (_, index) => `T${index}`).join(",")}`);
  });

  test("there is no importance filter", async (api) => {
    await api.has(
      "conference-calls",
      [0, 5].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=5`), ["i5", "i0"]);
  });
});
