// Decision 046: day counts are the lengths of each day's lists, on both databases and in every time zone.
import assert from "node:assert/strict";
import fc from "fast-check";
import { parseListQuery } from "../../../src/core/query/planner.ts";
import { parseQuery } from "../../../src/core/query/query-string.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { dayCounts } from "../../../src/resources/lists/day-counts.ts";
import type { Body } from "../../support/clients/api.ts";
import { recordsOf, testNow } from "../../support/clients/api.ts";
import { onEveryStore, type ReadApi } from "../../support/stores/every-store.ts";
import "../../support/budget.ts";

const zeros = {
  "conference-calls": 0,
  dividends: 0,
  earnings: 0,
  economics: 0,
  guidance: 0,
  news: 0,
  ratings: 0,
};

const days = async (api: ReadApi, query: string): Promise<Body[]> => (await api.get(`/api/v2.1/days?${query}`)).days;

onEveryStore("day counts", (test) => {
  test("returns every day of a range, newest first, with zeros for empty days", async (api) => {
    await api.has("ratings", [
      { id: "r1", date: "2026-11-13" },
      { id: "r2", date: "2026-11-15" },
      { id: "r3", date: "2026-11-15" },
    ]);
    await api.has("economics", [{ id: "e1", date: "2026-11-15" }]);
    assert.deepEqual(await days(api, "parameters[date_from]=2026-11-13&parameters[date_to]=2026-11-16"), [
      { ...zeros, date: "2026-11-16" },
      { ...zeros, date: "2026-11-15", ratings: 2, economics: 1 },
      { ...zeros, date: "2026-11-14" },
      { ...zeros, date: "2026-11-13", ratings: 1 },
    ]);
  });

  test("includes only what a key is licensed for, and no day before its history", async (api) => {
    await api.has("ratings", [
      { id: "r1", date: "2026-11-13" },
      { id: "r2", date: "2026-11-15" },
    ]);
    await api.has("economics", [{ id: "e1", date: "2026-11-16" }]);
    const range = "parameters[date_from]=2026-11-13&parameters[date_to]=2026-11-15";
    const daysOf = async (key: string, query: string): Promise<Body[]> =>
      (await api.request(`/api/v2.1/days?${query}`, { headers: { authorization: `Bearer ${key}` } })).json.days;
    const narrow = await api.key({ resources: ["ratings"], history: "2026-11-14" });
    assert.deepEqual(await daysOf(narrow, range), [
      { date: "2026-11-15", ratings: 1 },
      { date: "2026-11-14", ratings: 0 },
    ]);
    assert.deepEqual((await daysOf(narrow, ""))[0], { date: "2026-11-15", ratings: 1 });
    assert.equal((await days(api, range)).length, 3);
  });

  test("excludes records hidden by a delay, and days that have no others", async (api) => {
    const old = testNow - 3600;
    await api.has("ratings", [
      { id: "r1", date: "2026-01-14", updated: old },
      { id: "r2", date: "2026-01-14", updated: testNow - 60 },
      { id: "r3", date: "2026-01-20", updated: testNow - 60 },
    ]);
    await api.has("news", [
      { id: 1, created: old },
      { id: 2, created: testNow - 60 },
    ]);
    const headers = { authorization: `Bearer ${await api.key({ delay: 15 })}` };
    const daysOf = async (query: string): Promise<Body[]> =>
      (await api.request(`/api/v2.1/days?${query}`, { headers })).json.days;
    const seen = [
      { ...zeros, date: "2026-01-15", news: 1 },
      { ...zeros, date: "2026-01-14", ratings: 1 },
    ];
    assert.deepEqual(await daysOf(""), seen);
    assert.deepEqual(await daysOf("parameters[date_from]=2026-01-14&parameters[date_to]=2026-01-15"), seen);
    assert.deepEqual((await days(api, ""))[0], { ...zeros, date: "2026-01-20", ratings: 1 });
    api.clock.now += 900;
    assert.deepEqual(await daysOf("pagesize=1"), [{ ...zeros, date: "2026-01-20", ratings: 1 }]);
    assert.deepEqual(await daysOf("parameters[date]=2026-01-14"), [{ ...zeros, date: "2026-01-14", ratings: 2 }]);
  });

  test("returns correct counts to a delayed key after a large import, when most records are hidden", async (api) => {
    const records = Array.from({ length: 2500 }, (_, index) => ({
      id: `r${index}`,
      date: index % 2 === 0 ? "2026-01-14" : "2026-01-13",
      updated: index < 10 ? testNow - 3600 : testNow - 60,
    }));
    await api.has("ratings", records);
    const headers = { authorization: `Bearer ${await api.key({ delay: 15 })}` };
    assert.deepEqual((await api.request("/api/v2.1/days", { headers })).json.days, [
      { ...zeros, date: "2026-01-14", ratings: 5 },
      { ...zeros, date: "2026-01-13", ratings: 5 },
    ]);
  });

  test("sorts the keys of a day alphabetically, as in every record", async (api) => {
    const { text } = await api.fetch("/api/v2.1/days?parameters[date]=2026-11-13");
    assert.equal(
      text,
      '{"days":[{"conference-calls":0,"date":"2026-11-13","dividends":0,"earnings":0,"economics":0,"guidance":0,"news":0,"ratings":0}]}',
    );
  });

  test("without a range, pages from the last day with any record back to the first", async (api) => {
    assert.deepEqual(await days(api, ""), []);
    await api.has("dividends", [{ id: "d1", date: "2026-10-30" }]);
    await api.has("earnings", [{ id: "e1", date: "2026-11-02" }]);
    const dates = (found: Body[]) => found.map(({ date }) => date);
    assert.deepEqual(dates(await days(api, "")), ["2026-11-02", "2026-11-01", "2026-10-31", "2026-10-30"]);
    assert.deepEqual(dates(await days(api, "pagesize=3")), ["2026-11-02", "2026-11-01", "2026-10-31"]);
    assert.deepEqual(dates(await days(api, "pagesize=3&page=1")), ["2026-10-30"]);
    assert.deepEqual(dates(await days(api, "pagesize=3&page=2")), []);
    assert.deepEqual(dates(await days(api, "parameters[date_from]=2026-11-01")), ["2026-11-02", "2026-11-01"]);
    assert.deepEqual(dates(await days(api, "parameters[date_to]=2026-10-31")), ["2026-10-31", "2026-10-30"]);
    assert.deepEqual(dates(await days(api, "parameters[date_from]=2026-12-01")), []);
  });

  test("can start or end with a day that only has news, in the service's time zone", async (api) => {
    // 23:30 in New York on the 1st is the 2nd in UTC.
    await api.has("news", [{ id: 1, created: "2026-11-01T23:30:00-05:00" }]);
    assert.deepEqual(await days(api, ""), [{ ...zeros, date: "2026-11-01", news: 1 }]);
  });

  test("excludes secondary guidance, which isn't listed either", async (api) => {
    await api.has("guidance", [
      { id: "g1", date: "2026-11-13", is_primary: "true" },
      { id: "g2", date: "2026-11-13", is_primary: "false" },
    ]);
    assert.deepEqual(await days(api, "parameters[date]=2026-11-13"), [{ ...zeros, date: "2026-11-13", guidance: 1 }]);
  });

  test("serves the longest and most distant ranges", async (api) => {
    await api.has("news", [
      { id: 1, created: "1970-01-01T00:00:00Z" },
      { id: 2, created: "2106-02-07T06:28:15Z" },
    ]);
    assert.equal((await days(api, "pagesize=400&parameters[date_to]=2026-11-15")).length, 400);
    assert.equal((await days(api, "parameters[date]=0001-01-01"))[0].news, 0);
    assert.equal((await days(api, "parameters[date]=9999-12-31"))[0].news, 0);
    assert.equal((await days(api, "parameters[date]=1969-12-31"))[0].news, 1);
    assert.equal((await days(api, "parameters[date]=2106-02-07"))[0].news, 1);
    assert.deepEqual(await api.errors("/api/v2.1/days?pagesize=401"), [
      { parameter: "pagesize", given: "401", expected: "an integer from 1 to 400" },
    ]);
  });

  test("changes the ETag when any resource changes, and counts the change in the next response", async (api) => {
    const url = "/api/v2.1/days?parameters[date]=2026-11-13";
    const { headers } = await api.fetch(url);
    assert.equal((await api.fetch(url, { "if-none-match": headers.etag ?? "" })).status, 304);
    for (const { name, order } of catalog) {
      const before = await api.fetch(url);
      const id = name === "news" ? 7 : "x7";
      const when = { [order[0]?.column ?? ""]: name === "news" ? "2026-11-13T15:00:00Z" : "2026-11-13" };
      await api.has(name, [{ id, ...when, ...(name === "guidance" ? { is_primary: "true" } : {}) }]);
      const after = await api.fetch(url, { "if-none-match": before.headers.etag ?? "" });
      assert.equal(after.json.days[0][name], 1, name);
    }
  });

  test("can be explained: the statement that counts, and the one that finds the days", async (api) => {
    const { rendering } = await api.store.state();
    const explained = async (query: string) => {
      const reading = parseListQuery(dayCounts, parseQuery(query).query, rendering);
      return "ok" in reading ? api.store.explain(reading.ok.plan) : assert.fail("rejected");
    };
    assert.match((await explained("")).sql, /from ratings t order by t\.date/);
    const { sql, steps } = await explained("parameters[date]=2026-11-13");
    assert.match(sql, /ratings_count/);
    assert.ok(steps.length > 0);
  });

  test("rejects a missing key, and one without the scope read", async (api) => {
    const key = await api.key({ scopes: ["write"] });
    const rejected = await api.request("/api/v2.1/days", { headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual([rejected.status, rejected.json.code], [403, "key.scope"]);
    assert.equal((await api.request("/api/v2.1/days")).status, 401);
  });

  for (const zone of ["America/New_York", "Asia/Kolkata", "Pacific/Apia", "UTC"]) {
    test(
      `${zone}: every count is the length of that day's list`,
      async (api) => {
        // Days around a clock change.
        const date = fc.integer({ min: 28, max: 31 }).map((day) => `2026-10-${day}`);
        const later = fc.integer({ min: 1, max: 3 }).map((day) => `2026-11-0${day}`);
        const [drawn] = fc.sample(fc.array(fc.oneof(date, later), { minLength: 60, maxLength: 60 }), 1);
        const seconds = fc.sample(fc.integer({ min: 1_793_145_600, max: 1_793_750_400 }), 120);
        for (const { name } of catalog.filter(({ packedKey }) => packedKey === undefined))
          await api.has(
            name,
            (drawn ?? []).map((date, index) => ({ id: `${name}-${index}`, date })),
          );
        await api.has(
          "news",
          seconds.map((second, id) => ({ id: id + 1, created: new Date(second * 1000).toISOString() })),
        );
        const counted = await days(api, "parameters[date_from]=2026-10-27&parameters[date_to]=2026-11-04");
        assert.equal(counted.length, 9);
        for (const { date, ...counts } of counted) {
          for (const { name, path, intake } of catalog) {
            const { size, days: names } = intake;
            const url = `${path}?${names.from}=${date}&${names.to}=${date}&${size.name}=${size.max}`;
            let found = 0;
            for (let page = 0, got = size.max; got === size.max; page++) {
              got = recordsOf(await api.get(`${url}&page=${page}`)).length;
              found += got;
            }
            assert.equal(counts[name], found, `${name} on ${date}`);
          }
        }
      },
      { rendering: { zone } },
    );
  }
});
