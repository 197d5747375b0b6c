// History of a record in its panel: past values and surprises of a series, and ratings over time.
import assert from "node:assert/strict";
import { accessibilityFaults } from "../accessibility.ts";
import { assertClean, pageTests, region } from "../support/browser.ts";
import { today } from "../support/service.ts";

const test = pageTests({ demo: [] }, async (service) => {
  const claims = (id: string, date: string, actual: string, consensus: string, more: object = {}) => ({
    ...{
      id,
      date,
      time: "08:30:00",
      event_name: "Initial Jobless Claims",
      country: "USA",
      event_category: "Employment",
    },
    ...{ actual, actual_t: actual === "" ? "" : `${actual}K`, consensus, consensus_t: `${consensus}K`, importance: 3 },
    ...more,
  });
  await service.has("economics", [
    claims("c1", today, "250", "230", { event_period: "Jun 13" }),
    claims("c2", "2026-06-10", "220", "232"),
    claims("c3", "2026-06-03", "231", "231"),
    claims("c4", "2026-06-24", "", "240"),
    claims("other country", "2026-06-10", "1", "2", { country: "CAN" }),
    claims("other series", "2026-06-10", "1", "2", { event_name: "Continuing Jobless Claims" }),
  ]);
  const report = (id: string, date: string, period: string, eps: string, surprise: string) => ({
    ...{ id, ticker: "ACME", date, period, period_year: 2026, eps, eps_est: "1.00", eps_surprise_percent: surprise },
    ...{ revenue: "1200000", revenue_est: "1000000", revenue_surprise_percent: "0.2" },
  });
  await service.has("earnings", [
    report("q2", today, "Q2", "1.10", "0.1"),
    report("q1", "2026-03-17", "Q1", "0.90", "-0.1"),
  ]);
  const rating = (id: string, date: string, firm: string, current: string, more: object = {}) => ({
    ...{ id, ticker: "ACME", date, time: "09:00:00", analyst: firm, rating_current: current, ...more },
  });
  await service.has("ratings", [
    rating("r1", "2026-04-10", "Firm A", "Outperform"),
    rating("r2", "2026-05-10", "Firm B", "Neutral"),
    rating("r3", "2026-06-10", "Firm A", "Underperform"),
    rating("r4", "2026-06-11", "Firm B", "Neutral", { action_company: "Terminates Coverage On" }),
  ]);
});

const cells = (row: string): string => row.replace(/\s+/g, " ").trim();

test("an economic record opens with the past values of its series and a table of surprises", async ({ open }) => {
  const opened = await open(`/calendar/economics?date=${today}`);
  const { page } = opened;
  await page.getByRole("button", { name: /^Details: Initial/ }).click();
  const history = region(page, "Past releases");
  await history.getByRole("img", { name: /^Actual and what was expected/ }).waitFor();
  const rows = await history.locator("tbody tr").allInnerTexts();
  assert.deepEqual(rows.map(cells), [
    "Jun 17, 2026 Jun 13 250K 230K +20K",
    "Jun 10, 2026 220K 232K −12K",
    "Jun 3, 2026 231K 231K 0",
  ]);
  await history.getByText("above expectations 1 of 2 times").waitFor();
  // More claims than expected are bad news.
  assert.match(String(await history.locator("tbody tr").first().locator("td").last().getAttribute("class")), /inverse/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened);
});

test("an earnings record has the surprises of past quarters, in earnings and revenue", async ({ open }) => {
  const opened = await open("/calendar/earnings?tickers=ACME&record=q1");
  const { page } = opened;
  const history = region(page, "Past quarters");
  await history.locator("tbody tr").first().waitFor();
  assert.deepEqual((await history.locator("tbody tr").allInnerTexts()).map(cells), [
    "Jun 17, 2026 Q2 2026 1.10 1.00 +10.0%",
    "Mar 17, 2026 Q1 2026 0.90 1.00 −10.0%",
  ]);
  await history.getByRole("button", { name: "Revenue" }).click();
  assert.match(cells((await history.locator("tbody tr").allInnerTexts())[0] ?? ""), /1\.20M 1\.00M \+20\.0%$/);
  assertClean(opened);
});

for (const path of ["/calendar/ratings?record=r1", "/ticker/ACME"])
  test(`${path}: shows how many firms say Buy, Hold, and Sell over time`, async ({ open }) => {
    const opened = await open(path);
    const { page } = opened;
    const history = region(page, "Ratings over time");
    await history.getByRole("img", { name: /Buy, Hold, Sell by month/ }).waitFor();
    await history.getByText("now 0 Buy, 0 Hold, 1 Sell").waitFor();
    await history.getByText("3 months as a table").click();
    assert.deepEqual((await history.locator("tbody tr").allInnerTexts()).map(cells), [
      "June 2026 0 0 1",
      "May 2026 1 1 0",
      "April 2026 1 0 0",
    ]);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });
