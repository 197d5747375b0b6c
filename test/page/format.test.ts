// Formatting of numbers, days, labels, and API requests, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { get, urlOf, withParams } from "../../web/api/request.ts";
import { snippet } from "../../web/api/snippets.ts";
import {
  addDays,
  addMonths,
  agoText,
  clockText,
  dayText,
  isDay,
  monthText,
  shortDay,
  todayIn,
  weeksOf,
  workingWeek,
} from "../../web/format/day.ts";
import { compact, decimal, evenly, percent, signed, signedPercent, toneOf } from "../../web/format/number.ts";
import { isZone, momentAt, wallTime, zoneCity, zoneCode } from "../../web/format/time-zone.ts";
import { labelOf, plural } from "../../web/format/words.ts";
import "../support/budget.ts";

test("formats decimals with all digits, at least two", () => {
  assert.deepEqual(
    ["1.990", "1.9", "2", "0.2575", "-0.5", "102466000000.000", "", undefined, "x"].map((each) => decimal(each)),
    ["1.99", "1.90", "2.00", "0.2575", "−0.50", "102,466,000,000.00", "", "", ""],
  );
});

test("formats the values of a scale with as many digits each", () => {
  assert.deepEqual(evenly([1.5, 1.75, 2]), ["1.50", "1.75", "2.00"]);
  assert.deepEqual(evenly([-5, 0, 5]), ["−5", "0", "5"]);
  assert.deepEqual(evenly([220_000, 240_000]), ["220K", "240K"]);
  assert.deepEqual(evenly([1_250_000, 1_500_000]), ["1.25M", "1.50M"]);
});

test("abbreviates large amounts", () => {
  assert.deepEqual(["102466000000.000", "1530000", "-2500", "999", "0", "3200000000000", "540100000"].map(compact), [
    "102.5B",
    "1.53M",
    "−2.50K",
    "999",
    "0",
    "3.20T",
    "540.1M",
  ]);
});

test("formats fractions as percentages, with a sign for changes", () => {
  assert.deepEqual(
    ["0.0757", "-0.1", "0", ""].map((each) => signedPercent(each)),
    ["+7.57%", "−10.00%", "0.00%", ""],
  );
  assert.equal(percent("0.0051"), "0.51%");
  assert.equal(signed(-0.001, 2), "0.00");
});

test("a tone is up or down, and undefined if a value is unknown", () => {
  assert.deepEqual(
    [toneOf("2", "1"), toneOf("1", "2"), toneOf("1", "1.0"), toneOf("", "1"), toneOf("1", "")],
    ["up", "down", undefined, undefined, undefined],
  );
});

test("computes days across months, years, and leap days", () => {
  assert.equal(addDays("2024-02-28", 1), "2024-02-29");
  assert.equal(addDays("2026-01-01", -1), "2025-12-31");
  assert.equal(addMonths("2026-11", 3), "2027-02");
  assert.ok(isDay("2024-02-29"));
  for (const wrong of ["2023-02-29", "2024-2-29", "", "today"]) assert.ok(!isDay(wrong), wrong);
  assert.deepEqual(workingWeek("2026-06-17"), ["2026-06-15", "2026-06-21"]);
  assert.deepEqual(workingWeek("2026-06-20"), ["2026-06-22", "2026-06-28"]);
});

test("the weeks of a month are complete, with all its days, without duplicates", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1970, max: 2100 }), fc.integer({ min: 1, max: 12 }), (year, number) => {
      const month = `${year}-${String(number).padStart(2, "0")}`;
      const weeks = weeksOf(month);
      const days = weeks.flat();
      assert.ok(weeks.every((week) => week.length === 7 && new Date(week[0] as string).getUTCDay() === 1));
      assert.equal(new Set(days).size, days.length);
      const own = new Date(Date.UTC(year, number, 0)).getUTCDate();
      assert.equal(days.filter((day) => day.startsWith(month)).length, own);
    }),
  );
});

test("formats days and times", () => {
  assert.equal(dayText("2026-11-15"), "Nov 15, 2026");
  assert.equal(shortDay("2026-11-15"), "Sun, Nov 15");
  assert.equal(monthText("2026-11"), "November 2026");
  assert.deepEqual(["09:30:00", "amc", "BMO", "", undefined].map(clockText), [
    "09:30",
    "after close",
    "before open",
    "",
    "",
  ]);
  assert.equal(todayIn("America/New_York", new Date("2026-11-15T03:00:00Z")), "2026-11-14");
  assert.deepEqual(
    [30, 300, 7200, 90_000, 900_000].map((age) => agoText(1_000_000 - age, 1_000_000)),
    ["just now", "5 min ago", "2 h ago", "1 d ago", ""],
  );
});

test("converts between time zones, on days of clock changes as well", () => {
  const inNewYork = (moment: string) => wallTime(Date.parse(moment), "America/New_York");
  assert.deepEqual(inNewYork("2026-03-08T06:59:00Z"), { day: "2026-03-08", clock: "01:59" });
  assert.deepEqual(inNewYork("2026-03-08T07:00:00Z"), { day: "2026-03-08", clock: "03:00" });
  assert.deepEqual(inNewYork("Sun, 15 Nov 2026 05:02:53 -0500"), { day: "2026-11-15", clock: "05:02" });
  const moment = fc.integer({ min: 0, max: 36_000_000 }).map((minutes) => minutes * 60_000);
  const zones = fc.constantFrom("America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "UTC");
  fc.assert(
    fc.property(moment, zones, (at, zone) => {
      const back = momentAt(wallTime(at, zone), zone);
      // In the hour that a clock shows twice, either is correct.
      assert.deepEqual(wallTime(back, zone), wallTime(at, zone));
    }),
  );
  assert.ok(Number.isNaN(momentAt({ day: "x", clock: "09:30" }, "UTC")));
  assert.deepEqual([isZone("Europe/Berlin"), isZone("Mars/Base")], [true, false]);
  assert.deepEqual([zoneCity("America/New_York"), zoneCode("America/New_York", 0)], ["New York", "EST"]);
});

test("turns wire names into labels", () => {
  assert.deepEqual(["eps_surprise_percent", "parameters[date_from]", "pageSize", "isin"].map(labelOf), [
    "EPS surprise %",
    "Date from",
    "Page size",
    "ISIN",
  ]);
  assert.deepEqual([plural(1, "record"), plural(2345, "record")], ["1 record", "2,345 records"]);
});

const request = get("/api/v2.1/calendar/ratings", [
  ["pagesize", "100"],
  ["parameters[tickers]", "AAPL,BRK.B"],
]);

test("encodes a request as a readable, equivalent URL", () => {
  assert.equal(urlOf(request), "/api/v2.1/calendar/ratings?pagesize=100&parameters[tickers]=AAPL,BRK.B");
  assert.equal(
    urlOf(withParams(request, { pagesize: undefined, page: "2" })),
    "/api/v2.1/calendar/ratings?parameters[tickers]=AAPL,BRK.B&page=2",
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (value) => {
      const url = new URL(urlOf(get("/x", [["a", value]])), "http://localhost");
      assert.equal(url.searchParams.get("a"), value);
    }),
  );
});

test("generates snippets in every language, with a placeholder for the key", () => {
  const origin = "http://localhost:8080";
  const url = `${origin}/api/v2.1/calendar/ratings?pagesize=100&parameters%5Btickers%5D=AAPL,BRK.B`;
  assert.equal(snippet("URL", request, origin), `${url}&token=YOUR_KEY`);
  assert.equal(snippet("curl", request, origin), `curl -H 'Authorization: token YOUR_KEY' '${url}'`);
  assert.match(
    snippet("JavaScript", request, origin),
    /await fetch\("http:.*BRK\.B", \{\n {2}headers: \{ authorization: "token YOUR_KEY" \},/,
  );
  assert.match(
    snippet("Python", request, origin),
    /Request\(\n {4}"http:.*BRK\.B",\n {4}headers=\{"Authorization": "token YOUR_KEY"\},\n\)/,
  );
  const quoted = get("/x", [["a", "it's"]]);
  assert.equal(snippet("curl", quoted, origin), `curl -H 'Authorization: token YOUR_KEY' '${origin}/x?a=it'\\''s'`);
});

test("generates snippets with method and body", () => {
  const writing = {
    method: "POST",
    path: "/admin/v1/keys",
    params: [],
    body: { name: "o'r", expires: null, on: true },
  } as const;
  assert.match(
    snippet("curl", writing, ""),
    /^curl -X POST .* -d '\{"name":"o'\\''r","expires":null,"on":true\}' \/admin\/v1\/keys$/,
  );
  assert.match(
    snippet("Python", writing, ""),
    /method="POST",[\s\S]*json\.dumps\(\{"name": "o'r", "expires": None, "on": True\}\)/,
  );
  assert.match(snippet("JavaScript", writing, ""), /method: "POST",[\s\S]*body: JSON\.stringify\(/);
});
