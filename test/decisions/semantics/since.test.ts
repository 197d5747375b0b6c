// Since-filters: at or after a timestamp, sorted by that timestamp, oldest first.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const calendars = [
  ["ratings", "/api/v2.1/calendar/ratings"],
  ["dividends", "/api/v2.2/calendar/dividends"],
  ["guidance", "/api/v2.1/calendar/guidance"],
  ["earnings", "/api/v2.1/calendar/earnings"],
  ["economics", "/api/v2.1/calendar/economics"],
  ["conference-calls", "/api/v2.1/calendar/conference-calls"],
] as const;

readingEveryStore("updatedSince and publishedSince", (test) => {
  test("match items at or after the timestamp", async (api) => {
    await api.has("news", [
      { id: 1, created: 999, updated: 1999 },
      { id: 2, created: 1000, updated: 2000 },
      { id: 3, created: 1001, updated: 2001 },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=2000"), [2, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=2001"), [3]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=2002"), []);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=1000"), [2, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=1002"), []);
  });

  test("sort by their own timestamp, oldest first", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, updated: 5000 },
      { id: 2, created: 3000, updated: 3000 },
      { id: 3, created: 2000, updated: 4000 },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=0"), [2, 3, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=0"), [1, 3, 2]);
  });

  test("break ties by ID, ascending, and page through them without loss", async (api) => {
    await api.has(
      "news",
      [5, 3, 1, 4, 2].map((id) => ({ id, created: 1000, updated: 2000 })),
    );
    for (const filter of ["updatedSince=2000", "publishedSince=1000"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}`), [1, 2, 3, 4, 5]);
      const pages = [0, 1, 2].map((page) => api.ids(`/api/v2/news?${filter}&pageSize=2&page=${page}`));
      assert.deepEqual((await Promise.all(pages)).flat(), [1, 2, 3, 4, 5]);
    }
  });

  test("must both match if combined, sorted by updated", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, updated: 9000 },
      { id: 2, created: 2000, updated: 8000 },
      { id: 3, created: 3000, updated: 7000 },
      { id: 4, created: 4000, updated: 6000 },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=7000&publishedSince=2000"), [3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=2000&updatedSince=7000"), [3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=0&updatedSince=0"), [4, 3, 2, 1]);
  });

  test("are overridden by an explicit sort, individually and combined", async (api) => {
    await api.has("news", [
      { id: 1, created: 3000, updated: 4000 },
      { id: 2, created: 1000, updated: 6000 },
      { id: 3, created: 2000, updated: 5000 },
    ]);
    for (const filter of ["updatedSince=0", "publishedSince=0", "updatedSince=0&publishedSince=0"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=id:desc`), [3, 2, 1], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?sort=id:asc&${filter}`), [1, 2, 3], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=created:desc`), [1, 3, 2], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=created:asc`), [2, 3, 1], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=updated:desc`), [2, 3, 1], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=updated:asc`), [1, 3, 2], filter);
    }
  });

  test("still filter if sort is set", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, updated: 1000 },
      { id: 2, created: 2000, updated: 2000 },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=2000&sort=id:asc"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?publishedSince=2000&sort=id:asc"), [2]);
  });

  test("combine with other filters and keep their order", async (api) => {
    await api.has("news", [
      { id: 1, updated: 4000, created: 1000, stocks: [{ name: "AAPL" }] },
      { id: 2, updated: 3000, created: 1000, stocks: [{ name: "AAPL" }] },
      { id: 3, updated: 5000, created: 1000, stocks: [{ name: "MSFT" }] },
      { id: 4, updated: 2000, created: 1000, stocks: [{ name: "AAPL" }] },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=3000&tickers=AAPL"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=3000&tickers=AAPL,MSFT"), [2, 1, 3]);
  });

  test("treat an item that was never updated as updated when it was created", async (api) => {
    await api.has("news", [{ id: 1, created: 5000 }]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=5000"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?updatedSince=5001"), []);
  });
});

readingEveryStore("parameters[updated]", (test) => {
  test("matches records at or after the timestamp, oldest first, ties by ID ascending, on every calendar", async (api) => {
    for (const [name, path] of calendars) {
      const input = name === "guidance" ? { is_primary: "true" } : {};
      await api.has(name, [
        { id: "f", updated: 999, date: "2024-01-09", ...input },
        { id: "d", updated: 1000, date: "2024-01-01", ...input },
        { id: "b", updated: 1001, date: "2024-01-03", ...input },
        { id: "a", updated: 1001, date: "2024-01-02", ...input },
        { id: "c", updated: 1001, date: "2024-01-05", ...input },
        { id: "e", updated: 3000, date: "2024-01-04", ...input },
      ]);
      assert.deepEqual(await api.ids(`${path}?parameters[updated]=1000`), ["d", "a", "b", "c", "e"], name);
      assert.deepEqual(await api.ids(`${path}?parameters[updated]=1001&pagesize=2&page=1`), ["c", "e"], name);
      assert.deepEqual(await api.ids(`${path}?parameters[updated]=3001`), [], name);
    }
  });

  test("overrides any date_sort", async (api) => {
    await api.has("earnings", [
      { id: "a", date: "2024-01-01", updated: 3000 },
      { id: "b", date: "2024-01-02", updated: 1000 },
      { id: "c", date: "2024-01-03", updated: 2000 },
    ]);
    for (const sort of ["date", "date:desc", "date:asc"]) {
      const url = `/api/v2.1/calendar/earnings?parameters[date_sort]=${sort}&parameters[updated]=0`;
      assert.deepEqual(await api.ids(url), ["b", "c", "a"]);
    }
    await api.has("dividends", [
      { id: "a", ex_dividend_date: "2024-01-01", updated: 3000 },
      { id: "b", ex_dividend_date: "2024-01-02", updated: 1000 },
      { id: "c", ex_dividend_date: "2024-01-03", updated: 2000 },
    ]);
    for (const sort of ["announced", "ex", "payable", "record"]) {
      const url = `/api/v2.2/calendar/dividends?parameters[updated]=0&parameters[date_sort]=${sort}`;
      assert.deepEqual(await api.ids(url), ["b", "c", "a"]);
    }
  });

  test("combines with other filters", async (api) => {
    await api.has("ratings", [
      { id: "a", date: "2024-01-01", updated: 2000, ticker: "AAPL", importance: 3 },
      { id: "b", date: "2024-01-02", updated: 1000, ticker: "AAPL", importance: 3 },
      { id: "c", date: "2024-01-02", updated: 1500, ticker: "AAPL", importance: 1 },
      { id: "d", date: "2024-02-02", updated: 1500, ticker: "MSFT", importance: 3 },
    ]);
    const url = "/api/v2.1/calendar/ratings?parameters[updated]=1000";
    assert.deepEqual(await api.ids(`${url}&parameters[tickers]=AAPL`), ["b", "c", "a"]);
    assert.deepEqual(await api.ids(`${url}&parameters[importance]=2`), ["b", "d", "a"]);
    assert.deepEqual(await api.ids(`${url}&parameters[date]=2024-01-02`), ["b", "c"]);
  });
});
