// Ratings as specified: the response, its fields, and each of its parameters.
import assert from "node:assert/strict";
import { calendarConventions } from "../support/records/calendar-conventions.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

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

calendarConventions({ name: "ratings", url, texts, integers, importance: "0 to 5", tickers: true });

readingEveryStore("ratings: the response", (test) => {
  test("contains in action_company only values of the action filter", async (api) => {
    for (const action of actions)
      assert.deepEqual(api.rejections("ratings", { ...record, action_company: action }), []);
    assert.notDeepEqual(api.rejections("ratings", { ...record, action_company: "Buys" }), []);
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

readingEveryStore("ratings: specific parameters", (test) => {
  test("include fields, with every selectable name, and * for all including ratings_accuracy", async (api) => {
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

  test("include parameters[action], with every action of the interface, on action_company", async (api) => {
    await api.has(
      "ratings",
      actions.map((action) => ({ id: action, action_company: action })),
    );
    for (const action of actions) {
      assert.deepEqual(await api.ids(`${url}?parameters[action]=${action.replaceAll(" ", "+")}`), [action]);
    }
    await api.errors(`${url}?parameters[action]=Buys`);
    await api.errors(`${url}?parameters[action]=Upgrades,Downgrades`);
  });

  test("include parameters[analyst_id], parameters[firm_id], analyst, and firm, with lists of identifiers", async (api) => {
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

  test("include simplify, by default false, which reduces ratings to standardized categories", async (api) => {
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
