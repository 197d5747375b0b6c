// Every record has exactly the fields of its resource, in the formats of the interface.
import assert from "node:assert/strict";
import { test } from "node:test";
import { companyRows } from "../../demo/companies/companies.ts";
import { cusipCheckDigit, isinCheckDigit } from "../../demo/companies/identifiers.ts";
import { demoResources } from "../../demo/demo.ts";
import { calendars, fromDay, generated, integer, isTrading, now, text, toDay, today } from "./generated.ts";

const fields: Record<(typeof calendars)[number], string> = {
  ratings:
    "action_company action_pt adjusted_pt_current adjusted_pt_prior analyst analyst_id analyst_name currency cusip date exchange firm_id id importance isin name notes pt_current pt_prior rating_current rating_prior ticker time updated url url_calendar url_news",
  dividends:
    "confirmed currency cusip date dividend dividend_prior dividend_type dividend_yield end_regular_dividend ex_dividend_date exchange frequency id importance isin name notes payable_date period record_date ticker updated year",
  guidance:
    "confirmed currency cusip date eps_guidance_est eps_guidance_max eps_guidance_min eps_guidance_prior_max eps_guidance_prior_min eps_type exchange id importance is_primary name notes period period_year prelim revenue_guidance_est revenue_guidance_max revenue_guidance_min revenue_guidance_prior_max revenue_guidance_prior_min revenue_type ticker time updated",
  earnings:
    "currency cusip date date_confirmed eps eps_est eps_prior eps_surprise eps_surprise_percent eps_type exchange id importance isin name notes period period_year revenue revenue_est revenue_prior revenue_surprise revenue_surprise_percent revenue_type ticker time updated",
  economics:
    "actual actual_t confirmed consensus consensus_t country country_code date description event_category event_name event_period id importance notes period_year prior prior_t time updated",
  "conference-calls":
    "access_code confirmed cusip date exchange id importance international_num isin name notes period period_year phone_num reservation_num start_time ticker time updated webcast_url",
};

test("each calendar record has the fields of its resource and no others", () => {
  for (const resource of calendars) {
    const expected = fields[resource].split(" ");
    for (const record of generated(resource)) {
      const names = Object.keys(record).filter((name) => name !== "ratings_accuracy");
      assert.deepEqual(names.sort(), expected, resource);
      assert.ok(resource === "ratings" || !("ratings_accuracy" in record));
    }
  }
});

test("there are about 20,000 news items and about 30,000 calendar records", () => {
  const counts = Object.fromEntries(demoResources.map((resource) => [resource, generated(resource).length]));
  const { news = 0, ...others } = counts;
  const all = Object.values(others).reduce((sum, count) => sum + count, 0);
  assert.ok(news > 18_500 && news < 21_500, JSON.stringify(counts));
  assert.ok(all > 28_500 && all < 31_500, JSON.stringify(counts));
  for (const count of Object.values(others)) assert.ok(count > 1500, JSON.stringify(counts));
});

test("IDs are unique and start with the second of creation, which is not after the last change", () => {
  for (const resource of calendars) {
    const seen = new Set<string>();
    for (const record of generated(resource)) {
      const id = text(record, "id");
      assert.match(id, /^[0-9a-f]{24}$/);
      assert.ok(!seen.has(id), id);
      seen.add(id);
      const updated = integer(record, "updated");
      assert.ok(Number.parseInt(id.slice(0, 8), 16) <= updated && updated <= now, JSON.stringify(record));
    }
  }
});

test("every calendar day is a trading day within the window", () => {
  for (const resource of calendars) {
    for (const record of generated(resource)) {
      const date = text(record, "date");
      assert.ok(date >= fromDay && date <= toDay && isTrading(date), `${resource} ${date}`);
    }
  }
});

test("the window is filled to both ends", () => {
  for (const resource of ["earnings", "conference-calls", "economics", "dividends"] as const) {
    const dates = generated(resource).map((record) => text(record, "date"));
    assert.ok(dates.some((date) => date < "2024-07-15"));
    assert.ok(dates.some((date) => date > "2026-08-25"));
  }
  for (const resource of ["ratings", "guidance"] as const) {
    const dates = generated(resource).map((record) => text(record, "date"));
    assert.ok(dates.some((date) => date < "2024-07-15") && dates.some((date) => date > "2026-06-05"));
    assert.ok(dates.every((date) => date <= today));
  }
});

test("clock times are hh:mm:ss and earnings have session codes", () => {
  for (const resource of ["ratings", "guidance", "economics", "conference-calls"] as const) {
    for (const record of generated(resource)) assert.match(text(record, "time"), /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);
  }
  const codes = new Set(generated("earnings").map((record) => text(record, "time")));
  assert.deepEqual([...codes].sort(), ["amc", "bmo", "dmh"]);
});

test("importance is within its range", () => {
  for (const resource of calendars) {
    const [low, high] = resource === "economics" ? [1, 3] : [0, 5];
    for (const record of generated(resource)) {
      const importance = integer(record, "importance");
      assert.ok(importance >= low && importance <= high);
    }
  }
});

test("everything in the calendars is marked as synthetic, and no URL leads to a real site", () => {
  for (const resource of calendars) {
    for (const record of generated(resource)) {
      assert.equal(record.notes, "Synthetic demo data");
      for (const value of Object.values(record)) {
        if (typeof value === "string" && value.includes("://")) assert.match(value, /^https:\/\/\w+\.example\.com\//);
      }
    }
  }
});

test("identifiers have correct check digits, are in private ranges, and belong to one company each", () => {
  const owners = new Map<string, string>();
  let lettered = 0;
  for (const record of generated("earnings")) {
    const cusip = text(record, "cusip");
    const isin = text(record, "isin");
    assert.match(cusip, /^99[0-9A-Z]{6}\d$/);
    assert.equal(Number(cusip[8]), cusipCheckDigit(cusip.slice(0, 8)));
    assert.equal(isin.slice(0, 11), (record.exchange === "TSX" ? "CA" : "US") + cusip);
    assert.equal(Number(isin[11]), isinCheckDigit(isin.slice(0, 11)));
    const owner = owners.get(cusip) ?? text(record, "ticker");
    assert.equal(owner, record.ticker);
    owners.set(cusip, owner);
  }
  for (const cusip of owners.keys()) if (/[A-Z]/.test(cusip)) lettered++;
  assert.ok(lettered > 5 && lettered < owners.size / 10);
});

test("check digits match those computed by hand", () => {
  // 9 + (1+8) + 0 + 2 + 3 + (1+4) + 1 + 0 = 29, one short of thirty.
  assert.equal(cusipCheckDigit("99013710"), 1);
  // A is 10 and B is 11: 9 + (1+8) + 0 + 2 + (1+0) + (2+2) + 1 + 0 = 26.
  assert.equal(cusipCheckDigit("9901AB10"), 4);
  // 3028990137101 from the right: 2+0+2+7+6+1+0+9+(1+8)+8+4+0+6 = 54.
  assert.equal(isinCheckDigit("US990137101"), 6);
});

test("there are more than 200 companies, each listed once", () => {
  const tickers = companyRows.map(([ticker]) => ticker);
  assert.ok(tickers.length >= 200);
  assert.equal(new Set(tickers).size, tickers.length);
  assert.ok(tickers.includes("BRK.B"));
  assert.equal(new Set(companyRows.map(([, name]) => name)).size, tickers.length);
});

test("phone numbers are fictitious", () => {
  for (const call of generated("conference-calls")) {
    for (const field of ["phone_num", "international_num"]) {
      if (text(call, field) !== "") assert.match(text(call, field), /^\+?1-\d{3}-555-01\d\d$/);
    }
  }
});
