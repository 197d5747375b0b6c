// Agenda, week, and month of a calendar: order, the present moment, filters, and the names of events.
import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Page } from "playwright-core";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import { assertClean, type OpenOptions, pageTests, type Site, turnDark } from "../support/browser.ts";
import { now } from "../support/service.ts";

const release = (id: string, date: string, time: string, event_name: string, more: object = {}) => ({
  ...{ id, date, time, event_name, country: "USA", importance: 1, ...more },
});

const test = pageTests({ demo: [] }, async (service) => {
  await service.has("economics", [
    release("1", "2026-06-15", "08:30:00", "Import Prices", { actual: "0.3" }),
    release("2", "2026-06-17", "14:00:00", "Rate Decision", { importance: 3, actual: "4.5" }),
    release("3", "2026-06-17", "20:30:00", "Trade Balance", { country: "Japan" }),
    release("4", "2026-06-17", "22:15:00", "Loan Prime Rate", { importance: 3, country: "China", consensus: "3.1" }),
    release("5", "2026-06-19", "08:30:00", "Retail Sales", { importance: 3 }),
    release("6", "2026-06-22", "08:30:00", "Of next week"),
    ...Array.from({ length: 9 }, (_, at) => release(`many${at}`, "2026-06-18", "08:30:00", `Release ${at}`)),
    release("big", "2026-06-18", "10:00:00", "Leading Index", { importance: 3 }),
  ]);
  await service.has("dividends", [
    { id: "d1", ticker: "EXDV", date: "2026-05-01", ex_dividend_date: "2026-06-17", dividend: "0.55" },
    { id: "d2", ticker: "ANNC", date: "2026-06-17", ex_dividend_date: "2026-08-01", dividend: "0.10" },
  ]);
});

/** With the browser's clock stopped at the time of the service; its timers go on. */
async function openAt({ blank, service }: Site, path: string, options: OpenOptions = {}) {
  const opened = await blank({ fresh: true, ...options });
  await opened.page.clock.setFixedTime(now * 1000);
  await opened.page.goto(`${service.origin}${path}`);
  return opened;
}

/** Sets the browser's clock; the page looks at it every ten seconds. */
async function setTime({ clock }: Page, minutes: number): Promise<void> {
  await clock.setFixedTime((now + minutes * 60) * 1000);
  await clock.fastForward(10_000);
}

/** Bands and first cells, from top to bottom. */
const linesOf = async (page: Page): Promise<string[]> => {
  await page.locator("tr[data-index='0']").waitFor();
  const all = await page.locator("tbody tr:not(.gap) th").allInnerTexts();
  return all.map((text) => text.replace(/\s+/g, " ").trim());
};

describe("the agenda", () => {
  test("the line for now is in the time zone of the page as soon as another one is selected", async (site) => {
    const { page } = await openAt(site, "/calendar/economics?view=agenda");
    await page.getByText("Now · 20:00 EDT").waitFor();
    await page.clock.pauseAt(now * 1000);
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("UTC");
    await page.getByText("Now · 00:00 +1 UTC").waitFor();
  });

  test("reads forward by day, with a line for now and a countdown to the next important release", async (site) => {
    const opened = await openAt(site, "/calendar/economics?view=agenda");
    const { page } = opened;
    const lines = await linesOf(page);
    assert.deepEqual(
      lines.filter((line) => !line.startsWith("Release ")),
      [
        ...["Monday, June 15, 2026 1", "Import Prices"],
        ...["Wednesday, June 17, 2026 · Today 3", "Rate Decision", "Now · 20:00 EDT", "Trade Balance"],
        ...[
          "Loan Prime Rate",
          "Thursday, June 18, 2026 10",
          "Leading Index",
          "Friday, June 19, 2026 1",
          "Retail Sales",
        ],
      ],
    );
    await page.getByText("Next in 2 h 15 min: Loan Prime Rate, China").waitFor();
    await setTime(page, 20);
    await page.getByText("Next in 1 h 55 min: Loan Prime Rate, China").waitFor();
    const moved = await linesOf(page);
    assert.equal(moved[moved.indexOf("Now · 20:20 EDT") + 1], "Trade Balance");
    await setTime(page, 40);
    await page.getByText("Now · 20:40 EDT").waitFor();
    const later = await linesOf(page);
    assert.equal(later[later.indexOf("Now · 20:40 EDT") - 1], "Trade Balance");
    await page.getByRole("button", { name: "Loan Prime Rate, China", exact: true }).click();
    await page.getByRole("complementary", { name: "Loan Prime Rate, China" }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press("Escape");
    // The panel closes by going back, which the browser does later.
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await page.keyboard.press("]");
    await page.getByRole("heading", { name: "Economic events, Jun 22 – 28, 2026" }).waitFor();
    await page.waitForURL(({ search }) => search.includes("date_from=2026-06-22&date_to=2026-06-28"));
    assert.deepEqual(await linesOf(page), ["Monday, June 22, 2026 1", "Of next week"]);
    await turnDark(page);
    assert.deepEqual(await contrastFaults(page), []);
    assertClean(opened);
  });

  test("sorts by any column, largest number first and unknown values last, and goes back to the days", async (site) => {
    const { page } = await site.open("/calendar/economics?view=agenda&date_from=2026-06-15&date_to=2026-06-17");
    const actual = page.getByRole("columnheader", { name: "Actual" });
    await linesOf(page);
    await actual.getByRole("button").click();
    await page.locator("th[aria-sort=descending]", { hasText: "Actual" }).waitFor();
    assert.deepEqual((await linesOf(page)).slice(0, 2), ["Rate Decision", "Import Prices"]);
    assert.equal(await page.getByRole("columnheader", { name: "Date" }).count(), 1);
    await actual.getByRole("button").click();
    await page.locator("th[aria-sort=ascending]", { hasText: "Actual" }).waitFor();
    assert.deepEqual((await linesOf(page)).slice(0, 2), ["Import Prices", "Rate Decision"]);
    await actual.getByRole("button").click();
    await page.getByText("Monday, June 15, 2026").waitFor();
    // The table has only the orders of the API, and says so.
    await page.getByRole("navigation", { name: "Layout" }).getByRole("link", { name: "Table" }).click();
    await page.getByText("newest first").waitFor();
    assert.match((await actual.getAttribute("title")) ?? "", /The API can’t sort by this column/);
    assert.equal(await page.getByRole("columnheader").getByRole("button").count(), 0);
  });

  test("is the layout that the header bar and the day link to, for calendars of upcoming days", async (site) => {
    const { page } = await site.open("/day/2026-06-17");
    const tab = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Economics" });
    assert.equal(await tab.getAttribute("href"), "/calendar/economics?view=agenda");
    await page.getByRole("link", { name: "Ex-dividend" }).click();
    assert.deepEqual(await linesOf(page), ["Wednesday, June 17, 2026 · Today 1", "EXDV"]);
  });
});

describe("the week and the month", () => {
  test("name events by importance, count the others, and respect the filters", async (site) => {
    const opened = await openAt(site, "/calendar/economics?view=month");
    const { page } = opened;
    const cell = page.getByRole("cell", { name: /Thursday, June 18, 2026/ });
    await cell.getByText("+6 more").waitFor();
    assert.match(((await cell.locator("li").first().innerText()) ?? "").trim(), /^US\s+Leading Index$/);
    assert.equal(await cell.locator("li").count(), 4);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "3 or higher" }).click();
    await cell.getByText("+6 more").waitFor({ state: "detached" });
    await cell.locator("li:only-child").waitFor();
    await cell.getByRole("button", { name: /Leading Index/ }).click();
    await page.getByRole("complementary", { name: /^Leading Index/ }).waitFor();
    await page.goBack();
    await page.getByRole("navigation", { name: "Layout" }).getByRole("link", { name: "Week" }).click();
    await page.getByRole("heading", { name: "Economic events, Jun 15 – 21, 2026" }).waitFor();
    await page.locator("td li").first().waitFor();
    const week = await page.locator("td li").allInnerTexts();
    assert.deepEqual(
      week.map((text) => text.replace(/\s+/g, " ").trim()),
      ["14:00 US Rate Decision", "22:15 CN Loan Prime Rate", "10:00 US Leading Index", "08:30 US Retail Sales"],
    );
    await page.keyboard.press("[");
    await page.getByRole("heading", { name: "Economic events, Jun 8 – 14, 2026" }).waitFor();
    await page.getByRole("link", { name: /^Wednesday, June 10, 2026/ }).click();
    await page.waitForURL(({ search }) => /view=agenda.*date_from=2026-06-10&date_to=2026-06-10/.test(search));
    await page.getByText("No matching records on these days.").waitFor();
    assertClean(opened);
  });

  test("place dividends on their ex-date", async (site) => {
    const { page } = await openAt(site, "/calendar/dividends?view=week");
    const today = page.getByRole("cell", { name: /Wednesday, June 17, 2026/ });
    await today.getByRole("button", { name: "EXDV" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "ANNC" }).count(), 0);
  });

  test("list the days below each other on a phone", async (site) => {
    const { page } = await openAt(site, "/calendar/economics?view=month", { viewport: { width: 390, height: 844 } });
    await page.getByText("+6 more").waitFor();
    const tops = await page
      .locator("td:not(.other)")
      .evaluateAll((cells) => cells.map((each) => each.getBoundingClientRect().y));
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(tops).size, 30);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    assert.deepEqual(await accessibilityFaults(page), []);
  });
});
