// Days in requests: strictly YYYY-MM-DD, real, one day or a range with both ends included.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const endpoints = [
  ["/api/v2/news", "date", "dateFrom", "dateTo"],
  ["/api/v2.1/calendar/ratings", "parameters[date]", "parameters[date_from]", "parameters[date_to]"],
  ["/api/v2.2/calendar/dividends", "parameters[date]", "parameters[date_from]", "parameters[date_to]"],
  ["/api/v2.1/calendar/guidance", "parameters[date]", "parameters[date_from]", "parameters[date_to]"],
  ["/api/v2.1/calendar/earnings", "parameters[date]", "parameters[date_from]", "parameters[date_to]"],
  ["/api/v2.1/calendar/economics", "parameters[date]", "parameters[date_from]", "parameters[date_to]"],
  ["/api/v2.1/calendar/conference-calls", "parameters[date]", "parameters[date_from]", "parameters[date_to]"],
] as const;

readingEveryStore("days", (test) => {
  test("must be real days written as YYYY-MM-DD, on every endpoint", async (api) => {
    const bad = [
      "2024-1-5",
      "24-01-05",
      "2024/01/05",
      "20240105",
      "05-01-2024",
      "2024-13-01",
      "2024-00-10",
      "2024-04-31",
    ];
    const worse = [
      "2023-02-29",
      "1900-02-29",
      "2024-01-00",
      "2024-01-05T00:00:00",
      "today",
      "1704412800",
      "-2024-01-05",
    ];
    for (const [path, ...names] of endpoints) {
      for (const name of names) {
        for (const value of [...bad, ...worse]) {
          const errors = await api.errors(`${path}?${name}=${value}`);
          assert.deepEqual(
            errors.map(({ parameter, given }) => [parameter, given]),
            [[name, value]],
            `${path} ${name}=${value}`,
          );
          assert.match(errors[0]?.expected ?? "", /YYYY-MM-DD/);
        }
      }
    }
  });

  test("include leap days", async (api) => {
    for (const [path, ...names] of endpoints) {
      for (const name of names) for (const day of ["2024-02-29", "2000-02-29"]) await api.get(`${path}?${name}=${day}`);
    }
  });

  test("reject a single day combined with either end of a range, with one error each, even if they agree", async (api) => {
    for (const [path, on, from, to] of endpoints) {
      for (const [names, days] of [
        [
          [on, from],
          ["2024-01-05", "2024-01-05"],
        ],
        [
          [on, to],
          ["2024-01-05", "2024-01-06"],
        ],
        [
          [on, from, to],
          ["2024-01-05", "2024-01-01", "2024-01-31"],
        ],
      ] as const) {
        const errors = await api.errors(`${path}?${names.map((name, index) => `${name}=${days[index]}`).join("&")}`);
        assert.deepEqual(
          errors.map(({ parameter, given }) => [parameter, given]).sort(),
          names.map((name, index) => [name, days[index]]).sort(),
        );
      }
    }
  });

  test("reject a range that ends before it starts, with one error for each end", async (api) => {
    for (const [path, , from, to] of endpoints) {
      const errors = await api.errors(`${path}?${from}=2024-01-06&${to}=2024-01-05`);
      assert.deepEqual(
        errors.map(({ parameter, given }) => [parameter, given]).sort(),
        [
          [from, "2024-01-06"],
          [to, "2024-01-05"],
        ].sort(),
      );
      await api.get(`${path}?${from}=2024-01-05&${to}=2024-01-05`);
    }
  });

  test("include both ends of a range, and either end is optional", async (api) => {
    const days = ["2024-01-04", "2024-01-05", "2024-01-06", "2024-01-07", "2024-01-08"];
    await api.has(
      "news",
      days.map((day, index) => ({ id: index + 4, created: `${day}T12:00:00-05:00` })),
    );
    for (const [path, on, from, to] of endpoints) {
      const name = path.split("/").at(-1) as string;
      const primary = name === "guidance" ? { is_primary: "true" } : {};
      const ids = name === "news" ? [4, 5, 6, 7, 8] : ["d4", "d5", "d6", "d7", "d8"];
      if (name !== "news")
        await api.has(
          name,
          days.map((date, index) => ({ id: ids[index], date, ...primary })),
        );
      const newest = ids.toReversed();
      assert.deepEqual(await api.ids(`${path}?${from}=2024-01-05&${to}=2024-01-07`), newest.slice(1, 4), path);
      assert.deepEqual(await api.ids(`${path}?${from}=2024-01-07`), newest.slice(0, 2), path);
      assert.deepEqual(await api.ids(`${path}?${to}=2024-01-05`), newest.slice(3), path);
      assert.deepEqual(await api.ids(`${path}?${on}=2024-01-06`), newest.slice(2, 3), path);
      assert.deepEqual(await api.ids(`${path}?${from}=2024-01-06&${to}=2024-01-06`), newest.slice(2, 3), path);
      assert.deepEqual(await api.ids(`${path}?${on}=2024-02-06`), [], path);
    }
  });
});
