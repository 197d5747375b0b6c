// Orders: the defaults of calendars and news, ties, empty dates and times, and IDs compared by code point.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const timed = [
  ["ratings", "/api/v2.1/calendar/ratings"],
  ["guidance", "/api/v2.1/calendar/guidance"],
  ["earnings", "/api/v2.1/calendar/earnings"],
  ["economics", "/api/v2.1/calendar/economics"],
  ["conference-calls", "/api/v2.1/calendar/conference-calls"],
] as const;

const primary = (name: string) => (name === "guidance" ? { is_primary: "true" } : {});

readingEveryStore("the default order of calendars", (test) => {
  test("is by date, then time, then ID, all descending", async (api) => {
    for (const [name, path] of timed) {
      const records = [
        { id: "a", date: "2024-01-02", time: "09:00:00" },
        { id: "b", date: "2024-01-03", time: "08:00:00" },
        { id: "c", date: "2024-01-02", time: "16:30:00" },
        { id: "d", date: "2024-01-02", time: "16:30:00" },
        { id: "e", date: "2023-12-31", time: "23:59:59" },
      ];
      await api.has(
        name,
        records.map((record) => ({ ...record, ...primary(name) })),
      );
      assert.deepEqual(await api.ids(path), ["b", "d", "c", "a", "e"], name);
    }
  });

  test("is by date, then ID, both descending, for dividends, which have no time", async (api) => {
    await api.has("dividends", [
      { id: "b", date: "2024-01-02" },
      { id: "c", date: "2024-01-01" },
      { id: "a", date: "2024-01-02" },
    ]);
    assert.deepEqual(await api.ids("/api/v2.2/calendar/dividends"), ["b", "a", "c"]);
  });

  test("puts future dates first, since it is chronological", async (api) => {
    for (const [name, path] of [...timed, ["dividends", "/api/v2.2/calendar/dividends"]] as const) {
      await api.has(name, [
        { id: "today", date: "2026-01-15", ...primary(name) },
        { id: "far", date: "2099-12-31", ...primary(name) },
        { id: "past", date: "1999-12-31", ...primary(name) },
      ]);
      assert.deepEqual(await api.ids(path), ["far", "today", "past"], name);
    }
  });

  test("puts records without a time after those of the same day that have one", async (api) => {
    for (const [name, path] of timed) {
      await api.has(name, [
        { id: "z", date: "2024-01-02", ...primary(name) },
        { id: "a", date: "2024-01-02", time: "00:00:00", ...primary(name) },
        { id: "b", date: "2024-01-01", time: "23:00:00", ...primary(name) },
      ]);
      assert.deepEqual(await api.ids(path), ["a", "z", "b"], name);
    }
  });

  test("compares session codes and clock times of earnings as text", async (api) => {
    await api.has(
      "earnings",
      ["amc", "bmo", "dmh", "09:30:00", "16:30:00", ""].map((time) => ({ id: `t${time}`, time })),
    );
    const newest = ["tdmh", "tbmo", "tamc", "t16:30:00", "t09:30:00", "t"];
    assert.deepEqual(await api.ids("/api/v2.1/calendar/earnings"), newest);
    const oldest = await api.ids("/api/v2.1/calendar/earnings?parameters[date_sort]=date:asc");
    assert.deepEqual(oldest, newest.toReversed());
  });

  test("doesn't depend on the order of import", async (api) => {
    const records = ["c", "a", "d", "b"].map((id) => ({ id, date: "2024-01-02", time: "10:00:00" }));
    await api.has("ratings", records);
    await api.has("economics", records.toReversed());
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings"), ["d", "c", "b", "a"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/economics"), ["d", "c", "b", "a"]);
  });

  test("is preserved by filters that use another index", async (api) => {
    await api.has("ratings", [
      { id: "a", date: "2024-01-01", ticker: "MSFT", analyst_id: "x", action_company: "Upgrades" },
      { id: "b", date: "2024-01-03", ticker: "AAPL", analyst_id: "y", action_company: "Upgrades" },
      { id: "c", date: "2024-01-02", ticker: "MSFT", analyst_id: "x", action_company: "Upgrades" },
    ]);
    const url = "/api/v2.1/calendar/ratings";
    assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL,MSFT`), ["b", "c", "a"]);
    assert.deepEqual(await api.ids(`${url}?analyst=x,y`), ["b", "c", "a"]);
    assert.deepEqual(await api.ids(`${url}?parameters[action]=Upgrades`), ["b", "c", "a"]);
  });
});

readingEveryStore("IDs as tie-breakers", (test) => {
  test("compare as text by code point: uppercase before lowercase, the astral planes last", async (api) => {
    const byCodePoint = ["", "10", "2", "B", "a", "z", "é", "\uffee", "\u{1f600}"].map((id) => `x${id}`);
    await api.has(
      "ratings",
      byCodePoint.toReversed().map((id) => ({ id, updated: 1000 })),
    );
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings"), byCodePoint.toReversed());
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[updated]=1000"), byCodePoint);
    await api.has(
      "earnings",
      byCodePoint.map((id) => ({ id })),
    );
    const url = "/api/v2.1/calendar/earnings?parameters[date_sort]=date";
    assert.deepEqual(await api.ids(`${url}:asc`), byCodePoint);
    assert.deepEqual(await api.ids(`${url}:desc`), byCodePoint.toReversed());
  });

  test("compare as numbers for news", async (api) => {
    await api.has(
      "news",
      [9, 10, 100, 4_294_967_295, 2_147_483_648].map((id) => ({ id })),
    );
    const ascending = [9, 10, 100, 2_147_483_648, 4_294_967_295];
    assert.deepEqual(await api.ids("/api/v2/news?sort=id:asc"), ascending);
    assert.deepEqual(await api.ids("/api/v2/news"), ascending.toReversed());
  });

  test("are sorted in the direction of the order for news", async (api) => {
    await api.has(
      "news",
      [2, 3, 1].map((id) => ({ id, created: 1000, updated: 1000 })),
    );
    for (const field of ["created", "updated", "id"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?sort=${field}:asc`), [1, 2, 3], field);
      assert.deepEqual(await api.ids(`/api/v2/news?sort=${field}:desc`), [3, 2, 1], field);
    }
    assert.deepEqual(await api.ids("/api/v2/news"), [3, 2, 1]);
  });

  test("make pages of news add up to the whole list without duplicates, in every order", async (api) => {
    const records = Array.from({ length: 23 }, (_, index) => ({
      id: index + 1,
      created: 1000 + (index % 3),
      updated: 2000 + (index % 4),
    }));
    await api.has("news", records);
    const orders = ["id:asc", "id:desc", "created:asc", "created:desc", "updated:asc", "updated:desc"];
    for (const order of [...orders.map((sort) => `sort=${sort}`), "updatedSince=0", "publishedSince=0"]) {
      const whole = await api.ids(`/api/v2/news?${order}&pageSize=100`);
      const pages: (string | number)[] = [];
      for (let page = 0; page < 5; page++)
        pages.push(...(await api.ids(`/api/v2/news?${order}&pageSize=5&page=${page}`)));
      assert.deepEqual(pages, whole, order);
      assert.equal(new Set(pages).size, 23);
    }
  });

  test("make pages of dividends add up to the whole list without duplicates, in every order", async (api) => {
    const records = Array.from({ length: 23 }, (_, index) => ({
      id: `d${index}`,
      date: `2024-01-0${1 + (index % 3)}`,
      ex_dividend_date: index % 4 === 0 ? "" : `2024-02-0${1 + (index % 2)}`,
      updated: 1000 + (index % 3),
    }));
    await api.has("dividends", records);
    for (const order of ["", "parameters[date_sort]=announced", "parameters[date_sort]=ex", "parameters[updated]=0"]) {
      const url = `/api/v2.2/calendar/dividends?${order}`;
      const whole = await api.ids(url);
      const pages: (string | number)[] = [];
      for (let page = 0; page < 5; page++) pages.push(...(await api.ids(`${url}&pagesize=5&page=${page}`)));
      assert.deepEqual(pages, whole, order);
      assert.equal(new Set(pages).size, 23);
    }
  });
});

readingEveryStore("the order of news", (test) => {
  const records = [
    { id: 2, created: 3000, updated: 4000 },
    { id: 1, created: 1000, updated: 6000 },
    { id: 3, created: 2000, updated: 5000 },
  ];

  test("is newest first by default", async (api) => {
    await api.has("news", records);
    assert.deepEqual(await api.ids("/api/v2/news"), [2, 3, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?sort=created:desc"), [2, 3, 1]);
  });

  test("follows the field and the direction of sort", async (api) => {
    await api.has("news", records);
    assert.deepEqual(await api.ids("/api/v2/news?sort=created:asc"), [1, 3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?sort=updated:asc"), [2, 3, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?sort=updated:desc"), [1, 3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?sort=id:asc"), [1, 2, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?sort=id:desc"), [3, 2, 1]);
  });

  test("is the same whichever filter is used", async (api) => {
    const same = { stocks: [{ name: "AAPL" }], channels: [{ name: "News" }], author: "D", title: "Apple" };
    await api.has(
      "news",
      records.map((record) => ({ ...record, ...same })),
    );
    for (const filter of [
      "tickers=AAPL",
      "channels=News",
      "authors=D",
      "tickers=AAPL,MSFT&channels=News",
      "topics=apple",
    ]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}`), [2, 3, 1], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=created:asc`), [1, 3, 2], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=updated:desc`), [1, 3, 2], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&sort=id:asc`), [1, 2, 3], filter);
      assert.deepEqual(await api.ids(`/api/v2/news?${filter}&updatedSince=0`), [2, 3, 1], filter);
    }
  });
});
