// Computations of the ticker and operator views: active targets, means, guidance results, upcoming events, usage.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { agoOf, bytesText, durationText } from "../../../web/format/amount.ts";
import { addDays, clockText, relativeDay } from "../../../web/format/day.ts";
import { rangeText, rangeTone } from "../../../web/format/range.ts";
import { domainOf, scaleTo, ticksOf } from "../../../web/format/scale.ts";
import { limitedUsage, usageByKey } from "../../../web/views/operator/key-usage.ts";
import { changedTerms, termsOf, textOfTerm } from "../../../web/views/operator/terms.ts";
import { guidanceRows } from "../../../web/views/ticker/guidance-rows.ts";
import { nextEvents } from "../../../web/views/ticker/next-events.ts";
import { firmsOf, meansOf, ratingsOf, runsOf } from "../../../web/views/ticker/targets/targets.ts";
import "../../support/budget.ts";

const today = "2026-06-17";

const rating = (firm: string, date: string, target: string, details: object = {}) => ({
  id: `${firm}-${date}`,
  firm_id: firm,
  analyst: `Firm ${firm}`,
  date,
  time: "09:00:00",
  action_company: "Maintains",
  pt_current: target,
  adjusted_pt_current: "",
  pt_prior: "",
  adjusted_pt_prior: "",
  ...details,
});

const firmsFrom = (records: readonly object[]) => firmsOf(ratingsOf(records as never), today);

describe("price targets", () => {
  test("a firm's last target is active for a year after its last rating", () => {
    const firms = firmsFrom([
      rating("a", "2026-01-10", "120"),
      rating("a", "2025-09-01", "100"),
      rating("b", "2025-06-17", "50"),
      rating("c", "2025-06-18", "60"),
    ]);
    assert.deepEqual(
      firms.map(({ firm, target }) => [firm, target]),
      [
        ["a", 120],
        ["c", 60],
        ["b", undefined],
      ],
    );
  });

  test("a rating without a target renews the active one; dropped coverage ends it", () => {
    const [renewed] = firmsFrom([rating("a", "2025-01-10", "100"), rating("a", "2025-12-01", "")]);
    assert.equal(renewed?.target, 100);
    const [ended] = firmsFrom([
      rating("a", "2026-01-10", "100"),
      rating("a", "2026-02-01", "", { action_company: "Terminates Coverage On" }),
    ]);
    assert.equal(ended?.target, undefined);
    assert.deepEqual(ended?.activeTargets, [{ from: "2026-01-10", to: "2026-02-01", value: 100 }]);
    const [expired] = firmsFrom([rating("a", "2024-01-10", "100"), rating("a", "2026-02-01", "")]);
    assert.equal(expired?.target, undefined);
  });

  test("prefers targets adjusted for splits", () => {
    const [firm] = firmsFrom([rating("a", "2026-01-10", "1200", { adjusted_pt_current: "120" })]);
    assert.equal(firm?.target, 120);
  });

  test("uses the last of several ratings on one day", () => {
    const [firm] = firmsFrom([
      rating("a", "2026-01-10", "120", { time: "16:00:00" }),
      rating("a", "2026-01-10", "110", { time: "09:00:00", id: "early" }),
    ]);
    assert.deepEqual(firm?.activeTargets, [{ from: "2026-01-10", to: "2026-06-18", value: 120 }]);
  });

  test("a line has gaps without an active target, and ends today", () => {
    const [firm] = firmsFrom([
      rating("a", "2024-01-01", "100"),
      rating("a", "2024-03-01", "110"),
      rating("a", "2026-06-01", "90"),
    ]);
    assert.deepEqual(runsOf(firm?.activeTargets ?? [], today), [
      [
        { day: "2024-01-01", value: 100 },
        { day: "2024-03-01", value: 110 },
        { day: "2025-03-01", value: 110 },
      ],
      [
        { day: "2026-06-01", value: 90 },
        { day: today, value: 90 },
      ],
    ]);
  });

  test("the mean of a day is that of its active targets", () => {
    const days = fc.integer({ min: 0, max: 900 }).map((back) => addDays(today, -back));
    const said = fc.record({
      firm: fc.constantFrom("a", "b", "c"),
      day: days,
      target: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(said, { selector: ({ firm, day }) => `${firm} ${day}`, maxLength: 12 }), (all) => {
        const firms = firmsFrom(all.map(({ firm, day, target }) => rating(firm, day, String(target))));
        const means = meansOf(firms, today);
        for (const [at, { day, mean }] of means.entries()) {
          if (at > 0) assert.equal(day, addDays(means[at - 1]?.day ?? "", 1));
          const standing = firms.flatMap(({ activeTargets }) =>
            activeTargets.filter(({ from, to }) => from <= day && day < to).map(({ value }) => value),
          );
          const expected = standing.reduce((sum, value) => sum + value, 0) / standing.length;
          if (standing.length === 0) assert.equal(mean, undefined);
          else assert.ok(Math.abs((mean ?? 0) - expected) < 1e-9);
        }
        assert.equal(means.at(-1)?.day, all.length === 0 ? undefined : today);
      }),
      { numRuns: 60 },
    );
  });
});

describe("guidance and results", () => {
  const guidance = (period: string, low: string, high: string) => ({
    id: `${period} ${low}`,
    date: "2026-01-01",
    period,
    period_year: 2025,
    eps_guidance_min: low,
    eps_guidance_max: high,
    eps_guidance_est: "1.05",
    revenue_guidance_min: "",
    revenue_guidance_max: "",
  });
  const report = (period: string, eps: string) => ({ period, period_year: 2025, eps, revenue: "" });
  const quarters = [report("Q1", "0.25"), report("Q2", "0.25"), report("Q3", "0.25")];

  test("compares a result with the range of its period", () => {
    const verdicts = guidanceRows(
      [guidance("Q1", "0.10", "0.20"), guidance("Q2", "0.20", "0.30"), guidance("Q3", "0.30", "")],
      quarters,
    ).map(({ verdict }) => verdict);
    assert.deepEqual(verdicts, ["above", "within", "below"]);
  });

  test("the result of a year is as reported, or the sum of all four quarters", () => {
    const year = [guidance("FY", "1.00", "1.20")];
    assert.equal(guidanceRows(year, quarters)[0]?.result, undefined);
    assert.deepEqual(guidanceRows(year, [...quarters, report("Q4", "0.40")])[0]?.result, { value: 1.15, isSum: true });
    assert.deepEqual(guidanceRows(year, [...quarters, report("Q4", "0.40"), report("FY", "1.25")])[0]?.result, {
      value: 1.25,
      isSum: false,
    });
  });

  test("prints a range with one end as a single value", () => {
    assert.equal(rangeText(1, 2, String), "1 – 2");
    assert.equal(rangeText("", 2, String), "2");
    assert.equal(rangeText(2, 2, String), "2");
    assert.equal(rangeTone(1, 3, 1.5), "up");
    assert.equal(rangeTone("", "", 1.5), undefined);
  });
});

describe("upcoming events", () => {
  test("lists earnings, calls, and dividend dates from today on, soonest first", () => {
    const events = nextEvents(
      {
        earnings: [{ id: "e", date: "2026-07-29", time: "amc", period: "Q3", period_year: 2026, eps_est: "1.860" }],
        calls: [{ id: "c", date: "2026-06-16" }],
        dividends: [
          { id: "d", date: "2026-05-21", ex_dividend_date: today, payable_date: "2026-06-22", dividend: "0.2850" },
        ],
      },
      today,
      (_day, time) => clockText(time),
    );
    assert.deepEqual(
      events.map(({ day, title, details }) => [day, title, ...details]),
      [
        [today, "Ex-dividend", "0.285"],
        ["2026-06-22", "Dividend payment", "0.285"],
        ["2026-07-29", "Earnings Q3 2026", "after close", "EPS est. 1.86"],
      ],
    );
    assert.deepEqual(
      [today, "2026-06-18", "2026-06-20", "2026-06-16", "2026-06-01"].map((day) => relativeDay(day, today)),
      ["today", "tomorrow", "in 3 days", "yesterday", "16 days ago"],
    );
  });
});

describe("scales", () => {
  test("ticks are round, inside the domain, sorted, and few", () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const domain = domainOf(values);
        fc.pre(domain[1] - domain[0] > 1e-6);
        for (const each of values) assert.ok(domain[0] < each && each < domain[1]);
        const ticks = ticksOf(domain);
        assert.ok(ticks.length <= 6);
        const reach = (domain[1] - domain[0]) * 1e-6;
        assert.ok(ticks.every((tick) => tick >= domain[0] - reach && tick <= domain[1] + reach));
        assert.deepEqual(
          ticks,
          ticks.toSorted((a, b) => a - b),
        );
      }),
    );
    assert.deepEqual(ticksOf([1.4, 2.15]), [1.4, 1.6, 1.8, 2]);
    assert.deepEqual(ticksOf([-999999999.9980012, -999999999.9980001]), []);
    assert.equal(scaleTo(5, [0, 10], 100, 0), 50);
  });
});

describe("amounts", () => {
  test("formats durations and byte sizes", () => {
    assert.deepEqual([5, 90, 7200, 200_000, -3].map(durationText), ["5 s", "1 min", "2 h", "2 d", "0 s"]);
    assert.deepEqual([0, 999, 1000, 9_412_331, 250e6, 3e15].map(bytesText), [
      "0 B",
      "999 B",
      "1.0 kB",
      "9.4 MB",
      "250 MB",
      "3000 TB",
    ]);
    assert.equal(agoOf("2026-01-01T00:00:00Z", "2026-01-01T00:05:30Z"), "5 min ago");
  });
});

describe("usage by key", () => {
  const used = (day: string, key: string, requests: number, limited = 0) => ({
    ...{ day, key, resource: "news", requests, records: requests, bytes: 10, errors: 1, limited },
  });

  test("is summed by key and day, with rate-limited usage newest first", () => {
    const usage = [used("2026-06-15", "a", 3, 1), used(today, "a", 5, 2), used(today, "b", 20)];
    const [first, second] = usageByKey(usage, today, 3);
    assert.equal(first?.key, "b");
    assert.deepEqual([second?.requests, second?.limited, second?.errors, second?.bytes], [8, 3, 2, 20]);
    assert.deepEqual(
      second?.days.map(({ requests }) => requests),
      [3, 0, 5],
    );
    assert.deepEqual(
      limitedUsage(usage).map(({ day, limited }) => [day, limited]),
      [
        [today, 2],
        ["2026-06-15", 1],
      ],
    );
  });

  test("sends only changed terms, with the types of the OpenAPI document", () => {
    const terms = termsOf({
      owner: { type: "string" },
      resources: { type: "array", items: { type: "string", enum: ["news", "ratings"] } },
      rate: { type: "number" },
      quota_per: { type: "string", enum: ["day", "month"] },
    });
    const before = Object.fromEntries(
      terms.map((term) => [
        term.name,
        textOfTerm(term, { owner: "Acme", resources: ["news"], rate: 5, quota_per: "day" }[term.name]),
      ]),
    );
    assert.deepEqual(before, { owner: "Acme", resources: "news", rate: "5", quota_per: "" });
    const changed = (texts: object) => changedTerms(terms, before, { ...before, ...texts });
    assert.deepEqual(changed({}), {});
    assert.deepEqual(changed({ owner: " ", resources: "news,ratings", rate: "", quota_per: "month" }), {
      owner: "",
      resources: ["news", "ratings"],
      rate: 0,
      quota_per: "month",
    });
    assert.deepEqual(changed({ rate: "many" }), { rate: "many" });
  });
});
