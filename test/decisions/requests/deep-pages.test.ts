// Decision 031: a deep page is the slice at its offset, however it is located.
import assert from "node:assert/strict";
import { type RecordInput, resourceNamed } from "../../support/clients/api.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

const days = ["2023-12-31", "2024-01-01", "2024-02-29", "2024-11-05", "2024-11-06"];
const times = ["09:30:00", "16:00:00", "07:00:00"];

/** Six hundred records on five days, of every importance. */
const calendar = Array.from(
  { length: 600 },
  (_, n): RecordInput => ({
    id: `r${n}`,
    date: days[n % 5],
    time: times[n % 3],
    importance: n % 6,
  }),
);

/** A news item every hour, for 25 days from 2024-11-01 00:00 in New York. */
const news = Array.from({ length: 600 }, (_, n): RecordInput => ({ id: n + 1, created: 1_730_433_600 + 3600 * n }));

sharingEveryStore("deep pages", (test) => {
  test("are the slice of the list at their offset", async (api) => {
    await api.has("ratings", calendar);
    const whole = await api.ids("/api/v2.1/calendar/ratings?pagesize=1000");
    assert.equal(whole.length, 600);
    for (const [page, size] of [
      [5, 50],
      [11, 50],
      [59, 10],
      [84, 7],
      [399, 1],
    ] as const) {
      const found = await api.ids(`/api/v2.1/calendar/ratings?page=${page}&pagesize=${size}`);
      assert.deepEqual(found, whole.slice(page * size, page * size + size), `page ${page} of ${size}`);
    }
  });

  test("are correct with an importance, with days, and with both", async (api) => {
    await api.has("ratings", calendar);
    for (const filter of [
      "parameters[importance]=1",
      "parameters[importance]=3",
      "parameters[date_to]=2024-11-05",
      "parameters[date_from]=2024-01-01&parameters[date_to]=2024-11-05",
      "parameters[date_from]=2024-01-01&parameters[importance]=1",
    ]) {
      const whole = await api.ids(`/api/v2.1/calendar/ratings?pagesize=1000&${filter}`);
      assert.ok(whole.length > 260, filter);
      const found = await api.ids(`/api/v2.1/calendar/ratings?page=26&pagesize=10&${filter}`);
      assert.deepEqual(found, whole.slice(260, 270), filter);
    }
  });

  test("are correct for primary guidance, earnings in ascending order, and dividends without a time", async (api) => {
    await api.has(
      "guidance",
      calendar.map((record, n) => ({ ...record, is_primary: n % 7 === 0 ? "false" : "true" })),
    );
    await api.has("earnings", calendar);
    await api.has(
      "dividends",
      calendar.map(({ time: _, ...record }) => record),
    );
    for (const list of [
      "/api/v2.1/calendar/guidance?parameters[is_primary]=Y",
      "/api/v2.1/calendar/guidance?parameters[is_primary]=All&parameters[importance]=2",
      "/api/v2.1/calendar/earnings?parameters[date_sort]=date:asc",
      "/api/v2.1/calendar/earnings?parameters[date_sort]=date:asc&parameters[date_from]=2024-01-01&parameters[importance]=1",
      "/api/v2.2/calendar/dividends?parameters[importance]=2",
    ]) {
      const whole = await api.ids(`${list}&pagesize=1000`);
      assert.ok(whole.length > 330, list);
      assert.deepEqual(await api.ids(`${list}&page=33&pagesize=10`), whole.slice(330, 340), list);
    }
  });

  test("of news are correct from the first second of a day in the service's time zone", async (api) => {
    await api.has("news", news);
    const from = (first: number) => Array.from({ length: 10 }, (_, n) => first - n);
    assert.deepEqual(await api.ids("/api/v2/news?page=30&pageSize=10"), from(300));
    // New York's clocks go back on the morning of November 3: that day has 25 hours.
    assert.deepEqual(await api.ids("/api/v2/news?page=30&pageSize=10&dateTo=2024-11-20"), from(181));
    const onward = Array.from({ length: 10 }, (_, n) => 374 + n);
    assert.deepEqual(await api.ids("/api/v2/news?page=30&pageSize=10&dateFrom=2024-11-04&sort=created:asc"), onward);
  });

  test("past the end of any list are empty", async (api) => {
    await api.has("ratings", calendar);
    await api.has("news", news);
    const page = "page=100000&pagesize";
    assert.equal((await api.fetch(`/api/v2.1/calendar/ratings?${page}=1000`)).text, '{"ratings":[]}');
    assert.equal(
      (await api.fetch(`/api/v2.1/calendar/ratings?${page}=10&parameters[date_from]=2024-11-05`)).text,
      '{"ratings":[]}',
    );
    assert.equal((await api.fetch(`/api/v2/news?${page}=100`)).text, "[]");
    assert.equal((await api.fetch(`/api/v2/news?${page}=100&sort=created:asc`)).text, "[]");
    assert.equal((await api.fetch("/api/v2/news?page=6&pagesize=100")).text, "[]");
    assert.deepEqual(await api.ids("/api/v2/news?page=599&pagesize=1"), [1]);
  });

  test("reflect an imported, moved, or removed record immediately", async (api) => {
    await api.has("ratings", calendar);
    const list = "/api/v2.1/calendar/ratings?page=30&pagesize=10";
    const [before, ...rest] = [
      await api.ids("/api/v2.1/calendar/ratings?page=299&pagesize=1"),
      ...(await api.ids(list)),
    ];
    await api.has("ratings", [{ id: "newest", date: "2025-01-01" }]);
    assert.deepEqual(await api.ids(list), [...before, ...rest.slice(0, -1)]);
    await api.has("ratings", [{ id: "newest", date: "2000-01-01" }]);
    assert.deepEqual(await api.ids(list), rest);
    await api.store.remove(resourceNamed("ratings"), ["newest"]);
    assert.deepEqual(await api.ids(list), rest);
  });
});
