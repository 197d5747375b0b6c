// A day at a glance, in a real browser: what came out against what was expected, sessions, the week, and the ways around.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { accessibilityFaults, assertClean, open } from "./browser.ts";
import { pageService, type Service, today } from "./service.ts";

let service: Service;
let browser: Browser;

const company = (id: string, ticker: string, more: object) => ({
  id,
  ticker,
  name: `${ticker} Inc.`,
  date: today,
  ...more,
});

before(async () => {
  service = await pageService({ demo: [] });
  await service.has("economics", [
    {
      id: "e1",
      date: today,
      time: "10:00:00",
      country: "USA",
      event_name: "Retail Sales",
      importance: 3,
      actual: "0.9",
      actual_t: "0.9%",
      consensus: "0.4",
      consensus_t: "0.4%",
      prior: "0.1",
    },
    {
      id: "e2",
      date: today,
      time: "08:30:00",
      country: "Germany",
      event_name: "Factory Orders",
      importance: 1,
      actual: "1.0",
      consensus: "2.0",
    },
    {
      id: "e3",
      date: today,
      time: "14:00:00",
      country: "Japan",
      event_name: "Rate Decision",
      importance: 2,
      consensus: "0.25",
    },
    { id: "e4", date: "2026-06-16", time: "08:30:00", event_name: "Yesterday's Release", importance: 1 },
  ]);
  await service.has("earnings", [
    company("a1", "AMC1", {
      time: "amc",
      eps: "1.10",
      eps_est: "1.00",
      eps_surprise_percent: "0.1",
      revenue: "2500000000",
      revenue_est: "2600000000",
    }),
    company("a2", "BMO1", { time: "bmo", eps_est: "0.50" }),
    company("a3", "CLK1", { time: "07:15:00", eps_est: "0.70" }),
  ]);
  await service.has("ratings", [
    company("r1", "KEEP", {
      action_company: "Maintains",
      rating_current: "Hold",
      rating_prior: "Hold",
      analyst: "Firm A",
      importance: 5,
    }),
    company("r2", "RISE", {
      action_company: "Upgrades",
      rating_current: "Buy",
      rating_prior: "Hold",
      analyst: "Firm B",
      pt_prior: "90",
      pt_current: "120",
    }),
  ]);
  await service.has("dividends", [
    company("d1", "EXDV", {
      date: "2026-05-01",
      ex_dividend_date: today,
      dividend: "0.55",
      dividend_prior: "0.50",
      dividend_yield: "0.031",
      payable_date: "2026-07-01",
    }),
    company("d2", "ANNC", { ex_dividend_date: "2026-08-01", dividend: "0.10" }),
  ]);
  await service.has("guidance", [
    company("g1", "GUID", {
      is_primary: "true",
      eps_guidance_min: "1.00",
      eps_guidance_max: "1.20",
      eps_guidance_est: "1.05",
    }),
  ]);
  await service.has("conference-calls", [
    company("c1", "CALL", { start_time: "17:00:00", webcast_url: "https://calls.example.com/1" }),
  ]);
  await service.has("news", [
    { id: 11, title: "First of the day", created: "2026-06-17T09:00:00-04:00", stocks: [{ name: "RISE" }] },
    { id: 12, title: "Of the day before", created: "2026-06-16T18:00:00-04:00" },
    { id: 13, title: "Of the day after", created: "2026-06-18T08:00:00-04:00" },
  ]);
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await service.close();
});

/** The part of the day with this heading. */
const section = (page: Page, title: string) =>
  page.locator(".day-section").filter({ has: page.getByRole("heading", { name: title, level: 2 }) });
const rowsOf = async (page: Page, table: string): Promise<string[]> => {
  const rows = page.getByRole("table", { name: table, exact: true }).locator("tbody tr");
  await rows.first().waitFor();
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
};

test("every part of the day is shown, what came out against what was expected", async () => {
  const opened = await open(browser, service, "/");
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
  assert.deepEqual(await rowsOf(page, "Earnings, before the open"), ["BMO1 – 0.50 – – – ›", "CLK1 – 0.70 – – – ›"]);
  assert.deepEqual(await rowsOf(page, "Earnings, after the close"), ["AMC1 1.10 1.00 +10.0% 2.50B 2.60B ›"]);
  // A change of mind stands before a firm that says the same again, however important.
  assert.deepEqual(await rowsOf(page, "Ratings"), [
    "RISE Upgrades Firm B Hold → to Buy 90 → to 120 ›",
    "KEEP Maintains Firm A Hold – ›",
  ]);
  assert.match(
    (await section(page, "Ratings").locator("h2").innerText()).replace(/\s+/g, " "),
    /^Ratings 2 1 changes a rating/,
  );
  assert.deepEqual(await rowsOf(page, "Ex-dividend"), ["EXDV EXDV Inc. 0.55 3.10% Jul 1, 2026 ›"]);
  assert.deepEqual(await rowsOf(page, "Guidance"), ["GUID 1.00 – 1.20 1.05 – – ›"]);
  assert.deepEqual(await rowsOf(page, "Calls"), ["17:00 CALL CALL Inc. listen ↗ ›"]);
  const headlines = page.getByRole("region", { name: "Headlines" }).locator("li");
  assert.deepEqual(
    (await headlines.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()),
    ["09:00 First of the day RISE", "Tue, Jun 16 18:00 Of the day before"],
  );
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened, service);
  await opened.close();
});

test("at 1280 pixels no column of any table is out of sight, however long its values are", async () => {
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
  const opened = await open(browser, service, `/day/${day}`, { viewport: { width: 1280, height: 760 } });
  const { page } = opened;
  for (const name of ["Ratings", "Economic releases", "Calls"]) {
    await rowsOf(page, name);
    const scroller = section(page, name).locator(".table-scroll");
    const [seen, whole] = await scroller.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
    assert.equal(whole, seen, name);
  }
  const rating = page.getByTitle("Sector Outperform → Sector Underperform");
  assert.equal(await rating.count(), 1, "what is cut can be read");
  assertClean(opened, service);
  await opened.close();
});

test("the week strip counts each day, and days are gone to by click, by key, by date, and back again", async () => {
  const opened = await open(browser, service, "/");
  const { page } = opened;
  const week = page.getByRole("navigation", { name: "Days of the week" });
  const present = week.getByRole("link", {
    name: "Wed 17 (today): 3 economic releases, 3 earnings reports, 2 ratings, 1 guidance, 1 dividend announced, 1 call, 1 news item",
  });
  await present.waitFor();
  assert.equal(await present.getAttribute("aria-current"), "date");
  assert.deepEqual(
    (await week.locator("li").allInnerTexts()).map((text) => text.match(/^\w+ \d+/)?.[0]),
    ["Mon 15", "Tue 16", "Wed 17", "Thu 18", "Fri 19", "Sat 20", "Sun 21"],
  );
  await week.getByRole("link", { name: "Tue 16 : 1 economic release, 1 news item" }).click();
  await page.getByRole("heading", { name: "Tuesday, June 16, 2026" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/day/2026-06-16");
  assert.match((await rowsOf(page, "Economic releases"))[0] ?? "", /Yesterday's Release/);
  await page.getByText("No company reports.").waitFor();
  await page.keyboard.press("[");
  await page.waitForURL("**/day/2026-06-15");
  await page.keyboard.press("]");
  await page.waitForURL("**/day/2026-06-16");
  await page.keyboard.press("]");
  await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
  await page.getByLabel("Day", { exact: true }).fill("2026-05-01");
  await page.waitForURL("**/day/2026-05-01");
  await page.goBack();
  await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
  await page.getByRole("link", { name: "A week later" }).click();
  await page.getByRole("heading", { name: "Wednesday, June 24, 2026" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Wednesday, June 24, 2026" }).waitFor();
  assertClean(opened, service);
  await opened.close();
});

test("a record is opened by key, stands in the address, and is shown whole; links lead to its company and calendar", async () => {
  const opened = await open(browser, service, "/");
  const { page } = opened;
  await rowsOf(page, "Economic releases");
  for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
  const panel = page.getByRole("complementary", { name: "Retail Sales" });
  await panel.getByText("Event name").waitFor();
  assert.match(page.url(), /record=economics:e1/);
  await page.reload();
  await panel.getByText("Event name").waitFor();
  await panel.getByRole("button", { name: "Close the panel" }).click();
  await panel.waitFor({ state: "detached" });
  const ticker = page.getByRole("table", { name: "Ratings" }).getByRole("link", { name: "RISE" });
  assert.equal(await ticker.getAttribute("href"), "/ticker/RISE");
  const title = section(page, "Ex-dividend").getByRole("link", { name: "Ex-dividend" });
  assert.equal(await title.getAttribute("href"), `/calendar/dividends?ex_dividend_date=${today}`);
  assertClean(opened, service);
  await opened.close();
});

test("all requests of the day are told as API calls, with their answers", async () => {
  const opened = await open(browser, service, "/?panel=api");
  const { page } = opened;
  const panel = page.getByRole("complementary", { name: "As an API call" });
  const choice = panel.getByRole("combobox", { name: "Request" });
  await choice.waitFor();
  assert.deepEqual(await choice.locator("option").allInnerTexts(), [
    "Economic releases",
    "Earnings",
    "Ratings",
    "Guidance",
    "Ex-dividend",
    "Calls",
    "News",
    "Counts by day",
  ]);
  await choice.selectOption({ label: "Counts by day" });
  const snippet = panel.getByRole("region", { name: "The request as URL" });
  assert.equal(
    await snippet.innerText(),
    `${service.origin}/api/v2.1/days?parameters[date_from]=2026-06-15&parameters[date_to]=2026-06-28&token=YOUR_KEY`,
  );
  await panel.getByText('"economics": 3').waitFor();
  assert.ok(!(await page.content()).includes(service.key));
  await opened.close();
});

test("a day on which nothing happens says so, and where something does", async () => {
  const opened = await open(browser, service, "/day/2026-06-13");
  const { page } = opened;
  await page.getByText("Nothing is listed for this day.").waitFor();
  await page.getByRole("link", { name: "Tuesday, June 16, 2026" }).click();
  await page.getByRole("heading", { name: "Tuesday, June 16, 2026" }).waitFor();
  await rowsOf(page, "Economic releases");
  assert.equal(await page.getByText("Nothing is listed").count(), 0);
  assertClean(opened, service);
  await opened.close();
});

test("an address that names no day says so", async () => {
  const opened = await open(browser, service, "/day/2026-02-30");
  await opened.page.getByText("is not a day as").waitFor();
  await opened.close();
});

test("on a phone nothing is wider than the screen, and in the dark nothing is unreadable", async () => {
  const opened = await open(browser, service, "/", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const { page } = opened;
  await rowsOf(page, "Economic releases");
  await page.getByRole("region", { name: "Headlines" }).waitFor();
  assert.equal(await page.evaluate(() => document.scrollingElement?.scrollWidth), 390);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened, service);
  await opened.close();
});
