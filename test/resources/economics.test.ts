// Economic events: what the interface says of this endpoint, its answer, its fields and each of its parameters.
import assert from "node:assert/strict";
import { onEveryStore } from "../support/every-store.ts";

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
const record = { ...texts, ...integers, ...flags };

onEveryStore("economics: the answer", (test) => {
  test("is an object whose one key, economics, holds the records", async (api) => {
    await api.has("economics", [record]);
    const found = await api.get(url);
    assert.deepEqual(Object.keys(found), ["economics"]);
    assert.equal(found.economics.length, 1);
  });

  test("a record has every field of the interface, and comes back as it was given", async (api) => {
    await api.has("economics", [record]);
    assert.deepEqual(await api.get(url), { economics: [record] });
  });

  test("fields have the types of the interface", async (api) => {
    await api.has("economics", [record]);
    const [found] = (await api.get(url)).economics;
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
      assert.equal((await api.answer(`/api/${version}/calendar/economics`)).status, 404);
    }
  });
});

onEveryStore("economics: parameters", (test) => {
  test("page from 0 to 100000, pagesize up to 1000", async (api) => {
    await api.has(
      "economics",
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
      "economics",
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
    await api.has("economics", [
      { id: "a", updated: 3000 },
      { id: "b", updated: 1000 },
      { id: "c", updated: 2000 },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[updated]=2000`), ["c", "a"]);
  });

  test("parameters[importance] allows 1, 2 and 3 only", async (api) => {
    await api.has(
      "economics",
      [1, 2, 3].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=1`), ["i3", "i2", "i1"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=2`), ["i3", "i2"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i3"]);
    await api.mistakes(`${url}?parameters[importance]=0`);
    await api.mistakes(`${url}?parameters[importance]=4`);
  });

  test("there is no tickers parameter", async (api) => {
    await api.has("economics", [{ id: "a" }]);
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL`), ["a"]);
  });

  test("country, not bracketed, is a three-letter uppercase code", async (api) => {
    await api.has("economics", [
      { id: "a", country: "United States" },
      { id: "b", country: "Japan" },
    ]);
    assert.deepEqual(await api.ids(`${url}?country=JPN`), ["b"]);
    assert.deepEqual(await api.ids(`${url}?parameters[country]=JPN`), ["b", "a"]);
  });

  test("event_category, not bracketed, is one or more categories", async (api) => {
    await api.has(
      "economics",
      ["Growth", "Inflation", "Trade"].map((name) => ({ id: name, event_category: name })),
    );
    assert.deepEqual(await api.ids(`${url}?event_category=Inflation`), ["Inflation"]);
    assert.deepEqual(await api.ids(`${url}?event_category=Inflation,Trade`), ["Trade", "Inflation"]);
    assert.equal((await api.ids(`${url}?parameters[event_category]=Trade`)).length, 3);
  });
});
