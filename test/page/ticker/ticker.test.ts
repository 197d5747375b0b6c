// Ticker view in a browser: chart of price targets, tables, and navigation.
import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Page } from "playwright-core";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import { addAcme } from "../support/acme.ts";
import { assertClean, pageTests, region, turnDark } from "../support/browser.ts";

const test = pageTests({ demo: [] }, async (service) => {
  await addAcme(service);
});

const cells = async (page: Page, name: string, row: number): Promise<string[]> => {
  const found = region(page, name).locator("tbody tr").nth(row);
  await found.waitFor();
  return found.locator("th, td").allInnerTexts();
};

/** Waits until the chart contains many pixels of a color of the current theme. */
const drawnIn = (page: Page, token: string) =>
  page.waitForFunction((name) => {
    const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (copy === null) return false;
    copy.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
    copy.fillRect(0, 0, 1, 1);
    const [red, green, blue] = copy.getImageData(0, 0, 1, 1).data;
    let found = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(".target-chart canvas")) {
      if (canvas.width === 0 || canvas.height === 0) continue;
      Object.assign(copy.canvas, { width: canvas.width, height: canvas.height });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4)
        if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) found++;
    }
    return found > 150;
  }, token);

describe("the ticker view", () => {
  test("shows everything about a company, in light and dark mode", async ({ open }) => {
    const opened = await open("/ticker/acme");
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: "ACME" }).waitFor();
    await page.getByText("mean target 95.00 from 2 firms, range 70.00 to 120.00").waitFor();
    await page.getByText("Acme Works").first().waitFor();
    await drawnIn(page, "--accent");
    const chart = page.getByRole("img", { name: /^Price targets for ACME since Mar 4, 2024: mean target 95.00/ });
    assert.equal(await chart.count(), 1);
    assert.deepEqual(await cells(page, "Ratings and targets by firm", 0), [
      "South Research",
      "Buy",
      "70.00",
      "−22.2%",
      "May 4, 2026",
    ]);
    const changes = await cells(page, "Ratings and price targets for ACME, newest first", 0);
    assert.deepEqual(changes.slice(0, 5), ["May 4, 2026", "09:30", "South Research", "Ann South", "Maintains"]);
    await region(page, "Earnings per share").getByText("beat the estimate 2 of 4 times").waitFor();
    assert.deepEqual((await cells(page, "Earnings of ACME, newest first", 1)).slice(0, 5), [
      "Q4 2025",
      "Feb 1, 2026 after close",
      "0.60",
      "0.50",
      "+20.0%",
    ]);
    await region(page, "Dividends").getByText("0.55 USD, quarterly, yield 2.10%").waitFor();
    const guidance = await cells(page, "Guidance and results of ACME, newest first", 1);
    assert.deepEqual(guidance.slice(0, 4), ["FY 2025 EPS", "May 1, 2025", "1.80 – 2.00", "1.95"]);
    assert.deepEqual(guidance.slice(5, 7), ["Σ 2.10", "above"]);
    await region(page, "News").getByRole("link", { name: "Acme opens a works" }).waitFor();
    assert.equal(await page.getByText("Of another company").count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    await drawnIn(page, "--surface");
    await turnDark(page);
    for (const token of ["--surface", "--accent"]) await drawnIn(page, token);
    assert.deepEqual(await contrastFaults(page), []);
    assertClean(opened);
  });

  test("lists upcoming events first, which open as records", async ({ open }) => {
    const opened = await open("/ticker/ACME");
    const { page } = opened;
    const events = region(page, "Upcoming").getByRole("listitem");
    await events.first().waitFor();
    assert.deepEqual(
      (await events.allInnerTexts()).map((text) => text.split("\n")),
      [
        ["Ex-dividend", "Fri, Jun 19, 2026", "in 2 days · 0.55"],
        ["Dividend payment", "Fri, Jul 10, 2026", "in 23 days · 0.55"],
        ["Earnings Q1 2026", "Wed, Jul 29, 2026 (expected)", "in 42 days · after close · EPS est. 0.70"],
        ["Conference call", "Wed, Jul 29, 2026", "in 42 days · 17:00"],
      ],
    );
    await events.first().getByRole("button").click();
    await page.waitForURL(/record=dividends(:|%3A)d2/);
    await page.getByRole("complementary").getByText("JSON", { exact: true }).waitFor();
    assertClean(opened);
  });

  test("highlights a firm in the chart, filters the table by it, and stores it in the URL", async ({ open }) => {
    const opened = await open("/ticker/ACME?span=all");
    const { page } = opened;
    await drawnIn(page, "--accent");
    const changes = region(page, "Ratings and price targets for ACME, newest first").locator("tbody tr");
    assert.equal(await changes.count(), 7);
    await page.getByRole("button", { name: "North Research", exact: true }).click();
    await page.waitForURL(/firm=North/);
    await drawnIn(page, "--text");
    assert.equal(await changes.count(), 2);
    await page.reload();
    await page.getByRole("button", { name: "North Research", exact: true, pressed: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "All", exact: true }).getAttribute("aria-pressed"), "true");
    await page.getByRole("link", { name: "All firms" }).click();
    await changes.nth(6).waitFor();
    assertClean(opened);
  });

  test("shows day and firm at the pointer, and selects the firm on a click", async ({ open }) => {
    const opened = await open("/ticker/ACME?span=all");
    const { page } = opened;
    await drawnIn(page, "--accent");
    const box = await page.locator(".target-chart").boundingBox();
    assert.ok(box !== null);
    const hover = page.locator(".target-hover");
    // Scan down the last days for the line of a firm.
    for (let y = box.y + 10; y < box.y + box.height - 40; y += 3) {
      await page.mouse.move(box.x + box.width * 0.8, y);
      // The text updates with the next frame.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      if (/Research/.test(await hover.innerText())) break;
    }
    const [day = "", firm = "", target = ""] = (await hover.innerText()).split(" · ");
    assert.match(day, /^\w{3} \d+, 202\d$/);
    assert.match(firm, /^(North|South|West) Research$/);
    assert.match(target, /^\d+\.\d\d$/);
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole("button", { name: firm, exact: true, pressed: true }).waitFor();
    assertClean(opened);
  });

  test("links each section to its API request and response", async ({ open, service }) => {
    const opened = await open("/ticker/ACME");
    const { page } = opened;
    const panel = page.getByRole("complementary", { name: "API request" });
    const calls = [
      ["Analysts", "/api/v2.1/calendar/ratings?parameters%5Btickers%5D=ACME&pagesize=1000", '"r7"'],
      ["Earnings per share", "/api/v2.1/calendar/earnings?parameters%5Btickers%5D=ACME&pagesize=100", '"e5"'],
      ["Dividends", "/api/v2.2/calendar/dividends?parameters%5Btickers%5D=ACME&pagesize=100", '"d2"'],
      ["Guidance", "/api/v2.1/calendar/guidance?parameters%5Btickers%5D=ACME&pagesize=100", '"g2"'],
      ["News", "/api/v2/news?tickers=ACME&pageSize=50", "Acme opens a works"],
    ] as const;
    for (const [title, call, response] of calls) {
      await page.getByRole("link", { name: `Show API request: ${title}` }).click();
      await panel.getByText(`${service.origin}${call}&token=YOUR_KEY`).waitFor();
      await panel.getByText(response).first().waitFor();
    }
    await panel.getByRole("combobox", { name: "Request" }).selectOption("Conference calls");
    await panel.getByText("/api/v2.1/calendar/conference-calls?parameters%5Btickers%5D=ACME").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await panel.getByRole("button", { name: "Close panel" }).click();
    await panel.waitFor({ state: "detached" });
    assertClean(opened);
  });

  test("works by keyboard: select and open a row, highlight a firm, toggle the panel", async ({ open }) => {
    const opened = await open("/ticker/ACME");
    const { page } = opened;
    await page.locator(".targets-changes tbody tr").nth(6).waitFor();
    for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
    await page.waitForURL(/record=ratings(:|%3A)r3|record=ratings(:|%3A)r7/);
    const selected = page.locator(".targets-changes tr.selected");
    assert.ok(await selected.evaluate((row) => row.getBoundingClientRect().bottom <= window.innerHeight));
    await page.getByRole("button", { name: "Close panel" }).press("Enter");
    // It closes by going back, which would undo what is selected before.
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "South Research", exact: true }).press("Enter");
    await page.waitForURL(/firm=South/);
    await page.keyboard.press("a");
    await page.getByRole("complementary", { name: "API request" }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    assertClean(opened);
  });

  test("fits a narrow screen", async ({ open }) => {
    const opened = await open("/ticker/ACME", { viewport: { width: 360, height: 740 } });
    const { page } = opened;
    await drawnIn(page, "--accent");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const wide = await page
      .getByRole("img")
      .evaluateAll((pictures) =>
        pictures.filter((each) => each.getBoundingClientRect().right > window.innerWidth).map((each) => each.outerHTML),
      );
    assert.deepEqual(wide, []);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });
});
