// Parameters of single calendars: primary guidance, order of earnings, country and category of economics, importance.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("is_primary of guidance", (test) => {
  const url = "/api/v2.1/calendar/guidance";
  const primary = ["true", "TRUE", "True", "y", "Y", "yes", "YES", "Yes", "1"];
  const secondary = ["false", "FALSE", "n", "N", "no", "0", "", "2", "t", "on", "primary", "truth", "11"];
  const records = [...primary, ...secondary].map((text) => ({ id: `g:${text}`, is_primary: text }));
  const ids = (texts: readonly string[]) => texts.map((text) => `g:${text}`).sort();

  test("treats true, y, yes, and 1 in any case as primary, and everything else as secondary", async (api) => {
    await api.has("guidance", [...records, { id: "g:absent" }]);
    const found = async (value: string) => (await api.ids(`${url}?parameters[is_primary]=${value}`)).sort();
    assert.deepEqual(await found("Y"), ids(primary));
    assert.deepEqual(await found("N"), ids([...secondary, "absent"]));
    assert.deepEqual(await found("All"), ids([...primary, ...secondary, "absent"]));
  });

  test("defaults to Y", async (api) => {
    await api.has("guidance", records);
    assert.deepEqual((await api.ids(url)).sort(), ids(primary));
  });

  test("is returned as imported", async (api) => {
    await api.has("guidance", records);
    for (const { id, is_primary } of (await api.get(`${url}?parameters[is_primary]=All`)).guidance) {
      assert.equal(id, `g:${is_primary}`);
    }
  });

  test("combines with other filters, as does the default", async (api) => {
    await api.has("guidance", [
      { id: "a", ticker: "AAPL", is_primary: "true" },
      { id: "b", ticker: "AAPL", is_primary: "false" },
      { id: "c", ticker: "MSFT", is_primary: "true" },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL`), ["a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL&parameters[is_primary]=N`), ["b"]);
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL&parameters[is_primary]=All`), ["b", "a"]);
  });
});

readingEveryStore("date_sort of earnings", (test) => {
  const url = "/api/v2.1/calendar/earnings";
  const records = [
    { id: "a", date: "2024-01-02", time: "amc" },
    { id: "b", date: "2024-01-02", time: "bmo" },
    { id: "c", date: "2024-01-01", time: "bmo" },
    { id: "d", date: "2024-01-03", time: "" },
    { id: "e", date: "2024-01-02", time: "bmo" },
    { id: "f", date: "2024-01-02", time: "" },
  ];
  const newest = ["d", "e", "b", "a", "f", "c"];

  test("sorts by date, time, and ID descending for date:desc and for plain date", async (api) => {
    await api.has("earnings", records);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date:desc`), newest);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date`), newest);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date%3Adesc`), newest);
    assert.deepEqual(await api.ids(url), newest);
  });

  test("sorts by date, time, and ID ascending for date:asc", async (api) => {
    await api.has("earnings", records);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=date:asc`), newest.toReversed());
  });

  test("applies along with filters and pages", async (api) => {
    await api.has(
      "earnings",
      records.map((record) => ({ ...record, ticker: "AAPL", importance: 4 })),
    );
    const filtered = `${url}?parameters[date_sort]=date:asc&parameters[tickers]=AAPL&parameters[importance]=4`;
    assert.deepEqual(await api.ids(filtered), newest.toReversed());
    assert.deepEqual(await api.ids(`${filtered}&pagesize=2&page=1`), ["a", "b"]);
    assert.deepEqual(await api.ids(`${filtered}&parameters[date_from]=2024-01-03`), ["d"]);
  });
});

readingEveryStore("country of economics", (test) => {
  const url = "/api/v2.1/calendar/economics";

  test("is the alpha-3 code of the record's country, however the record names it", async (api) => {
    await api.has("economics", [
      { id: "a", country: "United States" },
      { id: "b", country: "USA" },
      { id: "c", country: "us" },
      { id: "d", country_code: "USA" },
      { id: "e", country: "Canada" },
      { id: "f" },
    ]);
    assert.deepEqual(await api.ids(`${url}?country=USA`), ["d", "c", "b", "a"]);
    assert.deepEqual(await api.ids(`${url}?country=CAN`), ["e"]);
    assert.deepEqual(await api.ids(`${url}?country=JPN`), []);
  });

  test("accepts EMU for the euro area", async (api) => {
    await api.has("economics", [
      { id: "a", country: "Euro Area" },
      { id: "b", country: "EMU" },
      { id: "c", country: "Germany" },
    ]);
    assert.deepEqual(await api.ids(`${url}?country=EMU`), ["b", "a"]);
    const found = await api.get(`${url}?country=EMU`);
    for (const { country } of found.economics) assert.equal(country, "Euro Area");
  });

  test("accepts every ISO 3166-1 alpha-3 code", async (api) => {
    for (const code of [
      "AFG",
      "AUS",
      "BRA",
      "CHE",
      "CHN",
      "DEU",
      "FRA",
      "GBR",
      "HKG",
      "IND",
      "JPN",
      "KOR",
      "MEX",
      "NZL",
      "SWE",
      "TWN",
      "ZAF",
      "ZWE",
    ]) {
      assert.deepEqual(await api.ids(`${url}?country=${code}`), [], code);
    }
  });

  test("rejects anything else", async (api) => {
    for (const country of [
      "US",
      "us",
      "United States",
      "XXX",
      "ZZZ",
      "EUR",
      "UK",
      "EU",
      "USAA",
      "840",
      "USA,CAN",
      "Atlantis",
    ]) {
      const [error, ...noMore] = await api.errors(`${url}?country=${encodeURIComponent(country)}`);
      assert.deepEqual([error?.parameter, error?.given, noMore], ["country", country, []]);
    }
  });

  test("is returned as the country's English name", async (api) => {
    await api.has("economics", [
      { id: "a", country: "US" },
      { id: "b", country: "GBR" },
      { id: "c", country: "jpn" },
      { id: "d", country_code: "DEU" },
      { id: "e", country: "EMU" },
      { id: "f", country: "United Kingdom" },
    ]);
    const found = (await api.get(url)).economics.toReversed();
    assert.deepEqual(
      found.map((each: { country: string }) => each.country),
      ["United States", "United Kingdom", "Japan", "Germany", "Euro Area", "United Kingdom"],
    );
  });

  test("combines with a list of categories, any of which matches", async (api) => {
    await api.has("economics", [
      { id: "a", country: "USA", event_category: "Inflation" },
      { id: "b", country: "USA", event_category: "Growth" },
      { id: "c", country: "CAN", event_category: "Inflation" },
      { id: "d", country: "USA", event_category: "Central Banks" },
    ]);
    assert.deepEqual(await api.ids(`${url}?event_category=Inflation`), ["c", "a"]);
    assert.deepEqual(await api.ids(`${url}?event_category=Inflation,Central+Banks`), ["d", "c", "a"]);
    assert.deepEqual(await api.ids(`${url}?country=USA&event_category=Inflation,Central+Banks`), ["d", "a"]);
    assert.deepEqual(await api.ids(`${url}?event_category=Central`), []);
  });
});

readingEveryStore("parameters[importance]", (test) => {
  test("is greater than or equal, from 0 to 5, on ratings, dividends, guidance, and earnings", async (api) => {
    for (const [name, path] of [
      ["ratings", "/api/v2.1/calendar/ratings"],
      ["dividends", "/api/v2.2/calendar/dividends"],
      ["guidance", "/api/v2.1/calendar/guidance"],
      ["earnings", "/api/v2.1/calendar/earnings"],
    ] as const) {
      const input = name === "guidance" ? { is_primary: "true" } : {};
      await api.has(
        name,
        [0, 1, 2, 3, 4, 5].map((importance) => ({ id: `i${importance}`, importance, ...input })),
      );
      for (let least = 0; least <= 5; least++) {
        const expected = ["i5", "i4", "i3", "i2", "i1", "i0"].slice(0, 6 - least);
        assert.deepEqual(await api.ids(`${path}?parameters[importance]=${least}`), expected, `${name} ${least}`);
      }
      const [error] = await api.errors(`${path}?parameters[importance]=6`);
      assert.deepEqual([error?.parameter, error?.given], ["parameters[importance]", "6"]);
    }
  });

  test("is greater than or equal, from 1 to 3, on economics", async (api) => {
    const url = "/api/v2.1/calendar/economics";
    await api.has(
      "economics",
      [1, 2, 3].map((importance) => ({ id: `i${importance}`, importance })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=1`), ["i3", "i2", "i1"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=2`), ["i3", "i2"]);
    assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i3"]);
    for (const value of ["0", "4", "5"]) {
      const [error] = await api.errors(`${url}?parameters[importance]=${value}`);
      assert.deepEqual([error?.parameter, error?.given], ["parameters[importance]", value]);
    }
  });

  test("treats an unknown importance as 0", async (api) => {
    await api.has("earnings", [{ id: "a" }, { id: "b", importance: 1 }]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings?parameters[importance]=0"), ["b", "a"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings?parameters[importance]=1"), ["b"]);
  });
});
