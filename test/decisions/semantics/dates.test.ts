// The day of a news item: printed and filtered in the service's time zone, never the host's.
import assert from "node:assert/strict";
import { onEveryStore, readingEveryStore } from "../../support/stores/every-store.ts";

/** Items one second before, at both ends of, and one second after each local day. */
const edges = {
  // Clocks go forward: 23 hours.
  spring: [
    { id: 1, created: "2024-03-09T23:59:59-05:00" },
    { id: 2, created: "2024-03-10T00:00:00-05:00" },
    { id: 3, created: "2024-03-10T01:59:59-05:00" },
    { id: 4, created: "2024-03-10T03:00:00-04:00" },
    { id: 5, created: "2024-03-10T23:59:59-04:00" },
    { id: 6, created: "2024-03-11T00:00:00-04:00" },
  ],
  // Clocks go back: 25 hours.
  autumn: [
    { id: 1, created: "2024-11-02T23:59:59-04:00" },
    { id: 2, created: "2024-11-03T00:00:00-04:00" },
    { id: 3, created: "2024-11-03T01:30:00-04:00" },
    { id: 4, created: "2024-11-03T01:30:00-05:00" },
    { id: 5, created: "2024-11-03T23:59:59-05:00" },
    { id: 6, created: "2024-11-04T00:00:00-05:00" },
  ],
};

readingEveryStore("the day of a news item", (test) => {
  test("prints created and updated in New York time, with the offset in effect", async (api) => {
    await api.has("news", [
      { id: 1, created: "2024-11-05T14:30:00Z", updated: "2024-11-05T14:31:05Z" },
      { id: 2, created: "2024-07-04T14:30:00Z", updated: 1_720_103_405 },
    ]);
    const found = await api.get("/api/v2/news?sort=id:asc");
    assert.equal(found[0].created, "Tue, 05 Nov 2024 09:30:00 -0500");
    assert.equal(found[0].updated, "Tue, 05 Nov 2024 09:31:05 -0500");
    assert.equal(found[1].created, "Thu, 04 Jul 2024 10:30:00 -0400");
    assert.equal(found[1].updated, "Thu, 04 Jul 2024 10:30:05 -0400");
  });

  test("distinguishes by offset the two hours that read alike when clocks go back", async (api) => {
    await api.has("news", edges.autumn);
    const found = await api.get("/api/v2/news?sort=id:asc");
    assert.equal(found[2].created, "Sun, 03 Nov 2024 01:30:00 -0400");
    assert.equal(found[3].created, "Sun, 03 Nov 2024 01:30:00 -0500");
  });

  test("contains its first and last second and none of other days if it has 23 hours", async (api) => {
    await api.has("news", edges.spring);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-03-09"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-03-10"), [5, 4, 3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-03-11"), [6]);
  });

  test("contains its first and last second and none of other days if it has 25 hours", async (api) => {
    await api.has("news", edges.autumn);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-02"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-03"), [5, 4, 3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-04"), [6]);
  });

  test("is included from its first second to its last at both ends of a range", async (api) => {
    await api.has("news", edges.spring);
    assert.deepEqual(await api.ids("/api/v2/news?dateFrom=2024-03-10"), [6, 5, 4, 3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?dateTo=2024-03-10"), [5, 4, 3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?dateFrom=2024-03-10&dateTo=2024-03-10"), [5, 4, 3, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?dateFrom=2024-03-09&dateTo=2024-03-11"), [6, 5, 4, 3, 2, 1]);
  });

  test("is the day in New York even if it is already the next one in UTC", async (api) => {
    await api.has("news", [{ id: 1, created: "2024-01-06T02:00:00Z" }]);
    const found = await api.get("/api/v2/news?date=2024-01-05");
    assert.equal(found[0].created, "Fri, 05 Jan 2024 21:00:00 -0500");
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-01-06"), []);
  });

  test("filters by created, not by updated", async (api) => {
    await api.has("news", [{ id: 1, created: "2024-01-05T12:00:00-05:00", updated: "2024-01-08T12:00:00-05:00" }]);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-01-05"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?dateFrom=2024-01-05&dateTo=2024-01-05"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-01-08"), []);
    assert.deepEqual(await api.ids("/api/v2/news?dateFrom=2024-01-06"), []);
  });

  test("combines with since-filters", async (api) => {
    await api.has("news", edges.spring);
    const stamp = Date.UTC(2024, 2, 10, 7) / 1000;
    assert.deepEqual(await api.ids(`/api/v2/news?date=2024-03-10&publishedSince=${stamp}`), [4, 5]);
  });
});

onEveryStore("a different service time zone", (test) => {
  const midnight = [
    { id: 1, created: "2024-03-30T23:59:59+01:00" },
    { id: 2, created: "2024-03-31T00:00:00+01:00" },
    { id: 3, created: "2024-03-31T23:59:59+02:00" },
    { id: 4, created: "2024-04-01T00:00:00+02:00" },
  ];

  test(
    "applies both to printed times and to day filters",
    async (api) => {
      await api.has("news", midnight);
      assert.deepEqual(await api.ids("/api/v2/news?date=2024-03-31"), [3, 2]);
      const found = await api.get("/api/v2/news?sort=id:asc");
      assert.deepEqual(
        found.map((item: { created: string }) => item.created),
        [
          "Sat, 30 Mar 2024 23:59:59 +0100",
          "Sun, 31 Mar 2024 00:00:00 +0100",
          "Sun, 31 Mar 2024 23:59:59 +0200",
          "Mon, 01 Apr 2024 00:00:00 +0200",
        ],
      );
    },
    { rendering: { zone: "Europe/Berlin" } },
  );

  test(
    "may be half an hour off, or UTC",
    async (api) => {
      await api.has("news", [
        { id: 1, created: "2024-11-05T18:29:59Z" },
        { id: 2, created: "2024-11-05T18:30:00Z" },
      ]);
      assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-05"), [1]);
      assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-06"), [2]);
      assert.equal((await api.get("/api/v2/news"))[0].created, "Wed, 06 Nov 2024 00:00:00 +0530");
      await api.store.render({ zone: "UTC" });
      assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-05"), [2, 1]);
      assert.equal((await api.get("/api/v2/news"))[0].created, "Tue, 05 Nov 2024 18:30:00 +0000");
    },
    { rendering: { zone: "Asia/Kolkata" } },
  );

  test("prints the day that its filter matches, hour by hour across both clock changes", async (api) => {
    const hours = Array.from({ length: 72 }, (_, hour) => hour * 3600);
    const from = [Date.UTC(2024, 2, 9) / 1000, Date.UTC(2024, 10, 2) / 1000];
    const stamps = from.flatMap((start) => hours.map((hour) => start + hour));
    await api.has(
      "news",
      stamps.map((created, index) => ({ id: index + 1, created })),
    );
    const months: Record<string, string> = { Mar: "03", Nov: "11" };
    let seen = 0;
    for (const day of [
      "2024-03-08",
      "2024-03-09",
      "2024-03-10",
      "2024-03-11",
      "2024-03-12",
      "2024-11-01",
      "2024-11-02",
      "2024-11-03",
      "2024-11-04",
      "2024-11-05",
    ]) {
      const found = await api.get(`/api/v2/news?pageSize=100&date=${day}`);
      for (const { created } of found) {
        const [, date, month, year] = created.split(" ");
        assert.equal(`${year}-${months[month]}-${date}`, day);
      }
      seen += found.length;
    }
    assert.equal(seen, stamps.length);
  });

  test("takes precedence over the host's time zone", async (api) => {
    const before = process.env.TZ;
    try {
      process.env.TZ = "Asia/Tokyo";
      await api.has("news", edges.spring);
      assert.deepEqual(await api.ids("/api/v2/news?date=2024-03-10"), [5, 4, 3, 2]);
      assert.equal((await api.get("/api/v2/news"))[0].created, "Mon, 11 Mar 2024 00:00:00 -0400");
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});
