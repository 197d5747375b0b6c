// Day view in a browser: actual values and estimates, sessions, and empty days.
import assert from "node:assert/strict";
import { accessibilityFaults } from "../accessibility.ts";
import { assertClean, pageTests } from "../support/browser.ts";
import { addFullDay, rowsOf, section } from "../support/full-day.ts";

const test = pageTests({ demo: [] }, async (service) => {
  await addFullDay(service);
});

test("shows all sections, with actual values compared with estimates", async ({ open }) => {
  const opened = await open("/");
  const { page } = opened;
  await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
  assert.deepEqual(
    (await rowsOf(page, "Economic releases")).map((row) => row.replace(/●+ /, "")),
    [
      "08:30 Germany Factory Orders 1.0 2.0 – ›",
      "10:00 US Retail Sales 0.9% 0.4% 0.1 ›",
      "14:00 Japan Rate Decision – 0.25 – ›",
    ],
  );
  const actuals = page.getByRole("table", { name: "Economic releases" }).locator("tbody td:nth-child(5)");
  const tones = await actuals.evaluateAll((cells) =>
    cells.map((cell) => cell.className.replace(/end|arrow/g, "").trim()),
  );
  assert.deepEqual(tones, ["down", "up", ""]);
  assert.deepEqual(await rowsOf(page, "Earnings, before open"), ["BMO1 – 0.50 – – – ›", "CLK1 – 0.70 – – – ›"]);
  assert.deepEqual(await rowsOf(page, "Earnings, after close"), ["AMC1 1.10 1.00 +10.0% 2.50B 2.60B ›"]);
  // Changed ratings come before unchanged ones, however important.
  assert.deepEqual(await rowsOf(page, "Ratings"), [
    "RISE Upgrades Firm B Hold → to Buy 90 → to 120 ›",
    "KEEP Maintains Firm A Hold – ›",
  ]);
  assert.match(
    (await section(page, "Ratings").locator("h2").innerText()).replace(/\s+/g, " "),
    /^Ratings 2 1 rating change/,
  );
  assert.deepEqual(await rowsOf(page, "Ex-dividend"), ["EXDV EXDV Inc. 0.55 3.10% Wed, Jul 1 ›"]);
  assert.deepEqual(await rowsOf(page, "Guidance"), ["GUID 1.00 – 1.20 1.05 – – ›"]);
  assert.deepEqual(await rowsOf(page, "Calls"), ["17:00 CALL CALL Inc. Listen ↗ ›"]);
  const headlines = page.getByRole("region", { name: "Headlines" }).locator("li");
  await headlines.first().waitFor();
  assert.deepEqual(
    (await headlines.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()),
    ["09:00 First of the day RISE", "Tue, Jun 16 18:00 Of the day before"],
  );
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened);
});

test("shows all columns at 1280 pixels, however long their values are", async ({ open, service }) => {
  const day = "2026-06-10";
  const more = { ticker: "GOOGL", name: "A Company with a Long Name Ltd.", date: day };
  await service.has("ratings", [
    {
      ...more,
      id: "long",
      action_company: "Downgrades",
      analyst: "Thistledown Equity Research Partners",
      rating_prior: "Sector Outperform",
      rating_current: "Sector Underperform",
      pt_prior: "1250",
      pt_current: "1300",
    },
  ]);
  await service.has("economics", [
    {
      id: "long",
      date: day,
      time: "08:30:00",
      country: "Netherlands",
      event_name: "Gasoline and Distillate Inventories, Weekly",
      event_period: "Apr",
      actual_t: "-2.088M",
      consensus_t: "-1.107M",
      prior_t: "-2.512M",
    },
  ]);
  await service.has("conference-calls", [
    {
      ...more,
      id: "long",
      start_time: "17:00:00",
      period: "Q1",
      period_year: 2026,
      webcast_url: "https://c.example.com/",
    },
  ]);
  const opened = await open(`/day/${day}`, { viewport: { width: 1280, height: 760 } });
  const { page } = opened;
  for (const name of ["Ratings", "Economic releases", "Calls"]) {
    await rowsOf(page, name);
    const scroller = section(page, name).locator(".table-scroll");
    const [seen, whole] = await scroller.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
    assert.equal(whole, seen, name);
  }
  const rating = page.getByTitle("Sector Outperform → Sector Underperform");
  assert.equal(await rating.count(), 1, "truncated text has a tooltip");
  assertClean(opened);
});

test("links from an empty day to the next day with events", async ({ open }) => {
  const opened = await open("/day/2026-06-13");
  const { page } = opened;
  await page.getByText("No events on this day.").waitFor();
  await page.getByRole("link", { name: "Tuesday, June 16, 2026" }).click();
  await page.getByRole("heading", { name: "Tuesday, June 16, 2026" }).waitFor();
  await rowsOf(page, "Economic releases");
  await page.getByText("No events on this day.").waitFor({ state: "detached" });
  assertClean(opened);
});

test("reports an invalid date", async ({ open }) => {
  const opened = await open("/day/2026-02-30");
  await opened.page.getByText("isn’t a valid date").waitFor();
});

test("fits a phone and is accessible in dark mode", async ({ open }) => {
  const opened = await open("/", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const { page } = opened;
  await rowsOf(page, "Economic releases");
  await page.getByRole("region", { name: "Headlines" }).waitFor();
  assert.equal(await page.evaluate(() => document.scrollingElement?.scrollWidth), 390);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened);
});
