// Values in responses: exact decimals, unknown values, CUSIPs, derived percentages, order of keys.
import assert from "node:assert/strict";
import { onEveryStore, readingEveryStore } from "../support/stores/every-store.ts";

const calendars = {
  ratings: "/api/v2.1/calendar/ratings",
  dividends: "/api/v2.2/calendar/dividends",
  guidance: "/api/v2.1/calendar/guidance?parameters[is_primary]=All",
  earnings: "/api/v2.1/calendar/earnings",
  economics: "/api/v2.1/calendar/economics",
  "conference-calls": "/api/v2.1/calendar/conference-calls",
};

readingEveryStore("decimals", (test) => {
  test("are strings, returned exactly as imported", async (api) => {
    const targets = ["230", "230.00", "230.0000", "0230", ".5", "-0.50", "+1", "102466000000.000", "0", "-0"];
    await api.has(
      "ratings",
      targets.map((pt_current, at) => ({ id: `r${at}`, time: `09:00:0${at}`, pt_current })),
    );
    const { ratings } = await api.get("/api/v2.1/calendar/ratings");
    assert.deepEqual(ratings.map((rating: { pt_current: unknown }) => rating.pt_current).reverse(), targets);
  });

  test("are exact in every field that contains one", async (api) => {
    await api.has("earnings", [{ id: "e", eps: "1.990", revenue: "102466000000.000", eps_surprise_percent: "0.3693" }]);
    await api.has("dividends", [{ id: "d", dividend: "0.1636", dividend_prior: "0.16360", dividend_yield: "0.0500" }]);
    await api.has("guidance", [{ id: "g", eps_guidance_min: "1.10", revenue_guidance_max: "9007199254740993.10" }]);
    await api.has("economics", [{ id: "x", actual: "3.20", prior: "3.2" }]);
    const [earning] = (await api.get(calendars.earnings)).earnings;
    assert.deepEqual(
      [earning.eps, earning.revenue, earning.eps_surprise_percent],
      ["1.990", "102466000000.000", "0.3693"],
    );
    const [dividend] = (await api.get(calendars.dividends)).dividends;
    assert.deepEqual(
      [dividend.dividend, dividend.dividend_prior, dividend.dividend_yield],
      ["0.1636", "0.16360", "0.0500"],
    );
    const [guidance] = (await api.get(calendars.guidance)).guidance;
    assert.deepEqual([guidance.eps_guidance_min, guidance.revenue_guidance_max], ["1.10", "9007199254740993.10"]);
    const [event] = (await api.get(calendars.economics)).economics;
    assert.deepEqual([event.actual, event.prior], ["3.20", "3.2"]);
  });
});

readingEveryStore("unknown values", (test) => {
  test("of a news item are empty strings and lists; original_id is omitted", async (api) => {
    await api.has("news", [{ id: 7, title: "Only a title", created: 1_730_817_000 }]);
    const found = await api.fetch("/api/v2/news?displayOutput=full");
    assert.equal(
      found.text,
      '[{"author":"","body":"","channels":[],"created":"Tue, 05 Nov 2024 09:30:00 -0500","id":7,"image":[],"stocks":[],"tags":[],"teaser":"","title":"Only a title","updated":"Tue, 05 Nov 2024 09:30:00 -0500","url":""}]',
    );
  });

  test("of calendars are empty strings, 0, and false, and an unknown cusip is omitted", async (api) => {
    const expected = {
      ratings:
        '{"ratings":[{"action_company":"","action_pt":"","adjusted_pt_current":"","adjusted_pt_prior":"","analyst":"","analyst_id":"","analyst_name":"","currency":"","date":"2024-11-05","exchange":"","firm_id":"","id":"a","importance":0,"isin":"","name":"","notes":"","pt_current":"","pt_prior":"","rating_current":"","rating_prior":"","ticker":"","time":"","updated":1768478400,"url":"","url_calendar":"","url_news":""}]}',
      dividends:
        '{"dividends":[{"confirmed":false,"currency":"","date":"2024-11-05","dividend":"","dividend_prior":"","dividend_type":"","dividend_yield":"","end_regular_dividend":false,"ex_dividend_date":"","exchange":"","frequency":0,"id":"a","importance":0,"isin":"","name":"","notes":"","payable_date":"","period":"","record_date":"","ticker":"","updated":1768478400,"year":0}]}',
      guidance:
        '{"guidance":[{"confirmed":false,"currency":"","date":"2024-11-05","eps_guidance_est":"","eps_guidance_max":"","eps_guidance_min":"","eps_guidance_prior_max":"","eps_guidance_prior_min":"","eps_type":"","exchange":"","id":"a","importance":0,"is_primary":"","name":"","notes":"","period":"","period_year":0,"prelim":"","revenue_guidance_est":"","revenue_guidance_max":"","revenue_guidance_min":"","revenue_guidance_prior_max":"","revenue_guidance_prior_min":"","revenue_type":"","ticker":"","time":"","updated":1768478400}]}',
      earnings:
        '{"earnings":[{"currency":"","date":"2024-11-05","date_confirmed":0,"eps":"","eps_est":"","eps_prior":"","eps_surprise":"","eps_surprise_percent":"","eps_type":"","exchange":"","id":"a","importance":0,"isin":"","name":"","notes":"","period":"","period_year":0,"revenue":"","revenue_est":"","revenue_prior":"","revenue_surprise":"","revenue_surprise_percent":"","revenue_type":"","ticker":"","time":"","updated":1768478400}]}',
      economics:
        '{"economics":[{"actual":"","actual_t":"","confirmed":false,"consensus":"","consensus_t":"","country":"","date":"2024-11-05","description":"","event_category":"","event_name":"","event_period":"","id":"a","importance":0,"notes":"","period_year":0,"prior":"","prior_t":"","time":"","updated":1768478400}]}',
      "conference-calls":
        '{"conference-calls":[{"access_code":"","confirmed":false,"date":"2024-11-05","exchange":"","id":"a","importance":0,"international_num":"","isin":"","name":"","notes":"","period":"","period_year":0,"phone_num":"","reservation_num":"","start_time":"","ticker":"","time":"","updated":1768478400,"webcast_url":""}]}',
    };
    for (const [name, url] of Object.entries(calendars)) {
      await api.has(name, [{ id: "a", date: "2024-11-05" }]);
      assert.equal((await api.fetch(url)).text, expected[name as keyof typeof calendars], name);
    }
  });

  test("are never null, even if imported as null", async (api) => {
    await api.has("news", [{ id: 1, author: null, body: null, channels: null, original_id: null, stocks: null }]);
    assert.doesNotMatch((await api.fetch("/api/v2/news?displayOutput=full")).text, /null/);
    for (const [name, url] of Object.entries(calendars)) {
      await api.has(name, [{ id: "a", notes: null, importance: null }]);
      assert.doesNotMatch((await api.fetch(url)).text, /null/, name);
    }
  });

  test("of a stock omit cusip, isin, and exchange; its name is always present", async (api) => {
    const stocks = [
      { name: "AAPL" },
      { name: "F", exchange: "NYSE", cusip: "", isin: null },
      { name: "GM", exchange: "NYSE", cusip: "37045V100", isin: "US37045V1008" },
    ];
    await api.has("news", [{ id: 1, stocks, original_id: 0 }]);
    const [item] = await api.get("/api/v2/news");
    assert.equal(
      JSON.stringify(item.stocks),
      '[{"name":"AAPL"},{"exchange":"NYSE","name":"F"},{"cusip":"37045V100","exchange":"NYSE","isin":"US37045V1008","name":"GM"}]',
    );
    assert.equal("original_id" in item, false);
  });

  test("don't affect a known original_id, which is returned", async (api) => {
    await api.has("news", [{ id: 2, original_id: 1 }]);
    assert.equal((await api.get("/api/v2/news"))[0].original_id, 1);
  });
});

const cusipsAsText = async (api: { get(url: string): Promise<{ ratings: { id: string; cusip?: unknown }[] }> }) =>
  Object.fromEntries(
    (await api.get("/api/v2.1/calendar/ratings")).ratings.map(({ id, cusip }) => [id, cusip ?? "left out"]),
  );

const cusips = [
  { id: "digits", cusip: "307833103" },
  { id: "integer", cusip: 307833103 },
  { id: "leading zero", cusip: "037833100" },
  { id: "short integer", cusip: 37833100 },
  { id: "letters", cusip: "38259P508" },
  { id: "unknown" },
  { id: "empty", cusip: "" },
];

onEveryStore("cusip in calendars", (test) => {
  test("is a JSON integer if all digits, and omitted if it has letters or is unknown", async (api) => {
    await api.has("ratings", cusips);
    assert.deepEqual(await cusipsAsText(api), {
      digits: 307833103,
      integer: 307833103,
      "leading zero": 37833100,
      "short integer": 37833100,
      letters: "left out",
      unknown: "left out",
      empty: "left out",
    });
    assert.match((await api.fetch("/api/v2.1/calendar/ratings")).text, /"cusip":307833103,/);
  });

  test(
    "is text if the setting says so, padded to nine digits",
    async (api) => {
      await api.has("ratings", cusips);
      assert.deepEqual(await cusipsAsText(api), {
        digits: "307833103",
        integer: "307833103",
        "leading zero": "037833100",
        "short integer": "037833100",
        letters: "38259P508",
        unknown: "left out",
        empty: "left out",
      });
    },
    { rendering: { cusip: "string" } },
  );

  test("is stored exactly as imported, whatever the setting at the time", async (api) => {
    await api.has("ratings", [...cusips, { id: "eight", cusip: "37833100" }]);
    await api.store.render({ cusip: "string" });
    const shown = await cusipsAsText(api);
    assert.deepEqual(
      [shown["leading zero"], shown["short integer"], shown.letters, shown.eight],
      ["037833100", "037833100", "38259P508", "37833100"],
    );
    await api.store.render({ cusip: "integer" });
    assert.equal((await cusipsAsText(api)).letters, "left out");
  });
});

readingEveryStore("pt_pct_change", (test) => {
  const changes = async (api: { get(url: string): Promise<{ ratings: { id: string; pt_pct_change: string }[] }> }) =>
    Object.fromEntries(
      (await api.get("/api/v2.1/calendar/ratings?fields=id,pt_pct_change")).ratings.map((rating) => [
        rating.id,
        rating.pt_pct_change,
      ]),
    );

  test("is computed with two decimals and a sign", async (api) => {
    await api.has("ratings", [
      { id: "down", pt_prior: "300", pt_current: "260" },
      { id: "up", pt_prior: "260.00", pt_current: "300.0000" },
      { id: "slightly", pt_prior: "1000", pt_current: "1000.05" },
    ]);
    assert.deepEqual(await changes(api), { down: "-13.33", up: "+15.38", slightly: "+0.01" });
  });

  test("is returned as imported if the import has it", async (api) => {
    await api.has("ratings", [{ id: "a", pt_prior: "300", pt_current: "260", pt_pct_change: "-13.3" }]);
    assert.deepEqual(await changes(api), { a: "-13.3" });
  });

  test("is computed for some records of a page and stored for others, by ticker and with simplify too", async (api) => {
    await api.has("ratings", [
      { id: "stored", ticker: "F", pt_prior: "300", pt_current: "260", pt_pct_change: "-13.3" },
      { id: "computed", ticker: "F", pt_prior: "300", pt_current: "260" },
      { id: "other", ticker: "GM", pt_prior: "300", pt_current: "260" },
    ]);
    const path = "/api/v2.1/calendar/ratings?simplify=true&fields=id,pt_pct_change&parameters[tickers]";
    const of = async (tickers: string) =>
      Object.fromEntries(
        (await api.get(`${path}=${tickers}`)).ratings.map((rating: Record<string, string>) => [
          rating.id,
          rating.pt_pct_change,
        ]),
      );
    assert.deepEqual(await of("F"), { stored: "-13.3", computed: "-13.33" });
    assert.deepEqual(await of("GM"), { other: "-13.33" });
    assert.deepEqual(await of("F,GM"), { stored: "-13.3", computed: "-13.33", other: "-13.33" });
  });

  test("is empty if either target is unknown", async (api) => {
    await api.has("ratings", [{ id: "a", pt_prior: "300" }, { id: "b", pt_current: "300" }, { id: "c" }]);
    assert.deepEqual(await changes(api), { a: "", b: "", c: "" });
  });
});

readingEveryStore("other values", (test) => {
  test("ratings_accuracy is the object as imported, and {} if unknown", async (api) => {
    const accuracy = { smart_score: "71.20", total_ratings: 12, "1m_success_rate": "50.00" };
    await api.has("ratings", [{ id: "b", ratings_accuracy: accuracy }, { id: "a" }]);
    const { ratings } = await api.get("/api/v2.1/calendar/ratings?fields=*");
    assert.deepEqual(
      ratings.map((rating: { ratings_accuracy: unknown }) => JSON.stringify(rating.ratings_accuracy)),
      ['{"smart_score":"71.20","total_ratings":12,"1m_success_rate":"50.00"}', "{}"],
    );
  });

  test("is_primary and prelim are returned as imported", async (api) => {
    const words = ["true", "false", "Y", "No", "1", "TRUE"];
    await api.has(
      "guidance",
      words.map((word, at) => ({ id: `g${at}`, is_primary: word, prelim: word })),
    );
    const { guidance } = await api.get("/api/v2.1/calendar/guidance?parameters[is_primary]=All");
    const shown = guidance.map((each: { is_primary: string; prelim: string }) => [each.is_primary, each.prelim]);
    assert.deepEqual(
      shown.reverse(),
      words.map((word) => [word, word]),
    );
  });

  test("the time of earnings is a session code or a clock time, as imported", async (api) => {
    const times = ["bmo", "amc", "dmh", "16:05:00"];
    await api.has(
      "earnings",
      times.map((time) => ({ id: time, time })),
    );
    const { earnings } = await api.get("/api/v2.1/calendar/earnings");
    for (const { id, time } of earnings) assert.equal(time, id);
    assert.equal(earnings.length, 4);
  });

  test("the size of an image is any text", async (api) => {
    const image = ["thumb", "small", "large", "Poster 4:3"].map((size) => ({
      size,
      url: `https://example.com/${size}`,
    }));
    await api.has("news", [{ id: 1, image }]);
    assert.deepEqual((await api.get("/api/v2/news"))[0].image, image);
  });

  test("keys are in the order of the interface, whatever the order of import, without whitespace", async (api) => {
    const backwards = {
      url: "u",
      title: "t",
      stocks: [{ name: "F", isin: "i", exchange: "e", cusip: "c" }],
      body: "b",
    };
    await api.has("news", [{ ...backwards, original_id: 3, created: 1_730_817_000, id: 4, author: "a" }]);
    const found = await api.fetch("/api/v2/news");
    assert.equal(
      found.text,
      '[{"author":"a","body":"","channels":[],"created":"Tue, 05 Nov 2024 09:30:00 -0500","id":4,"image":[],"original_id":3,"stocks":[{"cusip":"c","exchange":"e","isin":"i","name":"F"}],"tags":[],"teaser":"","title":"t","updated":"Tue, 05 Nov 2024 09:30:00 -0500","url":"u"}]',
    );
    for (const [name, url] of Object.entries(calendars)) {
      await api.has(name, [{ notes: "n", updated: 5, id: "z", date: "2024-11-05" }]);
      const { text, json } = await api.fetch(url);
      const [record] = json[name];
      assert.deepEqual(Object.keys(record), Object.keys(record).sort(), name);
      assert.equal(text, JSON.stringify(json), name);
    }
  });

  test("selected and transformed fields keep that order, and no newline follows the body", async (api) => {
    await api.has("ratings", [{ id: "a", ticker: "F", rating_current: "Top Pick" }]);
    const found = await api.fetch("/api/v2.1/calendar/ratings?fields=ticker,rating_current,id&simplify=true");
    assert.equal(found.text, '{"ratings":[{"id":"a","rating_current":"Buy","ticker":"F"}]}');
    assert.equal((await api.fetch("/api/v2/news?date=2001-01-01")).text, "[]");
  });
});
