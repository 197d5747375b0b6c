// Dividends: the order that date_sort selects, and the yield compared as a number.
import assert from "node:assert/strict";
import { type ReadApi, readingEveryStore } from "../../support/stores/every-store.ts";

const url = "/api/v2.2/calendar/dividends";

const chosen = [
  ["ex", "ex_dividend_date"],
  ["payable", "payable_date"],
  ["record", "record_date"],
] as const;

readingEveryStore("date_sort of dividends", (test) => {
  test("sorts by the chosen date, newest first", async (api) => {
    await api.has("dividends", [
      {
        id: "a",
        date: "2024-01-04",
        ex_dividend_date: "2024-02-01",
        record_date: "2024-02-06",
        payable_date: "2024-03-02",
      },
      {
        id: "b",
        date: "2024-01-03",
        ex_dividend_date: "2024-02-03",
        record_date: "2024-02-04",
        payable_date: "2024-03-01",
      },
      {
        id: "c",
        date: "2024-01-02",
        ex_dividend_date: "2024-02-02",
        record_date: "2024-02-05",
        payable_date: "2024-03-03",
      },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=announced`), ["a", "b", "c"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=ex`), ["b", "c", "a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=record`), ["a", "c", "b"]);
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=payable`), ["c", "a", "b"]);
  });

  for (const [sort, field] of chosen) {
    test(`${sort} breaks ties by date, then ID, both descending`, async (api) => {
      await api.has("dividends", [
        { id: "a", date: "2024-01-02", [field]: "2024-02-01" },
        { id: "b", date: "2024-01-01", [field]: "2024-02-01" },
        { id: "c", date: "2024-01-02", [field]: "2024-02-01" },
        { id: "d", date: "2024-01-09", [field]: "2024-01-31" },
      ]);
      assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=${sort}`), ["c", "a", "b", "d"]);
    });

    test(`${sort} sorts records without that date last, by date and ID, descending`, async (api) => {
      await api.has("dividends", [
        { id: "a", date: "2024-01-05", [field]: "" },
        { id: "b", date: "2024-01-01", [field]: "1999-01-01" },
        { id: "c", date: "2024-01-06" },
        { id: "d", date: "2024-01-06", [field]: null },
        { id: "e", date: "2024-01-02", [field]: "2024-02-01" },
      ]);
      assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=${sort}`), ["e", "b", "d", "c", "a"]);
    });

    test(`${sort} only changes the order: day filters still apply to date`, async (api) => {
      await api.has("dividends", [
        { id: "a", date: "2024-01-02", [field]: "2024-02-01" },
        { id: "b", date: "2024-01-03", [field]: "2024-01-02" },
        { id: "c", date: "2024-01-02", [field]: "2024-02-05" },
      ]);
      assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=${sort}&parameters[date]=2024-01-02`), ["c", "a"]);
      const range = "parameters[date_from]=2024-01-03&parameters[date_to]=2024-02-28";
      assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=${sort}&${range}`), ["b"]);
    });
  }

  test("announced is the default and breaks ties by ID, descending", async (api) => {
    await api.has(
      "dividends",
      ["b", "c", "a"].map((id) => ({ id, date: "2024-01-02" })),
    );
    assert.deepEqual(await api.ids(`${url}?parameters[date_sort]=announced`), ["c", "b", "a"]);
    assert.deepEqual(await api.ids(url), ["c", "b", "a"]);
  });

  test("combines with tickers, importance, and the yield", async (api) => {
    const input = { ticker: "KO", importance: 3, dividend_yield: "0.03" };
    await api.has("dividends", [
      { id: "a", ex_dividend_date: "2024-02-01", ...input },
      { id: "b", ex_dividend_date: "2024-02-03", ...input },
      { id: "c", ...input },
      { id: "d", ex_dividend_date: "2024-02-02", ...input, ticker: "PEP" },
    ]);
    const sorted = `${url}?parameters[date_sort]=ex`;
    assert.deepEqual(await api.ids(`${sorted}&parameters[tickers]=KO,PEP`), ["b", "d", "a", "c"]);
    assert.deepEqual(await api.ids(`${sorted}&parameters[tickers]=KO&parameters[importance]=3`), ["b", "a", "c"]);
    assert.deepEqual(await api.ids(`${sorted}&parameters[dividend_yield]=0.03`), ["b", "d", "a", "c"]);
  });
});

readingEveryStore("ex_dividend_date of dividends", (test) => {
  test("matches dividends with that ex-date, newest announcement first, and none without one", async (api) => {
    await api.has("dividends", [
      { id: "a", date: "2024-01-02", ex_dividend_date: "2024-02-01" },
      { id: "b", date: "2024-01-04", ex_dividend_date: "2024-02-01" },
      { id: "c", date: "2024-02-01", ex_dividend_date: "2024-02-02" },
      { id: "d", date: "2024-02-01" },
    ]);
    assert.deepEqual(await api.ids(`${url}?parameters[ex_dividend_date]=2024-02-01`), ["b", "a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[ex_dividend_date]=2024-02-03`), []);
    const range = (from: string, to: string): string =>
      `${url}?parameters[ex_dividend_date_from]=${from}&parameters[ex_dividend_date_to]=${to}`;
    assert.deepEqual(await api.ids(range("2024-02-01", "2024-02-01")), ["b", "a"]);
    assert.deepEqual(await api.ids(range("2024-01-30", "2024-02-01")), ["b", "a"]);
    assert.deepEqual(await api.ids(range("2024-02-02", "2024-02-03")), ["c"]);
    assert.deepEqual(await api.ids(`${url}?parameters[ex_dividend_date]=2024-02-01&parameters[date_to]=2024-01-03`), [
      "a",
    ]);
  });
});

readingEveryStore("dividend_yield", (test) => {
  const yields = ["0", "0.02", "0.0250", "0.025000", ".03", "0.1", "1", "1.5", "-0.01", ""];
  const have = (api: ReadApi) =>
    api.has(
      "dividends",
      yields.map((text) => ({ id: `y${text}`, dividend_yield: text })),
    );
  const sortedIds = async (api: ReadApi, query: string) => (await api.ids(`${url}?${query}`)).sort();

  test("is compared as a number and returned as written", async (api) => {
    await have(api);
    const found = await api.get(`${url}?parameters[dividend_yield]=0.025`);
    const shown = found.dividends.map((each: { id: string; dividend_yield: string }) => [each.id, each.dividend_yield]);
    assert.deepEqual(shown.sort(), [
      ["y0.0250", "0.0250"],
      ["y0.025000", "0.025000"],
    ]);
  });

  test("matches 0.05, 0.0500, .05, and 00.05 with each other", async (api) => {
    await api.has(
      "dividends",
      ["0.05", "0.0500", ".05", "00.05", "+0.05", "0.050000001"].map((text) => ({ id: text, dividend_yield: text })),
    );
    for (const value of ["0.05", "0.0500", ".05", "000.05", "%2B0.05"]) {
      const found = await sortedIds(api, `parameters[dividend_yield]=${value}`);
      assert.deepEqual(found, ["+0.05", ".05", "0.05", "0.0500", "00.05"].sort(), value);
    }
  });

  test("treats zero the same with any sign and any number of decimals", async (api) => {
    await api.has(
      "dividends",
      ["0", "0.000", "-0", "+0.0", "0.0001", ""].map((text) => ({ id: `z${text}`, dividend_yield: text })),
    );
    for (const value of ["0", "0.0", "-0", "00"]) {
      assert.deepEqual(
        await sortedIds(api, `parameters[dividend_yield]=${value}`),
        ["z+0.0", "z-0", "z0", "z0.000"],
        value,
      );
    }
  });

  test("is compared by the operation, by default for equality", async (api) => {
    await have(api);
    for (const [operation, ids] of [
      ["gt", ["y.03", "y0.1", "y1", "y1.5"]],
      ["gte", ["y.03", "y0.0250", "y0.025000", "y0.1", "y1", "y1.5"]],
      ["eq", ["y0.0250", "y0.025000"]],
      ["lte", ["y-0.01", "y0", "y0.02", "y0.0250", "y0.025000"]],
      ["lt", ["y-0.01", "y0", "y0.02"]],
      ["", ["y0.0250", "y0.025000"]],
    ] as const) {
      const query = `parameters[dividend_yield]=0.025&parameters[dividend_yield_operation]=${operation}`;
      assert.deepEqual(await sortedIds(api, query), [...ids].sort(), operation);
    }
  });

  test("is a fraction: 1 means 100 percent", async (api) => {
    await have(api);
    assert.deepEqual(await sortedIds(api, "parameters[dividend_yield]=1"), ["y1"]);
    assert.deepEqual(await sortedIds(api, "parameters[dividend_yield]=1&parameters[dividend_yield_operation]=gt"), [
      "y1.5",
    ]);
  });

  test("compares numbers of different length as numbers, not as text", async (api) => {
    await api.has(
      "dividends",
      ["9", "10", "0.9", "0.10", "100", "-2", "-10"].map((text) => ({ id: text, dividend_yield: text })),
    );
    const above = (value: string) =>
      sortedIds(api, `parameters[dividend_yield]=${value}&parameters[dividend_yield_operation]=gt`);
    assert.deepEqual(await above("9"), ["10", "100"]);
    assert.deepEqual(await above("0.5"), ["0.9", "10", "100", "9"]);
    assert.deepEqual(await above("-3"), ["-2", "0.10", "0.9", "10", "100", "9"]);
    const below = await sortedIds(api, "parameters[dividend_yield]=-1&parameters[dividend_yield_operation]=lt");
    assert.deepEqual(below, ["-10", "-2"]);
  });

  test("matches nothing if the record's is empty, whatever the operation", async (api) => {
    await api.has("dividends", [{ id: "a", dividend_yield: "" }, { id: "b" }]);
    for (const operation of ["gt", "gte", "eq", "lte", "lt"]) {
      for (const value of ["0", "-1", "1"]) {
        const query = `parameters[dividend_yield]=${value}&parameters[dividend_yield_operation]=${operation}`;
        assert.deepEqual(await sortedIds(api, query), [], `${operation} ${value}`);
      }
    }
    assert.deepEqual(await sortedIds(api, ""), ["a", "b"]);
  });

  test("is required by an operation", async (api) => {
    for (const query of [
      "parameters[dividend_yield_operation]=gt",
      "parameters[dividend_yield]=&parameters[dividend_yield_operation]=gt",
    ]) {
      const [error, ...noMore] = await api.errors(`${url}?${query}`);
      assert.deepEqual([error?.parameter, error?.given, noMore], ["parameters[dividend_yield_operation]", "gt", []]);
    }
  });

  test("preserves the default order", async (api) => {
    await api.has("dividends", [
      { id: "a", date: "2024-01-01", dividend_yield: "0.09" },
      { id: "b", date: "2024-01-03", dividend_yield: "0.05" },
      { id: "c", date: "2024-01-02", dividend_yield: "0.07" },
    ]);
    const query = "parameters[dividend_yield]=0.01&parameters[dividend_yield_operation]=gt";
    assert.deepEqual(await api.ids(`${url}?${query}`), ["b", "c", "a"]);
  });
});
