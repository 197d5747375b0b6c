// Guidance: what the interface says of this endpoint, its answer, its fields and each of its parameters.
import assert from "node:assert/strict";
import { onEveryStore } from "../support/every-store.ts";

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
const record = { ...texts, ...integers, ...flags };

onEveryStore("guidance: the answer", (test) => {
  test("is an object whose one key, guidance, holds the records", async (api) => {
    await api.has("guidance", [record]);
    const found = await api.get(url);
    assert.deepEqual(Object.keys(found), ["guidance"]);
    assert.equal(found.guidance.length, 1);
  });

  test("a record has every field of the interface, and comes back as it was given", async (api) => {
    await api.has("guidance", [record]);
    assert.deepEqual(await api.get(url), { guidance: [record] });
  });

  test("fields have the types of the interface", async (api) => {
    await api.has("guidance", [record]);
    const [found] = (await api.get(url)).guidance;
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
      assert.equal((await api.answer(`/api/${version}/calendar/guidance`)).status, 404);
    }
  });
});

onEveryStore("guidance: parameters", (test) => {
  test("page from 0 to 100000, pagesize up to 1000", async (api) => {
    await api.has(
      "guidance",
      ["a", "b", "c"].map((id) => ({ id, is_primary: "true" })),
    );
    assert.deepEqual(await api.ids(`${url}?pagesize=2`), ["c", "b"]);
    assert.deepEqual(await api.ids(`${url}?pagesize=2&page=1`), ["a"]);
    assert.deepEqual(await api.ids(`${url}?pagesize=1000&page=100000`), []);
    await api.mistakes(`${url}?pagesize=1001`);
    await api.mistakes(`${url}?page=100001`);
  });

  test("parameters[date] is date_from and date_to set to the same day; without a date the latest come first", async (api) => {
    await api.has(
      "guidance",
      ["2024-11-04", "2024-11-05", "2024-11-06"].map((date) => ({ id: date, date, is_primary: "true" })),
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
    await api.has("guidance", [
      { id: "a", updated: 3000, is_primary: "true" },
      { id: "b", updated: 1000, is_primary: "true" },
      { id: "c", updated: 2000, is_primary: "true" },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[updated]=2000`), ["c", "a"]);
  });

  test("parameters[importance], 0 to 5, is greater than or equal", async (api) => {
    await api.has(
      "guidance",
      [0, 3, 5].map((importance) => ({ id: `i${importance}`, importance, is_primary: "true" })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i5", "i3"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=0`), ["i5", "i3", "i0"]);
    await api.mistakes(`${url}?parameters[importance]=6`);
  });

  test("parameters[tickers], at most 50", async (api) => {
    await api.has(
      "guidance",
      ["AAPL", "MSFT", "T"].map((ticker) => ({ id: ticker, ticker, is_primary: "true" })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL,T`), ["T", "AAPL"]);
    await api.get(`${url}?parameters[tickers]=${Array.from({ length: 50 }, (_, index) => `T${index}`).join(",")}`);
    await api.mistakes(`${url}?parameters[tickers]=${Array.from({ length: 51 }, (_, index) => `T${index}`).join(",")}`);
  });

  test("parameters[is_primary]: Y, the default, primary; N secondary; All both", async (api) => {
    await api.has("guidance", [
      { id: "a", is_primary: "true" },
      { id: "b", is_primary: "false" },
    ]);
    assert.deepEqual(await api.ids(url), ["a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[is_primary]=Y`), ["a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[is_primary]=N`), ["b"]);
    assert.deepEqual(await api.ids(`${url}?parameters[is_primary]=All`), ["b", "a"]);
    await api.mistakes(`${url}?parameters[is_primary]=X`);
  });
});
