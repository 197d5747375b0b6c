// Parameter values: booleans, choices, numbers, days, timestamps, whitespace, and case-insensitive comparison.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("booleans", (test) => {
  test("are true, 1, false, and 0, in any case; anything else is rejected", async (api) => {
    await api.has("ratings", [{ id: "a", rating_current: "Outperform" }]);
    const simplified = async (value: string) =>
      (await api.get(`/api/v2.1/calendar/ratings?simplify=${value}`)).ratings[0].rating_current === "Buy";
    for (const yes of ["true", "TRUE", "True", "tRuE", "1"]) assert.equal(await simplified(yes), true, yes);
    for (const no of ["false", "FALSE", "False", "0"]) assert.equal(await simplified(no), false, no);
    for (const value of ["yes", "no", "on", "2", "y", "t", "01", "truee", "true,false"]) {
      const [error, ...noMore] = await api.errors(`/api/v2.1/calendar/ratings?simplify=${value}`);
      assert.deepEqual([error?.parameter, error?.given, noMore], ["simplify", value, []]);
    }
  });
});

readingEveryStore("choices", (test) => {
  test("are case-sensitive literals", async (api) => {
    for (const [path, name, good, bad] of [
      ["v2/news", "sort", "created:desc", ["Created:desc", "created:DESC", "created", "title:asc", "created desc"]],
      ["v2/news", "displayOutput", "full", ["Full", "FULL", "headlines", "full,abstract"]],
      ["v2/news", "topic_group_by", "and", ["AND", "Or", "not"]],
      ["v2/news", "format", "text", ["Text", "html"]],
      ["v2/news", "importance", "high", ["High", "HIGH", "5", "low,high"]],
      ["v2.2/calendar/dividends", "parameters[date_sort]", "ex", ["Ex", "EX", "date", "ex:desc"]],
      ["v2.1/calendar/guidance", "parameters[is_primary]", "All", ["all", "ALL", "y", "n", "true"]],
      ["v2.1/calendar/earnings", "parameters[date_sort]", "date:asc", ["date:ASC", "Date", "desc", "time:asc"]],
    ] as const) {
      await api.get(`/api/${path}?${name}=${good}`);
      for (const value of bad) {
        const [error, ...noMore] = await api.errors(`/api/${path}?${name}=${encodeURIComponent(value)}`);
        assert.deepEqual([error?.parameter, error?.given, noMore], [name, value, []]);
        assert.ok(error?.expected.includes(good));
      }
    }
  });

  test("include the operation of a yield", async (api) => {
    for (const value of ["GT", "=", "ge", "Eq"]) {
      const url = `/api/v2.2/calendar/dividends?parameters[dividend_yield]=1&parameters[dividend_yield_operation]=${value}`;
      const [error] = await api.errors(url);
      assert.deepEqual([error?.parameter, error?.given], ["parameters[dividend_yield_operation]", value]);
    }
  });
});

readingEveryStore("numbers", (test) => {
  test("may have leading zeros if they are integers", async (api) => {
    await api.has("ratings", [
      { id: "a", importance: 4 },
      { id: "b", importance: 5 },
    ]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[importance]=05"), ["b"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?pagesize=0001&page=01"), ["a"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[updated]=00000000000"), ["a", "b"]);
  });

  test("are digits only if they are integers: no sign, exponent, fraction, or grouping", async (api) => {
    const values = [
      "%2B1",
      "-1",
      "-0",
      "1e2",
      "1.0",
      "1.",
      "0x10",
      "1_000",
      "1 0",
      "one",
      "%D9%A1",
      "%EF%BC%91",
      "NaN",
    ];
    for (const name of ["page", "pagesize", "parameters[importance]", "parameters[updated]"]) {
      for (const value of values) {
        const [error, ...noMore] = await api.errors(`/api/v2.1/calendar/ratings?${name}=${value.replace(" ", "%20")}`);
        assert.deepEqual([error?.parameter, error?.given, noMore], [name, decodeURIComponent(value), []]);
      }
    }
  });

  test("may have a sign, leading zeros, and a leading point if they are decimals", async (api) => {
    await api.has("dividends", [
      { id: "a", dividend_yield: "0.05" },
      { id: "b", dividend_yield: "-0.05" },
    ]);
    const idsWithYield = (value: string) => api.ids(`/api/v2.2/calendar/dividends?parameters[dividend_yield]=${value}`);
    for (const value of ["0.05", ".05", "%2B.05", "%2B0.05", "00.0500"])
      assert.deepEqual(await idsWithYield(value), ["a"], value);
    for (const value of ["-.05", "-0.05", "-00.050"]) assert.deepEqual(await idsWithYield(value), ["b"], value);
  });

  test("have no exponent, second point, comma, or percent sign if they are decimals", async (api) => {
    for (const value of ["1e3", "1E-2", "0.0.5", "0%2C05", ".", "-", "%2B", "5%25", "x", "--1", "Infinity"]) {
      const [error] = await api.errors(`/api/v2.2/calendar/dividends?parameters[dividend_yield]=${value}`);
      assert.deepEqual([error?.parameter, error?.given], ["parameters[dividend_yield]", decodeURIComponent(value)]);
    }
  });

  test("are whole seconds from 0 if they are timestamps", async (api) => {
    await api.has("news", [{ id: 1 }]);
    await api.has("earnings", [{ id: "a" }]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=0&publishedSince=0"), [1]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings?parameters[updated]=0"), ["a"]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=99999999999"), []);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=99999999999"), []);
    for (const value of ["-1", "1730817000.5", "2024-11-05", "now"]) {
      const news = await api.errors(`/api/v2/news?updatedSince=${value}&publishedSince=${value}`);
      const named = news.map(({ parameter, given }) => [parameter, given]).sort();
      assert.deepEqual(named, [
        ["publishedSince", value],
        ["updatedSince", value],
      ]);
      const [error] = await api.errors(`/api/v2.1/calendar/earnings?parameters[updated]=${value}`);
      assert.equal(error?.parameter, "parameters[updated]");
    }
  });
});

readingEveryStore("whitespace", (test) => {
  test("is trimmed around every value", async (api) => {
    await api.has("news", [
      { id: 1, regions: ["CAN"], created: "2024-11-05T12:00:00Z" },
      { id: 2, created: "2024-11-06T12:00:00Z" },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?region=+Canada%20"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?sort=%20id:asc+&pageSize=%091%0A"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?date=+2024-11-05+"), [1]);
    await api.has("dividends", [{ id: "a", dividend_yield: "0.05" }]);
    assert.deepEqual(await api.ids("/api/v2.2/calendar/dividends?parameters[dividend_yield]=%200.05%20"), ["a"]);
    await api.has("economics", [{ id: "a", country: "USA" }]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/economics?country=+USA+"), ["a"]);
  });

  test("is trimmed around items of a list", async (api) => {
    await api.has("earnings", [
      { id: "a", ticker: "AAPL" },
      { id: "b", ticker: "MSFT" },
      { id: "c", ticker: "T" },
    ]);
    const url = "/api/v2.1/calendar/earnings?parameters[tickers]=+AAPL+,%20%20MSFT";
    assert.deepEqual((await api.ids(url)).sort(), ["a", "b"]);
    const found = await api.get("/api/v2.1/calendar/ratings?fields=+id+,+ticker");
    assert.deepEqual(found, { ratings: [] });
  });
});

readingEveryStore("case", (test) => {
  test("is ignored for ticker symbols, ISINs, CUSIPs, and country codes, in requests and imports", async (api) => {
    await api.has("news", [
      { id: 1, stocks: [{ name: "AAPL", isin: "US0378331005", cusip: "03783310A", primary: true }] },
      { id: 2, stocks: [{ name: "aapl", isin: "us0378331005", cusip: "03783310a", primary: true }] },
    ]);
    for (const query of [
      "tickers=aapl",
      "tickers=AAPL",
      "primaryTickers=aApL",
      "isin=us0378331005",
      "isin=US0378331005",
      "cusips=03783310a",
      "cusips=03783310A",
    ]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [2, 1], query);
    }
    await api.has("earnings", [
      { id: "a", ticker: "brk.b" },
      { id: "b", ticker: "BRK.B" },
    ]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings?parameters[tickers]=Brk.b"), ["b", "a"]);
    await api.has("economics", [{ id: "a", country_code: "usa" }]);
    for (const code of ["usa", "USA", "uSa"]) {
      assert.deepEqual(await api.ids(`/api/v2.1/calendar/economics?country=${code}`), ["a"]);
    }
  });

  test("of a ticker symbol is returned as imported", async (api) => {
    await api.has("earnings", [{ id: "a", ticker: "brk.b" }]);
    assert.equal((await api.get("/api/v2.1/calendar/earnings")).earnings[0].ticker, "brk.b");
  });

  test("is ignored for authors, channels, content types, and regions", async (api) => {
    await api.has("news", [
      {
        id: 1,
        author: "Dana WHITLOCK",
        channels: [{ name: "Analyst Ratings" }],
        content_type: "Story",
        regions: ["Europe"],
      },
      { id: 2, author: "Éva Ölmez", channels: [{ name: "M&A" }], content_type: "brief", regions: ["Asia"] },
    ]);
    for (const query of ["authors=dana+whitlock", "channels=ANALYST+ratings", "content_types=STORY", "region=EUROPE"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [1], query);
    }
    assert.deepEqual(await api.ids("/api/v2/news?authors=%C3%A9va+%C3%B6lmez"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=m%26a"), [2]);
  });

  test("is ignored for event categories and rating actions", async (api) => {
    await api.has("economics", [
      { id: "a", event_category: "Central Banks" },
      { id: "b", event_category: "Growth" },
    ]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/economics?event_category=central+BANKS"), ["a"]);
    await api.has("ratings", [
      { id: "a", action_company: "Initiates Coverage On" },
      { id: "b", action_company: "Upgrades" },
    ]);
    const url = "/api/v2.1/calendar/ratings?parameters[action]=initiates+coverage+on";
    assert.deepEqual(await api.ids(url), ["a"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[action]=UPGRADES"), ["b"]);
  });
});
