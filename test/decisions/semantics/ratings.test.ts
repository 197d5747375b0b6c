// Ratings: the two parameters for analysts and firms, `fields`, and `simplify` with its whole table.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const url = "/api/v2.1/calendar/ratings";

readingEveryStore("analysts and firms", (test) => {
  const records = [
    { id: "a", analyst_id: "p1", firm_id: "f1", analyst: "f9", analyst_name: "p9" },
    { id: "b", analyst_id: "p2", firm_id: "f1" },
    { id: "c", analyst_id: "p3", firm_id: "f2" },
  ];

  test("analyst and parameters[analyst_id] both filter by analyst_id", async (api) => {
    await api.has("ratings", records);
    for (const name of ["analyst", "parameters[analyst_id]"]) {
      assert.deepEqual(await api.ids(`${url}?${name}=p1`), ["a"], name);
      assert.deepEqual(await api.ids(`${url}?${name}=p1,p3`), ["c", "a"], name);
      assert.deepEqual(await api.ids(`${url}?${name}=p9`), [], name);
      assert.deepEqual(await api.ids(`${url}?${name}=f1`), [], name);
    }
  });

  test("firm and parameters[firm_id] both filter by firm_id", async (api) => {
    await api.has("ratings", records);
    for (const name of ["firm", "parameters[firm_id]"]) {
      assert.deepEqual(await api.ids(`${url}?${name}=f1`), ["b", "a"], name);
      assert.deepEqual(await api.ids(`${url}?${name}=f2,f1`), ["c", "b", "a"], name);
      assert.deepEqual(await api.ids(`${url}?${name}=f9`), [], name);
    }
  });

  test("both parameters of a pair must match if both are sent", async (api) => {
    await api.has("ratings", records);
    assert.deepEqual(await api.ids(`${url}?analyst=p1,p2&parameters[analyst_id]=p2,p3`), ["b"]);
    assert.deepEqual(await api.ids(`${url}?analyst=p1&parameters[analyst_id]=p2`), []);
    assert.deepEqual(await api.ids(`${url}?firm=f1,f2&parameters[firm_id]=f2`), ["c"]);
    assert.deepEqual(await api.ids(`${url}?firm=f1&parameters[firm_id]=f2`), []);
    assert.deepEqual(await api.ids(`${url}?firm=f1&analyst=p2`), ["b"]);
  });

  test("are not filtered without these parameters", async (api) => {
    await api.has("ratings", records);
    assert.deepEqual(await api.ids(url), ["c", "b", "a"]);
  });
});

readingEveryStore("fields", (test) => {
  const record = {
    id: "a",
    ticker: "AAPL",
    cusip: 37_833_100,
    pt_prior: "300",
    pt_current: "260",
    ratings_accuracy: { smart_score: "71.20" },
  };
  const usual = [
    "action_company",
    "action_pt",
    "adjusted_pt_current",
    "adjusted_pt_prior",
    "analyst",
    "analyst_id",
    "analyst_name",
    "currency",
    "cusip",
    "date",
    "exchange",
    "firm_id",
    "id",
    "importance",
    "isin",
    "name",
    "notes",
    "pt_current",
    "pt_prior",
    "rating_current",
    "rating_prior",
    "ticker",
    "time",
    "updated",
    "url",
    "url_calendar",
    "url_news",
  ];

  test("defaults to all fields except pt_pct_change and ratings_accuracy", async (api) => {
    await api.has("ratings", [record]);
    assert.deepEqual(Object.keys((await api.get(url)).ratings[0]), usual);
  });

  test("returns all of them for *", async (api) => {
    await api.has("ratings", [record]);
    const [found] = (await api.get(`${url}?fields=*`)).ratings;
    assert.deepEqual(Object.keys(found), [...usual, "pt_pct_change", "ratings_accuracy"].sort());
    assert.equal(found.pt_pct_change, "-13.33");
    assert.deepEqual(found.ratings_accuracy, { smart_score: "71.20" });
  });

  test("treats * among other names as *, raw or encoded", async (api) => {
    await api.has("ratings", [record]);
    const all = (await api.get(`${url}?fields=*`)).ratings;
    for (const fields of ["id,*", "*,ticker", "ratings_accuracy,*", "%2A", "+*+,id"]) {
      assert.deepEqual((await api.get(`${url}?fields=${fields}`)).ratings, all, fields);
    }
  });

  test("returns only the requested fields, with unchanged values", async (api) => {
    await api.has("ratings", [record]);
    assert.deepEqual(await api.get(`${url}?fields=id,ticker`), { ratings: [{ id: "a", ticker: "AAPL" }] });
    assert.deepEqual(await api.get(`${url}?fields=pt_pct_change`), { ratings: [{ pt_pct_change: "-13.33" }] });
    assert.deepEqual(await api.get(`${url}?fields=ticker,id,ticker`), { ratings: [{ id: "a", ticker: "AAPL" }] });
  });

  test("accepts any field of the record", async (api) => {
    await api.has("ratings", [record]);
    const [whole] = (await api.get(`${url}?fields=*`)).ratings;
    for (const name of [...usual, "pt_pct_change"]) {
      assert.deepEqual(await api.get(`${url}?fields=${name}`), { ratings: [{ [name]: whole[name] }] });
    }
  });

  test("returns ratings_accuracy only for *: naming it is accepted and adds nothing", async (api) => {
    await api.has("ratings", [record]);
    assert.deepEqual(await api.get(`${url}?fields=id,ratings_accuracy`), { ratings: [{ id: "a" }] });
    assert.deepEqual(await api.get(`${url}?fields=ratings_accuracy`), { ratings: [{}] });
  });

  test("rejects an unknown name, next to * as well", async (api) => {
    for (const fields of ["nope", "id,nope", "*,nope", "ID", "id ticker", "ratings", "token"]) {
      const [error, ...noMore] = await api.errors(`${url}?fields=${encodeURIComponent(fields)}`);
      assert.deepEqual([error?.parameter, error?.given, noMore], ["fields", fields, []]);
    }
  });

  test("affects what is returned, not what matches or how it is sorted", async (api) => {
    await api.has("ratings", [
      { id: "a", date: "2024-01-01", ticker: "AAPL" },
      { id: "b", date: "2024-01-02", ticker: "AAPL" },
      { id: "c", date: "2024-01-03", ticker: "MSFT" },
    ]);
    assert.deepEqual(await api.get(`${url}?fields=id&parameters[tickers]=AAPL`), {
      ratings: [{ id: "b" }, { id: "a" }],
    });
  });
});

readingEveryStore("simplify", (test) => {
  const terms = {
    Buy: [
      "Buy",
      "Strong Buy",
      "Conviction Buy",
      "Speculative Buy",
      "Long-Term Buy",
      "Top Pick",
      "Outperform",
      "Market Outperform",
      "Sector Outperform",
      "Outperformer",
      "Overweight",
      "Positive",
      "Accumulate",
      "Add",
    ],
    Hold: [
      "Hold",
      "Neutral",
      "Equal-Weight",
      "Market Perform",
      "Sector Perform",
      "Peer Perform",
      "Perform",
      "In-Line",
      "Market Weight",
      "Sector Weight",
      "Mixed",
      "Fair Value",
      "Average",
    ],
    Sell: [
      "Sell",
      "Strong Sell",
      "Underperform",
      "Underperformer",
      "Underweight",
      "Market Underperform",
      "Sector Underperform",
      "Reduce",
      "Negative",
      "Avoid",
    ],
  };

  for (const [standard, list] of Object.entries(terms)) {
    test(`maps every term in the table for ${standard} to ${standard}, current and prior`, async (api) => {
      await api.has(
        "ratings",
        list.map((term) => ({ id: term, rating_current: term, rating_prior: term })),
      );
      const found = (await api.get(`${url}?simplify=true`)).ratings;
      assert.equal(found.length, list.length);
      for (const { id, rating_current, rating_prior } of found)
        assert.deepEqual([rating_current, rating_prior], [standard, standard], id);
    });
  }

  const simplified = [
    ["OVERWEIGHT", "Buy"],
    ["strong buy", "Buy"],
    ["Strong-Buy", "Buy"],
    ["StrongBuy", "Buy"],
    ["Long Term Buy", "Buy"],
    ["long-term-buy", "Buy"],
    ["Equal Weight", "Hold"],
    ["EqualWeight", "Hold"],
    ["equal-weight", "Hold"],
    ["In Line", "Hold"],
    ["inline", "Hold"],
    ["Market-Perform", "Hold"],
    ["  Sector   Perform ", "Hold"],
    ["under-weight", "Sell"],
    ["UNDER PERFORM", "Sell"],
    ["", ""],
    ["Not Rated", "Not Rated"],
    ["Buyer", "Buyer"],
    ["Tender", "Tender"],
    ["Strong", "Strong"],
  ] as const;

  test("ignores case, hyphens, and blanks, and leaves empty and unlisted ratings unchanged", async (api) => {
    await api.has(
      "ratings",
      simplified.map(([term], index) => ({ id: `r${index}`, rating_current: term, rating_prior: term })),
    );
    const found = (await api.get(`${url}?simplify=true`)).ratings;
    for (const { id, rating_current, rating_prior } of found) {
      const [term, expected] = simplified[Number(id.slice(1))] as readonly [string, string];
      assert.deepEqual([rating_current, rating_prior], [expected, expected], term);
    }
  });

  test("is false by default, which leaves ratings in the firm's own words", async (api) => {
    await api.has("ratings", [{ id: "a", rating_current: "Outperform", rating_prior: "In-Line" }]);
    for (const query of ["", "?simplify=false", "?simplify=0"]) {
      const [found] = (await api.get(`${url}${query}`)).ratings;
      assert.deepEqual([found.rating_current, found.rating_prior], ["Outperform", "In-Line"]);
    }
  });

  test("changes no other field", async (api) => {
    await api.has("ratings", [
      {
        id: "a",
        rating_current: "Outperform",
        rating_prior: "In-Line",
        notes: "Outperform",
        name: "Buy Corp",
        action_pt: "Maintains",
      },
    ]);
    const [before] = (await api.get(url)).ratings;
    const [after] = (await api.get(`${url}?simplify=true`)).ratings;
    assert.deepEqual(after, { ...before, rating_current: "Buy", rating_prior: "Hold" });
  });

  test("combines with fields", async (api) => {
    await api.has("ratings", [{ id: "a", rating_current: "Outperform", rating_prior: "Reduce" }]);
    assert.deepEqual(await api.get(`${url}?simplify=true&fields=rating_current`), {
      ratings: [{ rating_current: "Buy" }],
    });
    assert.deepEqual(await api.get(`${url}?simplify=true&fields=id`), { ratings: [{ id: "a" }] });
    const [all] = (await api.get(`${url}?simplify=true&fields=*`)).ratings;
    assert.deepEqual([all.rating_current, all.rating_prior], ["Buy", "Sell"]);
  });
});
