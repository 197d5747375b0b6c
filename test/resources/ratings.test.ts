// Ratings: what the interface says of this endpoint, its answer, its fields and each of its parameters.
import assert from "node:assert/strict";
import { onEveryStore } from "../support/every-store.ts";

const url = "/api/v2.1/calendar/ratings";

const texts = {
  action_company: "Upgrades",
  action_pt: "Raises",
  adjusted_pt_current: "260.00",
  adjusted_pt_prior: "230.00",
  analyst: "Harbor & Finch",
  analyst_id: "5f0a1b2c3d4e5f6071829304",
  analyst_name: "Dana Whitlock",
  currency: "USD",
  date: "2024-11-05",
  exchange: "NASDAQ",
  firm_id: "4e0a1b2c3d4e5f6071829304",
  id: "672a2b1c9d8e7f6a5b4c3d2e",
  isin: "US0378331005",
  name: "Apple Inc.",
  notes: "Free text",
  pt_current: "260",
  pt_prior: "230.0000",
  rating_current: "Outperform",
  rating_prior: "Hold",
  ticker: "AAPL",
  time: "09:30:00",
  url: "https://example.com/ratings/1",
  url_calendar: "https://example.com/calendar",
  url_news: "https://example.com/news/1",
};
const integers = { cusip: 307_833_103, importance: 4, updated: 1_730_817_000 };
const record = { ...texts, ...integers };

onEveryStore("ratings: the answer", (test) => {
  test("is an object whose one key, ratings, holds the records", async (api) => {
    await api.has("ratings", [record]);
    const found = await api.get(url);
    assert.deepEqual(Object.keys(found), ["ratings"]);
    assert.equal(found.ratings.length, 1);
  });

  test("a record has every field of the interface, and comes back as it was given", async (api) => {
    await api.has("ratings", [record]);
    assert.deepEqual(await api.get(url), { ratings: [record] });
  });

  test("fields have the types of the interface", async (api) => {
    await api.has("ratings", [record]);
    const [found] = (await api.get(url)).ratings;
    for (const name of Object.keys(texts)) assert.equal(typeof found[name], "string", name);
    for (const name of Object.keys(integers)) assert.ok(Number.isInteger(found[name]), name);
  });

  test("action_company has the values of the action filter and no other", async (api) => {
    for (const action of actions) assert.deepEqual(api.refusals("ratings", { ...record, action_company: action }), []);
    assert.notDeepEqual(api.refusals("ratings", { ...record, action_company: "Buys" }), []);
  });

  test("is JSON only, needs a token, and is addressed at its own version only", async (api) => {
    assert.equal((await api.answer(url, { accept: "application/json" })).status, 200);
    assert.equal((await api.answer(url, { accept: "application/xml" })).status, 406);
    assert.equal((await api.ask(url)).status, 401);
    assert.equal((await api.ask(`${url}?token=${api.token}`)).status, 200);
    for (const version of ["v2", "v2.2"])
      assert.equal((await api.answer(`/api/${version}/calendar/ratings`)).status, 404);
  });
});

const actions = [
  "Downgrades",
  "Maintains",
  "Reinstates",
  "Reiterates",
  "Upgrades",
  "Assumes",
  "Initiates Coverage On",
  "Terminates Coverage On",
  "Removes",
  "Suspends",
  "Firm Dissolved",
];

onEveryStore("ratings: parameters", (test) => {
  test("page from 0 to 100000, pagesize up to 1000", async (api) => {
    await api.has(
      "ratings",
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
      "ratings",
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

  test("parameters[importance], 0 to 5, is greater than or equal", async (api) => {
    await api.has(
      "ratings",
      [0, 3, 5].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i5", "i3"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=0`), ["i5", "i3", "i0"]);
    await api.mistakes(`${url}?parameters[importance]=6`);
  });

  test("parameters[tickers], at most 50", async (api) => {
    await api.has(
      "ratings",
      ["AAPL", "MSFT", "T"].map((ticker) => ({ id: ticker, ticker })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL,T`), ["T", "AAPL"]);
    await api.mistakes(`${url}?parameters[tickers]=${Array.from({ length: 51 }, (_, index) => `T${index}`).join(",")}`);
  });

  test("parameters[updated] returns records updated at or after that time, in that order", async (api) => {
    await api.has("ratings", [
      { id: "a", updated: 3000 },
      { id: "b", updated: 1000 },
      { id: "c", updated: 2000 },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[updated]=2000`), ["c", "a"]);
  });

  test("fields takes every selectable name, and * for all including ratings_accuracy", async (api) => {
    const accuracy = { smart_score: "71.20", total_ratings: 12 };
    await api.has("ratings", [{ ...record, pt_pct_change: "+13.04", ratings_accuracy: accuracy }]);
    const selectable =
      "id,date,time,ticker,exchange,name,currency,action_pt,action_company,rating_current,pt_current,rating_prior,pt_prior," +
      "pt_pct_change,url,url_calendar,url_news,analyst,analyst_id,analyst_name,ratings_accuracy,importance,notes,updated";
    const [named] = (await api.get(`${url}?fields=${selectable}`)).ratings;
    const expected = selectable.split(",").filter((name) => name !== "ratings_accuracy");
    assert.deepEqual(Object.keys(named).sort(), expected.sort());
    assert.equal(named.pt_pct_change, "+13.04");
    const [all] = (await api.get(`${url}?fields=*`)).ratings;
    assert.deepEqual(all, { ...record, pt_pct_change: "+13.04", ratings_accuracy: accuracy });
  });

  test("parameters[action] takes every action of the interface, on action_company", async (api) => {
    await api.has(
      "ratings",
      actions.map((action) => ({ id: action, action_company: action })),
    );
    for (const action of actions) {
      assert.deepEqual(await api.ids(`${url}?parameters[action]=${action.replaceAll(" ", "+")}`), [action]);
    }
    await api.mistakes(`${url}?parameters[action]=Buys`);
    await api.mistakes(`${url}?parameters[action]=Upgrades,Downgrades`);
  });

  test("parameters[analyst_id], parameters[firm_id], analyst and firm take lists of identifiers", async (api) => {
    await api.has("ratings", [
      { id: "a", analyst_id: "p1", firm_id: "f1" },
      { id: "b", analyst_id: "p2", firm_id: "f2" },
      { id: "c", analyst_id: "p3", firm_id: "f3" },
    ]);
    for (const name of ["parameters[analyst_id]", "analyst"])
      assert.deepEqual(await api.ids(`${url}?${name}=p1,p3`), ["c", "a"]);
    for (const name of ["parameters[firm_id]", "firm"])
      assert.deepEqual(await api.ids(`${url}?${name}=f2,f3`), ["c", "b"]);
    assert.deepEqual(await api.ids(url), ["c", "b", "a"]);
  });

  test("simplify, false by default, reduces ratings to standardized categories", async (api) => {
    await api.has("ratings", [record]);
    const shown = async (query: string) => {
      const [{ rating_current, rating_prior }] = (await api.get(`${url}${query}`)).ratings;
      return [rating_current, rating_prior];
    };
    assert.deepEqual(await shown(""), ["Outperform", "Hold"]);
    assert.deepEqual(await shown("?simplify=false"), ["Outperform", "Hold"]);
    assert.deepEqual(await shown("?simplify=true"), ["Buy", "Hold"]);
  });
});
