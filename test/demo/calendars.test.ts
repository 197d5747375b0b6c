// Invariants of the calendar records: sums, chains, order of dates, and nothing known before it has happened.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DemoRecord } from "../../demo/demo.ts";
import { chains, generated, integer, isTrading, text, today, units } from "./generated.ts";

const reported = generated("earnings").filter((record) => text(record, "eps") !== "");

/** part / |whole|, four places, halves away from zero, computed in integers. */
function fraction(part: bigint, whole: bigint): bigint {
  const size = whole < 0n ? -whole : whole;
  const rounded = ((part < 0n ? -part : part) * 20_000n + size) / (2n * size);
  return part < 0n ? -rounded : rounded;
}

test("a surprise is the result minus the estimate, and its percentage a fraction of the estimate", () => {
  let unknown = 0;
  for (const record of reported) {
    for (const what of ["eps", "revenue"]) {
      const estimate = text(record, `${what}_est`);
      if (estimate === "") {
        unknown++;
        assert.equal(record[`${what}_surprise`], "");
        assert.equal(record[`${what}_surprise_percent`], "");
        continue;
      }
      const gap = units(text(record, what), 4) - units(estimate, 4);
      assert.equal(units(text(record, `${what}_surprise`), 4), gap);
      assert.equal(units(text(record, `${what}_surprise_percent`), 4), fraction(gap, units(estimate, 4)));
    }
  }
  assert.ok(unknown > 0 && unknown < reported.length / 10);
});

test("earnings have three decimals, surprises four", () => {
  for (const record of reported) {
    assert.match(text(record, "eps"), /^-?\d+\.\d{3}$/);
    assert.match(text(record, "revenue"), /^\d+\.\d{3}$/);
    assert.match(text(record, "eps_surprise"), /^(-?\d+\.\d{4})?$/);
    assert.match(text(record, "revenue_surprise_percent"), /^(-?\d+\.\d{4})?$/);
  }
});

test("prior earnings are those of the same quarter a year earlier", () => {
  let compared = 0;
  for (const chain of chains(generated("earnings"), "ticker", "period")) {
    for (const [place, record] of chain.entries()) {
      const before = chain[place - 1];
      if (!before || text(before, "eps") === "") continue;
      assert.equal(integer(record, "period_year"), integer(before, "period_year") + 1);
      assert.equal(record.eps_prior, before.eps);
      assert.equal(record.revenue_prior, before.revenue);
      compared++;
    }
  }
  assert.ok(compared > 1000);
});

test("each company reports four quarters a year, in order", () => {
  for (const chain of chains(generated("earnings"), "ticker")) {
    const labels = chain.map((record) => integer(record, "period_year") * 4 + Number(text(record, "period").slice(1)));
    for (const [place, label] of labels.entries()) if (place > 0) assert.equal(label, (labels[place - 1] ?? 0) + 1);
  }
});

test("real estate trusts report funds from operations, and types are empty until then", () => {
  const types = new Map(reported.map((record) => [record.ticker, record.eps_type]));
  for (const ticker of ["O", "PLD", "AMT"]) assert.equal(types.get(ticker), "FFO");
  assert.deepEqual([...new Set(types.values())].sort(), ["Adj", "FFO", "GAAP"]);
});

test("future records have no results", () => {
  const ahead = (record: DemoRecord) => text(record, "date") > today;
  const earnings = generated("earnings").filter(ahead);
  assert.ok(earnings.length > 200);
  for (const record of earnings) {
    for (const field of ["eps", "eps_surprise", "eps_surprise_percent", "revenue", "revenue_surprise", "eps_type"]) {
      assert.equal(record[field], "", field);
    }
  }
  assert.deepEqual([...new Set(earnings.map((record) => integer(record, "date_confirmed")))].sort(), [0, 1]);
  const releases = generated("economics").filter(ahead);
  assert.ok(releases.length > 500);
  for (const record of releases) assert.equal(text(record, "actual") + text(record, "actual_t"), "");
  const dividends = generated("dividends").filter(ahead);
  assert.ok(dividends.length > 50);
  for (const record of dividends) {
    assert.equal(text(record, "dividend") + text(record, "ex_dividend_date") + text(record, "dividend_yield"), "");
    assert.equal(record.confirmed, false);
  }
});

test("past events have results", () => {
  for (const record of generated("earnings")) {
    if (text(record, "date") <= today) assert.ok(text(record, "eps") !== "" && record.date_confirmed === 1);
  }
  for (const record of generated("economics")) {
    if (text(record, "date") <= today) assert.ok(text(record, "actual") !== "" && text(record, "prior") !== "");
  }
});

test("a call follows its report on the same day or the next morning", () => {
  const calls = new Map(
    generated("conference-calls").map((call) => [`${call.ticker} ${call.period} ${call.period_year}`, call]),
  );
  let nextMorning = 0;
  for (const report of generated("earnings")) {
    const call = calls.get(`${report.ticker} ${report.period} ${report.period_year}`);
    if (!call) continue;
    const clock = text(call, "start_time");
    assert.equal(call.time, clock);
    if (call.date === report.date) {
      const earliest = report.time === "bmo" ? "08:00:00" : report.time === "dmh" ? "15:30:00" : "16:30:00";
      assert.ok(clock >= earliest && clock <= "18:00:00", JSON.stringify(call));
    } else {
      nextMorning++;
      assert.ok(report.time === "amc" && text(call, "date") > text(report, "date") && clock < "12:00:00");
    }
  }
  assert.ok(nextMorning > 50);
});

test("guidance includes the range it replaces, and no range is inverted", () => {
  let replaced = 0;
  for (const chain of chains(generated("guidance"), "ticker", "period", "period_year", "is_primary")) {
    for (const [place, record] of chain.entries()) {
      for (const what of ["eps", "revenue"]) {
        const low = text(record, `${what}_guidance_min`);
        if (low !== "") assert.ok(Number(low) <= Number(text(record, `${what}_guidance_max`)), JSON.stringify(record));
        const before = chain[place - 1];
        if (!before) continue;
        assert.equal(record[`${what}_guidance_prior_min`], before[`${what}_guidance_min`]);
        assert.equal(record[`${what}_guidance_prior_max`], before[`${what}_guidance_max`]);
        replaced++;
      }
    }
  }
  assert.ok(replaced > 1000);
});

test("guidance comes with a report unless it is preliminary", () => {
  const reports = new Set(generated("earnings").map((record) => `${record.ticker} ${record.date}`));
  for (const record of generated("guidance")) {
    if (record.prelim === "false") assert.ok(reports.has(`${record.ticker} ${record.date}`));
    assert.match(text(record, "is_primary"), /^(true|false)$/);
  }
});

test("a dividend is announced before its ex-date, which is on or before the record date and before payment", () => {
  for (const record of generated("dividends")) {
    if (record.confirmed === false) continue;
    const [announced, ex, of, payable] = ["date", "ex_dividend_date", "record_date", "payable_date"].map((field) =>
      text(record, field),
    ) as [string, string, string, string];
    assert.ok(announced < ex && ex <= of && of < payable, JSON.stringify(record));
    for (const day of [ex, of, payable]) assert.ok(isTrading(day), day);
  }
});

test("regular dividends form a chain, and their yield implies a plausible price", () => {
  let chained = 0;
  const regular = generated("dividends").filter((record) => record.dividend_type === "Cash");
  for (const chain of chains(regular, "ticker")) {
    for (const [place, record] of chain.entries()) {
      const before = chain[place - 1];
      if (before && (record.confirmed || before.confirmed)) {
        assert.equal(record.dividend_prior, before.dividend);
        chained++;
      }
      if (record.confirmed === false) continue;
      assert.match(text(record, "dividend"), /^\d+\.\d{4}$/);
      const share = Number(record.dividend_yield);
      assert.ok(share > 0 && share < 0.14, JSON.stringify(record));
    }
  }
  assert.ok(chained > 1000);
});

test("each firm's targets and ratings of one company form a chain", () => {
  let chained = 0;
  for (const chain of chains(generated("ratings"), "ticker", "firm_id")) {
    for (const [place, record] of chain.entries()) {
      const before = chain[place - 1];
      if (!before) continue;
      assert.equal(record.pt_prior, before.pt_current);
      assert.equal(record.rating_prior, before.rating_current);
      assert.ok(text(before, "date") < text(record, "date"));
      chained++;
    }
  }
  assert.ok(chained > 8000);
});

const actions =
  "Downgrades|Maintains|Reinstates|Reiterates|Upgrades|Assumes|Initiates Coverage On|Terminates Coverage On|Removes|Suspends|Firm Dissolved".split(
    "|",
  );

test("every action of the interface occurs, and is consistent with the figures", () => {
  const ratings = generated("ratings");
  assert.deepEqual([...new Set(ratings.map((record) => text(record, "action_company")))].sort(), actions.toSorted());
  for (const record of ratings) {
    const [now, before] = [text(record, "pt_current"), text(record, "pt_prior")];
    const action = text(record, "action_pt");
    if (action === "Raises") assert.ok(Number(now) > Number(before));
    if (action === "Lowers") assert.ok(Number(now) < Number(before));
    if (action === "Maintains") assert.equal(now, before);
    if (action === "Announces") assert.ok(now !== "" && before === "");
    if (action === "Removes") assert.ok(now === "" && before !== "");
    if (action === "") assert.equal(now + before, "");
    if (record.action_company === "Initiates Coverage On") assert.equal(record.rating_prior, "");
    if (["Upgrades", "Downgrades"].includes(text(record, "action_company"))) {
      assert.notEqual(record.rating_current, record.rating_prior);
    }
  }
});

test("targets rise more often after a beat than after a miss", () => {
  const outcome = new Map<string, DemoRecord[]>();
  for (const chain of chains(reported, "ticker")) outcome.set(text(chain[0] as DemoRecord, "ticker"), chain);
  const raises = { beat: [0, 0], miss: [0, 0] } as Record<string, [number, number]>;
  for (const rating of generated("ratings")) {
    const report = outcome
      .get(text(rating, "ticker"))
      ?.findLast((record) => text(record, "date") < text(rating, "date"));
    if (!report || text(report, "eps_surprise") === "") continue;
    const days = (Date.parse(text(rating, "date")) - Date.parse(text(report, "date"))) / 86_400_000;
    if (days > 9 || !["Raises", "Lowers"].includes(text(rating, "action_pt"))) continue;
    const tally = raises[Number(report.eps_surprise) > 0 ? "beat" : "miss"] as [number, number];
    tally[rating.action_pt === "Raises" ? 0 : 1]++;
  }
  const share = (tally: [number, number] | undefined) => (tally ? tally[0] / (tally[0] + tally[1]) : 0);
  assert.ok(share(raises.beat) > share(raises.miss) + 0.1, JSON.stringify(raises));
});

test("an analyst works for one firm, and a track record adds up", () => {
  const firms = new Map<unknown, unknown>();
  let measured = 0;
  for (const record of generated("ratings")) {
    assert.match(text(record, "analyst_id"), /^[0-9a-f]{24}$/);
    assert.equal(firms.get(record.analyst_id) ?? record.firm_id, record.firm_id);
    firms.set(record.analyst_id, record.firm_id);
    const accuracy = record.ratings_accuracy as DemoRecord | undefined;
    if (!accuracy) continue;
    measured++;
    const [gains, losses] = [integer(accuracy, "overall_gain_count"), integer(accuracy, "overall_loss_count")];
    assert.equal(gains + losses, accuracy.total_ratings);
    assert.equal(Object.keys(accuracy).length, 9 + 6 * 6);
  }
  assert.ok(measured > 2000);
});

test("an economic release includes the value of the previous one", () => {
  let chained = 0;
  for (const chain of chains(generated("economics"), "country_code", "event_name")) {
    for (const [place, record] of chain.entries()) {
      const before = chain[place - 1];
      if (!before) continue;
      assert.ok(text(before, "date") < text(record, "date"), JSON.stringify(record));
      assert.equal(record.prior, before.actual);
      assert.equal(record.prior_t, before.actual_t);
      chained++;
    }
  }
  assert.ok(chained > 7000);
});

test("abbreviated figures equal the full ones", () => {
  const multiples: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9 };
  for (const record of generated("economics")) {
    for (const what of ["actual", "consensus", "prior"]) {
      const short = text(record, `${what}_t`);
      if (short === "") assert.equal(record[what], "");
      else {
        const [, number, unit = ""] = /^(-?[\d.]+)([KMB%]?)$/.exec(short) ?? [];
        const full = Number(number) * (multiples[unit] ?? 1);
        assert.ok(Math.abs(full - Number(record[what])) < 1e-3 * (multiples[unit] ?? 1e-3), JSON.stringify(record));
      }
    }
  }
});

test("twelve countries and the euro area publish, in all categories", () => {
  const countries = new Map(generated("economics").map((record) => [record.country_code, record.country]));
  assert.equal(countries.size, 13);
  assert.equal(countries.get("EMU"), "Euro Area");
  assert.equal(countries.get("USA"), "United States");
  const categories = [...new Set(generated("economics").map((record) => text(record, "event_category")))].sort();
  assert.deepEqual(
    categories,
    "Central Banks|Confidence|Consumption|Employment|Growth|Housing|Inflation|Trade".split("|"),
  );
});
