// Named cases in addition to random ones: where databases, or a database and JavaScript, are known to compare, sort, or
// count differently. Those of search are in traps-topics.test.ts.
import assert from "node:assert/strict";
import { readingEveryStore } from "../support/stores/every-store.ts";

readingEveryStore("orders", (test) => {
  test("dividends without the chosen date come last, and ties are broken by date, then by ID", async (api) => {
    await api.has("dividends", [
      { id: "a", date: "2024-11-01", ex_dividend_date: "" },
      { id: "b", date: "2024-11-02", ex_dividend_date: "2024-12-01" },
      { id: "c", date: "2024-11-03", ex_dividend_date: null },
      { id: "d", date: "2024-11-02", ex_dividend_date: "2024-12-01" },
      { id: "e", date: "2024-11-03", ex_dividend_date: "2024-12-01" },
      { id: "f", date: "2024-11-09", ex_dividend_date: "2024-11-30" },
      { id: "g", date: "2024-11-03" },
    ]);
    const order = ["e", "d", "b", "f", "g", "c", "a"];
    assert.deepEqual(await api.ids("/api/v2.2/calendar/dividends?parameters[date_sort]=ex"), order);
    // None of these has the other dates, so that only date and ID are left.
    const byDate = ["f", "g", "e", "c", "d", "b", "a"];
    assert.deepEqual(await api.ids("/api/v2.2/calendar/dividends?parameters[date_sort]=payable"), byDate);
    assert.deepEqual(await api.ids("/api/v2.2/calendar/dividends?parameters[date_sort]=record"), byDate);
    assert.deepEqual(await api.ids("/api/v2.2/calendar/dividends?parameters[date_sort]=announced"), byDate);
    // The since-filter forces its own order.
    const forced = "/api/v2.2/calendar/dividends?parameters[date_sort]=ex&parameters[updated]=0";
    assert.deepEqual(await api.ids(forced), ["a", "b", "c", "d", "e", "f", "g"]);
  });

  test("text IDs are sorted by code point, not by locale and not by UTF-16", async (api) => {
    // Ａ (U+FF21) is below 😀 (U+1F600) by code point, and above its first half in UTF-16.
    const ascending = ["1", "B", "Z", "_", "a", "aa", "ab", "b", "é", "Ａ", "Ａ1", "😀", "😀a", "😁"];
    await api.has(
      "ratings",
      ascending.toReversed().map((id) => ({ id, date: "2024-11-05", updated: 7 })),
    );
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[updated]=0"), ascending);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings"), ascending.toReversed());
  });

  test("clock times and session codes are sorted as text, and an empty one is the smallest", async (api) => {
    const ascending = ["", "08:00:00", "16:05:00", "amc", "bmo", "dmh"];
    await api.has(
      "earnings",
      ascending.map((time, index) => ({ id: `${9 - index}`, date: "2024-11-05", time })),
    );
    const times = async (sort: string): Promise<string[]> => {
      const url = `/api/v2.1/calendar/earnings?parameters[date_sort]=${sort}`;
      return (await api.get(url)).earnings.map(({ time }: { time: string }) => time);
    };
    assert.deepEqual(await times("date:asc"), ascending);
    assert.deepEqual(await times("date:desc"), ascending.toReversed());
    assert.deepEqual(await times("date"), ascending.toReversed());
    assert.deepEqual(await times(""), ascending.toReversed());
  });

  test("news of the same second is sorted by number, not by the text of its ID", async (api) => {
    const ids = [1, 2, 9, 10, 11, 100, 2_147_483_647, 2_147_483_648, 4_294_967_295];
    await api.has(
      "news",
      ids.map((id) => ({ id, created: 1_730_800_000 })),
    );
    for (const field of ["id", "created", "updated"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?sort=${field}:asc`), ids);
      assert.deepEqual(await api.ids(`/api/v2/news?sort=${field}:desc`), ids.toReversed());
    }
    assert.deepEqual(await api.ids("/api/v2/news"), ids.toReversed());
  });
});

readingEveryStore("numbers", (test) => {
  test("a yield is compared as a number, and returned as the original text", async (api) => {
    const yields = [
      "10",
      "9",
      "0.05",
      "0.0500",
      ".05",
      "+0.050",
      "0",
      "-0",
      "-0.00",
      "-1",
      "-10.5",
      "",
      "0.10000000000000000001",
    ];
    await api.has(
      "dividends",
      yields.map((dividend_yield) => ({ id: dividend_yield || "none", dividend_yield })),
    );
    const found = async (operation: string, bound: string): Promise<string[]> => {
      const url = `/api/v2.2/calendar/dividends?parameters[dividend_yield]=${encodeURIComponent(bound)}&parameters[dividend_yield_operation]=${operation}`;
      const body = await api.get(url);
      return body.dividends.map((record: { dividend_yield: string }) => record.dividend_yield).sort();
    };
    const same = [".05", "+0.050", "0.05", "0.0500"].sort();
    assert.deepEqual(await found("gt", "9"), ["10"]);
    assert.deepEqual(await found("gte", "9.0"), ["10", "9"]);
    for (const bound of ["0.05", "00.0500", ".05", "+.05"]) {
      assert.deepEqual(await found("eq", bound), same);
      assert.deepEqual(await found("", bound), same);
    }
    assert.deepEqual(await found("eq", "-0"), ["-0", "-0.00", "0"]);
    assert.deepEqual(await found("lt", "0"), ["-1", "-10.5"]);
    assert.deepEqual(await found("lt", "-1"), ["-10.5"]);
    // A double can't distinguish these two.
    assert.deepEqual(await found("gt", "0.1"), ["0.10000000000000000001", "10", "9"]);
    assert.deepEqual(await found("eq", "0.1"), []);
    // An unknown yield is neither below nor above anything.
    assert.equal((await found("lt", "99999999")).length + (await found("gte", "99999999")).length, yields.length - 1);
  });

  test("numbers beyond 32 bits keep every digit", async (api) => {
    const updated = Number.MAX_SAFE_INTEGER;
    await api.has("guidance", [
      { id: "a", is_primary: "true", updated },
      { id: "b", is_primary: "true", updated: updated - 1 },
    ]);
    const { text } = await api.fetch(`/api/v2.1/calendar/guidance?parameters[updated]=${updated}`);
    assert.ok(text.includes('"updated":9007199254740991}'), text);
    assert.deepEqual(await api.ids(`/api/v2.1/calendar/guidance?parameters[updated]=${updated - 1}`), ["b", "a"]);
  });

  test("news matches at both ends of the supported time range", async (api) => {
    const last = 2 ** 32 - 1;
    await api.has("news", [
      { id: last, created: 0, updated: 1 },
      { id: 1, created: last },
      { id: 2, created: last - 1 },
      { id: 3, created: 1 },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news"), [1, 2, 3, last]);
    assert.deepEqual(await api.ids(`/api/v2/news?publishedSince=${last}`), [1]);
    assert.deepEqual(await api.ids(`/api/v2/news?publishedSince=${last + 1}`), []);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=0"), [last, 3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=1"), [3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?date=1969-12-31"), [3, last]);
    assert.deepEqual(await api.ids("/api/v2/news?date=2106-02-07"), [1, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?dateFrom=0001-01-01&dateTo=9999-12-31"), [1, 2, 3, last]);
    assert.deepEqual(await api.ids("/api/v2/news?dateTo=1900-01-01"), []);
    assert.deepEqual(await api.ids("/api/v2/news?dateFrom=2200-01-01"), []);
  });
});

readingEveryStore("symbols", (test) => {
  test("tickers match in any case, and are returned as imported", async (api) => {
    await api.has("conference-calls", [
      { id: "1", ticker: "brk.b" },
      { id: "2", ticker: "BRK.B" },
      { id: "3", ticker: " Brk.b " },
      { id: "4", ticker: "BRK" },
      { id: "5", ticker: "" },
    ]);
    for (const list of ["brk.b", "BRK.B", "Brk.B,bRK.b", "+brk.b+,,"]) {
      const found = (await api.get(`/api/v2.1/calendar/conference-calls?parameters[tickers]=${list}`))[
        "conference-calls"
      ];
      assert.deepEqual(
        found.map(({ id, ticker }: { id: string; ticker: string }) => [id, ticker]),
        [
          ["3", " Brk.b "],
          ["2", "BRK.B"],
          ["1", "brk.b"],
        ],
        list,
      );
    }
  });

  test("a list of only commas is ignored, and an empty ticker never matches", async (api) => {
    await api.has("earnings", [
      { id: "1", ticker: "" },
      { id: "2", ticker: "F" },
    ]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings?parameters[tickers]=,,+,"), ["2", "1"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings?parameters[tickers]=,f,"), ["2"]);
  });

  test("lists of every length match the same as their items one by one", async (api) => {
    // A store may pad lists to certain lengths to limit the number of statements.
    const tickers = Array.from({ length: 50 }, (_, index) => `T${index}`);
    await api.has(
      "ratings",
      tickers.map((ticker, index) => ({ id: String(1000 + index), ticker })),
    );
    await api.has(
      "news",
      tickers.map((name, index) => ({ id: 1000 + index, stocks: [{ name }, { name: "ALL" }] })),
    );
    for (let count = 1; count <= 50; count++) {
      const expected = Array.from({ length: count }, (_, index) => 1000 + count - 1 - index);
      const list = tickers.slice(0, count).join(",");
      const calendar = await api.ids(`/api/v2.1/calendar/ratings?parameters[tickers]=${list}`);
      assert.deepEqual(calendar.map(Number), expected);
      assert.deepEqual(await api.ids(`/api/v2/news?pageSize=100&tickers=${list}`), expected);
      assert.deepEqual(await api.ids(`/api/v2/news?pageSize=100&sort=updated:desc&tickers=${list}`), expected);
    }
    assert.equal((await api.ids("/api/v2/news?pageSize=100&tickers=ALL,T1,T2")).length, 50);
  });

  test("a value that nearly every record has matches like a rare one", async (api) => {
    // A store may scan the order and test each record instead of collecting thousands. Updates reverse the order.
    const items = Array.from({ length: 4900 }, (_, index) => index + 1).map((id) => ({
      id,
      created: 1_730_000_000 - id,
      updated: 1_730_000_000 + id,
      channels: [{ name: id % 7 === 0 ? "Other" : "Common" }],
      stocks: [{ name: id % 1000 === 0 ? "RARE" : "OFTEN" }],
    }));
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?channels=common&pageSize=7"), [1, 2, 3, 4, 5, 6, 8]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=common&sort=id:asc&pageSize=7"), [1, 2, 3, 4, 5, 6, 8]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=common&sort=updated:desc&pageSize=2"), [4899, 4898]);
    assert.deepEqual(
      await api.ids("/api/v2/news?channels=none,common&updatedSince=0&pageSize=5&page=1"),
      [6, 8, 9, 10, 11],
    );
    assert.deepEqual(await api.ids("/api/v2/news?channels=other&sort=updated:desc&pageSize=2"), [4900, 4893]);
    const often = "/api/v2/news?tickers=often&sort=id:desc&pageSize=2";
    assert.deepEqual(await api.ids(`${often}&channels=other`), [4900, 4893]);
    assert.deepEqual(await api.ids(`${often}&channels=common&page=450`), [3848, 3847]);
    assert.deepEqual(
      await api.ids("/api/v2/news?tickers=rare&channels=common&sort=updated:desc"),
      [4000, 3000, 2000, 1000],
    );
  });
});
