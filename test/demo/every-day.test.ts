// The demo has records of each kind that the page shows on every business day, busy reporting seasons, and results for
// the requests in the README.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type DemoRecord, type DemoResource, demoParts, demoRecords } from "../../demo/demo.ts";
import { standardRatings } from "../../src/resources/simplify.ts";
import { businessDays } from "./business-days.ts";
import { text } from "./generated.ts";

/** Minimum counts on a business day. Dividends are listed by ex-date and counted by announcement. */
const least: Record<DemoResource | "ex-dividend", number> = {
  news: 10,
  ratings: 5,
  dividends: 2,
  "ex-dividend": 2,
  guidance: 2,
  earnings: 3,
  economics: 3,
  "conference-calls": 3,
};

const newYork = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/New_York" });

const dayOf = (resource: DemoResource, record: DemoRecord): string =>
  resource === "news" ? newYork.format(Number(record.created) * 1000) : text(record, "date");

/** Records of each kind by day, as of `today`, from two years back or from a later day on. */
function countsOn(today: string, from?: string): Map<keyof typeof least, Map<string, number>> {
  const counts = new Map<keyof typeof least, Map<string, number>>();
  const add = (kind: keyof typeof least, day: string) => {
    const days = counts.get(kind) ?? new Map<string, number>();
    counts.set(kind, days.set(day, (days.get(day) ?? 0) + 1));
  };
  for (const { resource, records } of demoParts({ today, ...(from && { from }) })) {
    for (const record of records) {
      add(resource, dayOf(resource, record));
      if (resource === "dividends") add("ex-dividend", text(record, "ex_dividend_date"));
    }
  }
  return counts;
}

// The past doesn't change, so the last day of two years has what each day showed.
describe("on every business day of 2026 and 2027", () => {
  let counts: ReturnType<typeof countsOn>;
  before(() => {
    counts = countsOn("2027-12-31");
  });

  for (const kind of Object.keys(least) as (keyof typeof least)[]) {
    test(`there is enough of ${kind}`, () => {
      const days = counts.get(kind);
      // The window opens with 2026: what went ex-dividend in its first weeks was announced before.
      const from = kind === "ex-dividend" ? "2026-02-01" : "2026-01-01";
      for (const day of businessDays(from, "2027-12-31")) {
        const count = days?.get(day) ?? 0;
        assert.ok(count >= least[kind], `${day} has ${count} of ${kind}`);
      }
    });
  }

  test("the busiest weeks of a reporting season have at least four times as many reports as the quietest", () => {
    const weeks = new Map<number, number[]>();
    for (const day of businessDays("2026-01-01", "2027-12-31")) {
      const week = Math.floor((Date.parse(day) / 86_400_000 + 3) / 7);
      weeks.set(week, [...(weeks.get(week) ?? []), counts.get("earnings")?.get(day) ?? 0]);
    }
    const sums = [...weeks.values()].filter((days) => days.length === 5).map((days) => days.reduce((a, b) => a + b));
    assert.ok(Math.max(...sums) >= 4 * Math.min(...sums), `${Math.max(...sums)} and ${Math.min(...sums)}`);
  });
});

describe("on a day itself", () => {
  // A leap day, spring, a reporting season, a Tuesday in mid-November, and the week of holidays.
  for (const today of ["2028-02-29", "2028-04-05", "2028-07-27", "2028-11-14", "2028-12-27"]) {
    test(`${today} shows enough of everything`, () => {
      // What goes ex-dividend was announced within a month before.
      const counts = countsOn(today, businessDays("2028-01-01", today).at(-21) ?? "2028-01-03");
      for (const [kind, count] of Object.entries(least)) {
        const there = counts.get(kind as keyof typeof least)?.get(today) ?? 0;
        assert.ok(there >= count, `${there} of ${kind}`);
      }
    });
  }
});

describe("the tour of the README", () => {
  const simplified = (rating: string): string | undefined =>
    Object.entries(standardRatings).find(([, words]) => (words as readonly string[]).includes(rating))?.[0];

  test("shows upgrades and downgrades that change more than wording", () => {
    let changes = 0;
    for (const record of demoRecords("ratings", { today: "2026-11-17" })) {
      if (!["Upgrades", "Downgrades"].includes(text(record, "action_company"))) continue;
      const [now, then] = [text(record, "rating_current"), text(record, "rating_prior")].map(simplified);
      assert.ok(now !== undefined && then !== undefined && now !== then, JSON.stringify(record));
      changes++;
    }
    assert.ok(changes > 200, String(changes));
  });

  test("finds a body in every item whose title mentions a price target, the latest at most two weeks old", () => {
    const from = "2025-11-17";
    const found = [...demoRecords("news", { today: "2026-11-17", from })].filter((item) =>
      /price target/i.test(text(item, "title")),
    );
    for (const item of found) assert.notEqual(text(item, "body"), "", text(item, "title"));
    const days = new Set(found.map((item) => dayOf("news", item)));
    const all = businessDays(from, "2026-11-17");
    for (let at = 10; at <= all.length; at++) {
      assert.ok(
        all.slice(at - 10, at).some((day) => days.has(day)),
        `none in the two weeks before ${all[at - 1]}`,
      );
    }
  });
});
